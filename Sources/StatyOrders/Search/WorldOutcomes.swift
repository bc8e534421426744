public import StatyReplay

/// How the same actions of a user can end, as a search has found.
public struct WorldOutcomes: Sendable {
  /// An outcome, or a condition that does not hold, with the order that leads to it.
  public struct Found: Sendable {
    /// What is shown when nothing is left to be done, in a line: the name by which a test allows it.
    ///
    /// Of a condition, its name.
    public internal(set) var text: String
    /// Whether it is among the allowed outcomes, if any are named.
    public internal(set) var isAllowed = true
    /// When it comes, in words: empty if it comes with a patient user.
    public internal(set) var conditions: [String]
    /// The order that leads to it, to be passed as `repeating:`.
    public internal(set) var order: String
    /// What happens in that order, in lines: what the user does, what comes, and what tracks do.
    public internal(set) var story: [String] = []

    /// When it comes in an order that does what was recorded, in words; `nil` if none ends like this.
    public internal(set) var recorded: [String]?

    /// Whether a patient user gets it.
    public var isUsual: Bool { conditions.isEmpty }

    /// Whether an order that does what was recorded ends like this.
    public var isRecorded: Bool { recorded != nil }
  }

  /// The outcomes, the usual one first, then those with fewer deviations.
  public internal(set) var outcomes: [Found] = []
  /// The conditions that do not hold in some order, each with the first one that was found.
  public internal(set) var broken: [Found] = []
  /// How many orders were run.
  public internal(set) var runs = 0
  /// How many of them were random.
  public internal(set) var randomRuns = 0
  /// The seed of the random ones.
  public internal(set) var seed: UInt64 = 0
  /// All orders with so many deviations were run; -1 if not even the usual one was.
  public internal(set) var complete = -1
  /// Whether the user does anything.
  package internal(set) var hasActions = false
  /// Whether all orders were run.
  public internal(set) var isExhaustive = false
  /// Whether an outcome comes of another answer, and not of the order alone.
  public internal(set) var dependsOnAnswers = false
  /// Whether the first steps of tasks on the pool were not reordered.
  public internal(set) var hasMergedHops = false
  /// Whether the model's code ran on the pool of threads, where it is not interleaved.
  public internal(set) var hasPoolWork = false
  /// Whether steps of fakes or sleeps were on the pool, which may be the model's.
  var hasPoolRest = false
  /// Whether something that goes on at intervals was left.
  public internal(set) var hasLeftTimers = false
  /// The user's actions without which the same still happens, if something is wrong.
  public internal(set) var needless: [String] = []
  /// What prevents a verdict, in sentences.
  public internal(set) var doubts: [String] = []
  /// Whether a single order was run, which a test names.
  package internal(set) var isRepeated = false
  /// Whether outcomes that differ have the same text.
  package internal(set) var hasTwins = false
  /// Whether outcomes were named as right.
  var isJudged = false
  /// How many deviations were asked for.
  package internal(set) var wanted = 1

  /// What the search says.
  public var verdict: Exploration.Verdict {
    if !doubts.isEmpty { return .inconclusive }
    if !broken.isEmpty || outcomes.contains(where: { !$0.isAllowed }) { return .broken }
    if !isExhaustive, complete < 1 { return .inconclusive }
    if outcomes.count > 1, !isJudged { return .differs }
    return isExhaustive || complete >= wanted ? .same : .inconclusive
  }
}

extension WorldOutcomes {
  /// How many orders were run that are not random.
  package var systematic: Int { runs - randomRuns }

  /// How far the orders were searched, in sentences.
  public var extent: String {
    let reordered = randomRuns > 0 ? "was reordered at random only" : "was not reordered"
    let merged =
      hasMergedHops
      ? " What a task does before a 'world.answer' \(reordered) ('choosesHops')." : ""
    let pool = hasPoolWork ? " Code of several threads was not interleaved." : ""
    let timers =
      hasLeftTimers ? " What goes on at intervals was left after \(IdleLoops.mostTicks) times." : ""
    return reach + merged + pool + timers + Self.limit
  }

  private var reach: String {
    let ones = randomRuns == 1 ? "a random one" : "\(randomRuns) random ones"
    let random = randomRuns > 0 ? ", and \(ones) (seed \(seed))" : ""
    if isExhaustive {
      // Within a step no other code runs.
      let isWhole = !hasPoolWork && !hasPoolRest && !hasMergedHops
      let what = isWhole ? "All orders" : "All orders of its steps"
      return "\(what) were run: \(systematic)\(random)."
    }
    let most =
      complete < 0
      ? "not all without a deviation"
      : "all with at most \(complete) \(complete == 1 ? "deviation" : "deviations")"
    return "\(systematic) orders were run, \(most)\(random)."
  }

  #if os(Linux)
    private static let limit = ""
  #else
    private static let limit = " Blocks of dispatch queues are not noticed on this system."
  #endif
}
