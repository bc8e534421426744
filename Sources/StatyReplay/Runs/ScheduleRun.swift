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
/// The controllers are real ones. What happens is written as a recorder would write it, on a clock
/// that advances by a millisecond with each step, or on a recording's clock, which a chooser sets.
public final class ScheduleRun {
  /// What is played.
  public let scenario: Scenario
  /// The steps that were taken.
  public internal(set) var schedule: Schedule = []
  /// The same; a request that was made inside of a step follows it as a step of its own.
  var order: Schedule = []
  /// The requests, cancellations and messages to which something happened in the last step.
  var moved: [Int] = []
  /// The controllers that the last step had to do with.
  var touched: Set<Int32> = []
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
  /// The requests of the scenario, then those that controllers made by themselves on a clock.
  var requests: [Scenario.Request]
  private var places: [Int: Int]
  /// Whether an object is requested more than once.
  let sharesObjects: Bool
  /// What it has besides the scenario on a recording's clock; `nil` if it is played step by step.
  var recorded: RecordedClock?
  /// What is still to happen inside of moments.
  var inside: [Scenario.Moment: (before: [Step], after: [Step])]
  /// The number of the recorded event that is played; 0 if there is none.
  var seq: Int64 = 0
  /// The controllers as a file would have them.
  package private(set) var controllers: [ControllerRecord]
  var players: [Int32: any Player] = [:]
  var visits: [VisitKey: Int] = [:]
  /// The request that the next visit of a controller belongs to.
  var expected: [Int32: Int] = [:]
  var made: Set<Int> = []
  var calls = OpenCalls()
  var messages = ToldMessages()
  private var invariants = InvariantWatch()
  /// Whether any condition of an app's own was looked at.
  private(set) var hasConditions = false
  var bound: Set<Int32> = []
  var steps = DeferredSteps()
  var touching: Set<Int32> = []
  /// Whether the run has ended.
  public internal(set) var isFinished = false
  /// Whether it was ended although something could still come.
  var isCutShort = false

  /// How long a step takes, in microseconds.
  static let stepTime: Int64 = 1_000
  /// Above the numbers of a recording's requests.
  private static var firstOwn: Int { 1 << 29 }
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
    (requests, places) = (scenario.requests, plan.places)
    sharesObjects = requests.contains { $0.instance != nil }
    (recorded, inside) = (plan.clock, plan.inside)
    courses = scenario.requests.map(Course.init)
    log = plan.log
    // A long recording is not endless.
    mostEvents += 4 * scenario.recordedOrder.count
    if isOnClock { return }
    var snapshots = scenario.controllers.map(\.snapshot)
    for (place, part) in plan.parts.enumerated() {
      let player = try part.player(snapshots[place], in: self)
      players[part.record.id] = player
      // A new model begins with its own value.
      guard let track = player?.track else { continue }
      snapshots[place] = SnapshotRecord(track)
      controllers[place].discipline = track.discipline.rawValue
      controllers[place].snapshot = snapshots[place].text
    }
    if controllers != plan.records {
      log = PlayedLog(of: scenario, controllers)
    }
    for (controller, snapshot) in zip(controllers, snapshots) {
      begin(controller.id, snapshot, at: now)
    }
    log.flush()
    judge(.always)
  }

  /// Whether it is played on a recording's clock.
  var isOnClock: Bool { recorded != nil }

  /// Whether any condition has to hold whenever nothing is under way.
  var hasConditionsAtRest: Bool {
    players.values.contains { $0.invariants.contains { $0.moment == .atRest } }
  }

  /// Whether any condition has to hold only when nothing is under way, or at the end.
  package var hasConditionsOfRest: Bool {
    players.values.contains { $0.invariants.contains { $0.moment != .always } }
  }

  /// Looks at the conditions that have to hold now.
  func judge(_ moment: ConditionMoment) { judge(moment, of: players) }

  func judge(_ moment: ConditionMoment, of players: [Int32: any Player]) {
    if !hasConditions { hasConditions = players.values.contains { !$0.invariants.isEmpty } }
    let notice = invariants.look(moment, of: players) { log.count }
    for one in notice.broken { log.noteBroken(one.name, of: one.controller) }
    guard let doubt = notice.doubt, !doubts.contains(doubt) else { return }
    if isOnClock { giveUp(doubt) } else { doubts.append(doubt) }
  }

  /// The place of the request with this number in ``requests``.
  func place(of id: Int) -> Int? { places[id] }

  /// The place of a request that a controller makes by itself on a clock.
  func ownRequest(of controller: Int32, _ state: StateName) -> Int? {
    guard isOnClock else { return nil }
    if let id = recorded?.nextOwn(controller, state) { return places[id] }
    var request = Scenario.Request(Self.firstOwn + requests.count, state)
    request.controller = controller
    places[request.id] = requests.count
    requests.append(request)
    courses.append(Course(request))
    return requests.count - 1
  }

  deinit {
    // A model may live longer, and report something when the run is gone.
    for player in players.values { player.leave() }
  }

  func begin(_ id: Int32, _ snapshot: SnapshotRecord, at time: Int64) {
    log.note(.attached, of: id, number: numbering.next(), at: time)
    log.note(snapshot, of: id, numbering, at: time)
    players[id]?.enter()
    for one in snapshot.standing + snapshot.waiting {
      guard let place = plan.place(ofStanding: one.visit, id) else { continue }
      courses[place].visit = one.visit
      visits[VisitKey(controller: id, visit: one.visit)] = place
      made.insert(requests[place].id)
      let phase = one.phase.flatMap(Phase.init) ?? .empty
      if phase == .exited {
        courses[place].reached.insert(.exited)
        courses[place].complete(.exited)
      }
      let past = RecordedPast.past(phase)
      for kind in past { recall(kind, place, isLast: kind == past.last) }
    }
  }

  /// Notes what happened before the beginning.
  ///
  /// The state may still answer what it was told last.
  private func recall(_ kind: EventKind, _ place: Int, isLast: Bool) {
    courses[place].reached.insert(kind)
    switch kind {
    case .entering, .exiting:
      let completion: Completion = kind == .entering ? .entered : .exited
      var request = requests[place]
      if request.enters == .atOnce { request.enters = .later }
      if request.exits == .atOnce { request.exits = .later }
      _ = courses[place].beTold(completion, request, isPolicy: false)
      if !isLast { courses[place].complete(completion) }
    case .entered: courses[place].complete(.entered)
    default: break
    }
    recorded?.follow(kind, place, of: requests[place].controller)
    noteHappening(kind, place)
  }
}
