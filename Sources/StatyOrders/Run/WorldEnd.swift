internal import COrders
internal import StatyReplay

/// The end of a run: what is shown, and what happened on the way.
@MainActor struct WorldEnd {
  /// What is shown, and what it is called.
  private let shown: [(name: String, value: ShownValue)]
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
  /// How many tasks and blocks have not ended, also those that only go on at intervals.
  let underWay: Int
  /// What the test has thrown.
  let error: String?
  /// The conditions that did not hold.
  let broken: [String]
  /// Whether there was anything to judge.
  let isJudged: Bool
  let decisions: [Int]
  let deviations: [WorldDeviation]
  let hasMergedHops: Bool
  /// Whether the model's code ran on the pool, or what may be its code, and whether timers were left.
  let (hasPoolWork, hasPoolRest, hasLeftTimers): (Bool, Bool, Bool)
  private(set) var escapes: [String]
  let patience: Patience
  /// Whether everything has happened that was recorded, by its names.
  let isComplete: Bool
  /// The first thing that has its recorded name, and shows something else.
  let unlike: Int?
  /// How much has happened that was recorded, and what did instead of the rest.
  let matched: Int
  let instead: String?
  private let happened: [RunStory.Happened]
  private let words: JobWords

  /// Makes a world, and plays it to its end.
  init(
    _ options: WorldOptions, _ patience: Patience,
    _ chooser: inout some Chooser<WorldRun, WorldRun.Way>, log: TrackLog? = nil,
    explains: Bool = false, without: Set<Int> = [], _ body: @escaping World.Body
  ) {
    let run = WorldRun(
      options, patience: patience, tracks: log, explains: explains, without: without)
    let world = World(run)
    let (conditions, timers) = (ConditionWatch(world), TimerWatch())
    var error: String?
    if log != nil { TrackLog.followTracks() }
    defer {
      if log != nil { TrackLog.leaveTracks() }
      world.end()
    }
    self = Control.of(run) {
      run.begin {
        do { try await body(world) } catch let thrown { error = "the test throws \(thrown)" }
      }
      run.afterEach = { conditions.look(.always) }
      run.atPause = { timers.look() }
      run.atRest = { conditions.look(.atRest) }
      run.play(&chooser)
      log?.isEnded = true
      conditions.look(.atEnd)
      var end = WorldEnd(of: world, error, broken: conditions.broken)
      timers.look()
      if timers.wereSet {
        end.escapes.append(
          "a timer of the run loop was set, which does not fire while orders are searched")
      }
      // What is done to end the run is no part of it.
      run.tearDown()
      return end
    }
  }

  /// Looks at a world when nothing is left to be done.
  private init(of world: World, _ error: String?, broken: [String]) {
    let run = world.run
    let unfinished = run.unfinished
    (actions, undone) = (run.script.actions.map(\.name), run.script.undone)
    (waiting, self.error, self.broken) = (unfinished.map(\.name), error, broken)
    notReturned = unfinished.filter { !$0.hasReturned }.map(\.name)
    underWay = run.underWay
    shown = world.shown.map { one in (one.name, run.ask(one.value)) }
    isJudged = !shown.isEmpty || !world.conditions.isEmpty
    (decisions, deviations, happened) = (run.decisions, run.story.deviations, run.story.done)
    hasMergedHops = run.hasMergedHops
    (hasPoolWork, hasPoolRest) = (run.hasPoolWork, run.hasPoolRest)
    hasLeftTimers = run.hasLeftTimers
    escapes =
      run.escapes
      + [run.endless.map { "\($0) had not come to rest after \(run.options.mostSteps) steps" }]
      .compactMap(\.self)
    patience = run.patience
    let log = run.tracks
    (isComplete, unlike) = (log?.isComplete ?? false, log?.unlike)
    matched = unlike ?? log?.matched ?? 0
    instead = log?.instead?.words()
    words = run.names.words(about: deviations)
  }

  /// Whether the test's own body has not returned, which has no name as an action.
  var isCutOff: Bool { notReturned.contains("") }

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

  /// What happened, in lines, and what the user could not do.
  var story: [String] {
    StoryLines(happened, about: deviations, words).lines
      + undone.map { "'\($0)' was never possible" }
  }

  /// What is shown, in a line.
  var text: String {
    var parts = shown.map { $0.name.isEmpty ? $0.value.text : "\($0.name): \($0.value.text)" }
    if let error { parts.append(error) }
    parts += misses.map { "'\($0)' is never possible" }
    parts += waiting.map { $0.isEmpty ? "what the test begins never ends" : "'\($0)' never ends" }
    return parts.joined(separator: "; ")
  }

  /// The same, with what goes on: it tells apart what shows the same.
  var longText: String {
    let rest =
      underWay == 1 ? "1 task goes on" : "\(underWay == 0 ? "no" : "\(underWay)") tasks go on"
    return text.isEmpty ? rest : "\(text); \(rest)"
  }

  func equals(_ other: WorldEnd) -> Bool {
    // Which action has begun what goes on, such as what reads a stream, is no difference.
    return misses == other.misses && notReturned == other.notReturned
      && underWay == other.underWay && error == other.error && shown.count == other.shown.count
      && zip(shown, other.shown).allSatisfy { $0.name == $1.name && $0.value.equals($1.value) }
  }

  /// What cannot be compared, because it is not equal to itself; `nil` if everything can.
  var unequal: String? {
    shown.first { !$0.value.equals($0.value) }.map { $0.name.isEmpty ? $0.value.text : $0.name }
  }

  /// What is equal in another end and reads otherwise there; `nil` if there is nothing.
  ///
  /// The parts of a set or a dictionary may have any order, and the address of an object is no value.
  func alike(_ other: WorldEnd) -> (String, String)? {
    zip(shown, other.shown).lazy.map { ($0.value.text, $1.value.text) }.first {
      $0 != $1 && !$0.contains("0x") && $0.unicodeScalars.sorted() != $1.unicodeScalars.sorted()
    }
  }
}

/// The conditions of a world that did not hold once.
@MainActor private final class ConditionWatch {
  private let world: World
  private(set) var broken: [String] = []

  init(_ world: World) { self.world = world }

  func look(_ moment: ConditionMoment) {
    for condition in world.conditions
    where condition.moment == moment && !broken.contains(condition.name) {
      if world.run.ask(condition.holds) { continue }
      broken.append(condition.name)
      world.run.broke(condition.name)
    }
  }
}

/// Whether timers of the run loop were set.
@MainActor private final class TimerWatch {
  private let before = orders_next_timers()
  private(set) var wereSet = false

  /// One that is invalidated later is seen only before.
  func look() {
    let timers = orders_next_timers()
    // The main run loop may run meanwhile: its timers come, and those that repeat are set for later.
    let isNewOnMain = timers.main != 0 && (before.main == 0 || timers.main < before.main)
    if timers.here != 0 && timers.here != before.here || isNewOnMain { wereSet = true }
  }
}
