internal import COrders
internal import StatyReplay

/// The end of a run: what is shown, and what happened on the way.
@MainActor struct WorldEnd {
  /// What is shown, and what it is called.
  private var shown: [(name: String, value: ShownValue)] = []
  /// What the user does.
  let actions: [String]
  /// The actions that the user could not do.
  let undone: [String]
  /// Those that were possible in the usual order.
  var misses: [String] = []
  /// The actions that have not ended, although nothing is left to run.
  private let waiting: [String]
  /// Those of them whose own function has not returned.
  private let notReturned: [String]
  /// What the test has thrown.
  let error: String?
  /// The conditions that did not hold.
  private(set) var broken: [String] = []
  /// Whether there was anything to judge.
  let isJudged: Bool
  let decisions: [Int]
  let deviations: [WorldDeviation]
  let hasMergedHops: Bool
  /// Whether the model's code ran on the pool, and whether timers were left.
  let (hasPoolWork, hasLeftTimers): (Bool, Bool)
  private(set) var escapes: [String]
  let isPatienceSpent: Bool
  /// Whether everything has happened that was recorded, by its names.
  let isComplete: Bool
  /// The first thing that has its recorded name, and shows something else.
  let unlike: Int?
  /// How much has happened that was recorded, and what did instead of the rest.
  let matched: Int
  let instead: String?
  private let happened: [WorldRun.Happened]
  private let words: JobWords

  /// Makes a world, and plays it to its end.
  init(
    _ options: WorldOptions, _ patience: Duration,
    _ chooser: inout some Chooser<WorldRun, WorldRun.Way>, log: TrackLog? = nil,
    explains: Bool = false, without: Set<Int> = [], _ body: @escaping WorldSearch.Body
  ) {
    let run = WorldRun(options, patience: patience, tracks: log, explains: explains)
    run.leftOut = without
    let before = orders_next_timers()
    var hasSetTimer = false
    /// One that is invalidated later is seen only before.
    func lookForTimers() {
      let timers = orders_next_timers()
      // The main run loop may run meanwhile: its timers come, and those that repeat are set for later.
      let isNewOnMain = timers.main != 0 && (before.main == 0 || timers.main < before.main)
      if timers.here != 0 && timers.here != before.here || isNewOnMain { hasSetTimer = true }
    }
    let world = World(run)
    let watch = ConditionWatch(world)
    var error: String?
    var (shown, undone, unfinished) = ([(String, ShownValue)](), [String](), [UserAction]())
    var (endless, actions, returning) = (String?.none, [String](), [String]())
    // What is done to end the run is no part of it.
    var (thrown, happened, deviations, escapes) =
      (String?.none, [WorldRun.Happened](), [WorldDeviation](), [String]())
    var (hasPoolWork, hasLeftTimers) = (false, false)
    if log != nil { TrackLog.followTracks() }
    defer { if log != nil { TrackLog.leaveTracks() } }
    Control.of(run) {
      run.begin {
        do { try await body(world) } catch let thrown { error = "the test throws \(thrown)" }
      }
      run.afterEach = { watch.look(.always) }
      run.atPause = { lookForTimers() }
      run.atRest = { watch.look(.atRest) }
      run.play(&chooser)
      log?.isEnded = true
      actions = run.actions.map(\.name)
      (undone, unfinished, endless) = (run.undone, run.unfinished, run.endless)
      returning = unfinished.filter { !$0.hasReturned }.map(\.name)
      watch.look(.atEnd)
      shown = world.shown.map { one in (one.name, run.ask(one.value)) }
      (thrown, happened, deviations, escapes) = (error, run.done, run.deviations, run.escapes)
      (hasPoolWork, hasLeftTimers) = (run.hasPoolWork, run.hasLeftTimers)
      lookForTimers()
      run.tearDown()
    }
    self.actions = actions
    (self.shown, self.undone, self.error) = (shown, undone, thrown)
    (waiting, notReturned) = (unfinished.map(\.name), returning)
    broken = watch.broken
    isJudged = !shown.isEmpty || !world.conditions.isEmpty
    world.end()
    (decisions, self.deviations) = (run.decisions, deviations)
    hasMergedHops = run.hasMergedHops
    (self.hasPoolWork, self.hasLeftTimers) = (hasPoolWork, hasLeftTimers)
    self.happened = happened
    if hasSetTimer {
      escapes.append(
        "a timer of the run loop was set, which does not fire while orders are searched")
    }
    if let endless { escapes.append("\(endless) never comes to rest") }
    isPatienceSpent = run.isPatienceSpent
    (isComplete, unlike) = (log?.isComplete ?? false, log?.unlike)
    matched = unlike ?? log?.matched ?? 0
    instead = log?.instead?.words()
    self.escapes = escapes
    words = run.names.words(about: deviations)
  }

  /// Whether everything has happened that was recorded, as far as a recording tells.
  var isReproduced: Bool { isComplete && unlike == nil }

  /// When it comes, in words.
  var conditions: [String] { deviations.map(words.condition) }

  /// How far the order is from what people say of a bug.
  var oddity: Int { deviations.reduce(0) { $0 + $1.oddity } }

  /// Whether a fake has answered something else than usual.
  var dependsOnAnswers: Bool {
    deviations.contains { if case .answered = $0 { true } else { false } }
  }

  /// What happened, in lines.
  ///
  /// Repeated moves to the same value are told once.
  var story: [String] {
    var lines: [String] = []
    for one in happened {
      guard let line = words.line(one) else { continue }
      if case .entry(let entry, _) = one, entry.isChange, line == lines.last { continue }
      lines.append(line)
    }
    return lines
  }

  /// What is shown, in a line.
  var text: String {
    var parts = shown.map { $0.name.isEmpty ? $0.value.text : "\($0.name): \($0.value.text)" }
    if let error { parts.append(error) }
    parts += misses.map { "'\($0)' is never possible" }
    parts += waiting.map { "'\($0)' never ends" }
    return parts.joined(separator: "; ")
  }

  func equals(_ other: WorldEnd) -> Bool {
    // Which action has begun what reads a stream is no difference.
    misses == other.misses && notReturned == other.notReturned
      && waiting.count == other.waiting.count && error == other.error
      && shown.count == other.shown.count
      && zip(shown, other.shown).allSatisfy { $0.name == $1.name && $0.value.equals($1.value) }
  }
}

/// The conditions of a world that did not hold once.
@MainActor private final class ConditionWatch {
  private let world: World
  private(set) var broken: [String] = []

  init(_ world: World) { self.world = world }

  func look(_ moment: World.Condition.Moment) {
    for condition in world.conditions
    where condition.moment == moment && !broken.contains(condition.name) {
      if world.run.ask(condition.holds) { continue }
      broken.append(condition.name)
      world.run.broke(condition.name)
    }
  }
}
