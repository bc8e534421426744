import Staty
package import StatyHistory

/// A run of a scenario, step by step, which knows the steps that are possible next.
///
/// ```swift
/// let run = try ScheduleRun(scenario)
/// while let step = run.possible.first { run.take(step) }
/// run.finish()
/// print(run.findings)
/// ```
///
/// The controllers are real ones, as in a what-if replay. What happens is written as a recorder
/// would write it, on a clock that advances by a millisecond with each step.
public final class ScheduleRun {
  /// What is played.
  public let scenario: Scenario
  /// The steps that were taken.
  public internal(set) var schedule: Schedule = []
  /// The same; a request that was made inside of a step follows it as a step of its own.
  var order: Schedule = []
  /// The requests, cancellations and messages to which something happened in the last step.
  var moved: [Int] = []
  /// The controllers that each step had to do with, step by step.
  var touched: [Set<Int32>] = []
  let numbering = Numbering()
  let thread = RunningThread()
  var now: Int64 = 0
  /// The time of the clock that only a test moves: steps take no time on it.
  var clock: Int64 = 0
  var isGivenUp = false
  /// What prevents a verdict.
  public internal(set) var doubts: [ReplayDoubt] = []
  var courses: [Course]
  var log: PlayedLog
  let plan: ScenarioPlan
  /// The controllers as a file would have them.
  package private(set) var controllers: [ControllerRecord]
  var players: [Int32: any Player] = [:]
  var policies: Set<Int32> = []
  var visits: [VisitKey: Int] = [:]
  /// The request that the next visit of a controller belongs to.
  var expected: [Int32: Int] = [:]
  var made: Set<Int> = []
  /// The messages that the model has ignored, so that no answer to them comes.
  var ignored: Set<Int> = []
  var calls = OpenCalls()
  /// What was asked for in the handling of each message.
  var asked: [Int: [ReplayQuestion.Key]] = [:]
  /// The messages in whose handling something was asked for, in their order.
  var askingOrder: [Int] = []
  /// The messages of which what was asked for in their handling has been answered.
  var answered: Set<Int> = []
  /// Whether a track has moved since a message was told.
  var hasMoved = false
  /// The message that is being told, until its event is made.
  var telling: Scenario.Message?
  private var invariants = InvariantWatch()
  /// The messages by the numbers of their events.
  var told: [Int64: Int] = [:]
  var bound: Set<Int32> = []
  var steps: [WaitingStep] = []
  var stepCounts: [Step.Deferred: Int] = [:]
  var touching: Set<Int32> = []
  /// Whether the run has ended.
  public internal(set) var isFinished = false
  /// Whether it was ended although something could still come.
  var isCutShort = false

  /// A deferred step of a controller.
  struct WaitingStep {
    let id: Step.Deferred
    let delay: Int64
    /// When it runs on the clock that a test moves.
    let due: Int64
    let step: ReplayScheduler.Step
  }

  /// How long a step takes, in microseconds.
  static let stepTime: Int64 = 1_000
  /// The number of events after which a run is taken for endless.
  var mostEvents = 20_000

  /// A run at its beginning.
  ///
  /// - Throws: a `RegistryError` if there is no controller of a name, or what its factory throws.
  public convenience init(
    _ scenario: Scenario, registry: ControllerRegistry = ControllerRegistry()
  ) throws {
    var plan = try ScenarioPlan(scenario, registry)
    plan.isGrowing = true
    try self.init(plan)
  }

  init(_ plan: ScenarioPlan) throws {
    self.plan = plan
    scenario = plan.scenario
    controllers = plan.records
    courses = scenario.requests.map(Course.init)
    log = PlayedLog(
      session: 1, controllers: plan.records, names: [:], inserted: plan.names, firstSeq: 1,
      keepsDetails: true)
    var snapshots = scenario.controllers.map(\.snapshot)
    for (place, part) in plan.parts.enumerated() {
      let player = try part.player(snapshots[place], in: self)
      players[part.record.id] = player
      if case .policy = part.entry { policies.insert(part.record.id) }
      // A new model begins with its own value.
      guard let track = player?.track else { continue }
      snapshots[place] = SnapshotRecord(track)
      controllers[place].discipline = track.discipline.rawValue
      controllers[place].snapshot = snapshots[place].text
    }
    if controllers != plan.records {
      log = PlayedLog(
        session: 1, controllers: controllers, names: [:], inserted: plan.names, firstSeq: 1,
        keepsDetails: true)
    }
    for (controller, snapshot) in zip(controllers, snapshots) { begin(controller.id, snapshot) }
    log.flush()
    judge(.always)
  }

  /// Whether any condition has to hold whenever nothing is under way.
  var hasConditionsAtRest: Bool {
    players.values.contains { $0.invariants.contains { $0.moment == .atRest } }
  }

  /// Looks at the conditions that have to hold now.
  func judge(_ moment: Invariant.Moment) {
    let notice = invariants.look(moment, of: players) { log.count }
    invariants.remember(notice)
    for one in notice.broken { log.noteBroken(one.name, of: one.controller) }
    if let doubt = notice.doubt, !doubts.contains(doubt) { doubts.append(doubt) }
  }

  deinit {
    // A model may live longer, and report something when the run is gone.
    for player in players.values { player.leave() }
  }

  private func begin(_ id: Int32, _ snapshot: SnapshotRecord) {
    log.note(.attached, of: id, number: numbering.next(), at: now)
    log.note(snapshot, of: id, numbering, at: now)
    players[id]?.enter()
    let open = snapshot.waiting + snapshot.standing
    for one in open {
      guard let place = plan.place(ofStanding: one.visit, id) else { continue }
      courses[place].visit = one.visit
      visits[VisitKey(controller: id, visit: one.visit)] = place
      made.insert(scenario.requests[place].id)
      let phase = one.phase.flatMap(Phase.init) ?? .empty
      if phase == .exited {
        courses[place].reached.insert(.exited)
        courses[place].complete(.exited)
      }
      for kind in RecordedPast.past(phase) { recall(kind, place, isLast: kind == Self.last(phase)) }
    }
  }

  private static func last(_ phase: Phase) -> EventKind? { RecordedPast.past(phase).last }

  /// Notes what happened before the beginning.
  ///
  /// The state may still answer what it was told last.
  private func recall(_ kind: EventKind, _ place: Int, isLast: Bool) {
    courses[place].reached.insert(kind)
    switch kind {
    case .entering, .exiting:
      let completion: Completion = kind == .entering ? .entered : .exited
      var request = scenario.requests[place]
      if request.enters == .atOnce { request.enters = .later }
      if request.exits == .atOnce { request.exits = .later }
      _ = courses[place].beTold(completion, request, isPolicy: false)
      if !isLast { courses[place].complete(completion) }
    case .entered: courses[place].complete(.entered)
    default: break
    }
  }
}
