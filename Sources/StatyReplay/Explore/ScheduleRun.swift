import Staty
public import StatyHistory
public import StatyRules

/// Plays a scenario step by step, and knows which steps are possible next.
///
/// ```swift
/// let run = try ScheduleRun(scenario)
/// while let step = run.possible.first { run.take(step) }
/// run.finish()
/// print(run.violations)
/// ```
///
/// The controllers are real ones, as a what-if replay plays them; what happens is written down as a
/// recorder would have it, on a clock that goes on by a millisecond with each step.
public final class ScheduleRun {
  /// What is played.
  public let scenario: Scenario
  /// The steps that were taken.
  public private(set) var schedule: Schedule = []
  /// The controllers that each step had to do with, step by step.
  private(set) var touched: [Set<Int32>] = []
  let numbering = Numbering()
  private(set) var now: Int64 = 0
  private(set) var isGivenUp = false
  /// What stands in the way of a verdict.
  public private(set) var doubts: [ReplayResult.Doubt] = []
  private(set) var courses: [Course]
  private(set) var log: PlayedLog
  private let plan: ScenarioPlan
  private var players: [Int32: any Player] = [:]
  private var policies: Set<Int32> = []
  private var visits: [VisitKey: Int] = [:]
  /// The request that the next visit of a controller belongs to.
  private var expected: [Int32: Int] = [:]
  private var made: Set<Int> = []
  private var bound: Set<Int32> = []
  private var steps: [WaitingStep] = []
  private var stepCounts: [Step.PutOff: Int] = [:]
  private var touching: Set<Int32> = []
  public private(set) var isFinished = false

  private struct WaitingStep {
    let id: Step.PutOff
    let delay: Int64
    let step: ReplayScheduler.Step
  }

  /// How long a step takes, in microseconds.
  private static let stepTime: Int64 = 1_000
  /// So many events are too much.
  private static let mostEvents = 20_000

  /// A run at its beginning.
  ///
  /// - Throws: a `RegistryError` if there is no controller of a name, or what its factory throws.
  public convenience init(
    _ scenario: Scenario, registry: ControllerRegistry = ControllerRegistry()
  ) throws {
    try self.init(ScenarioPlan(scenario, registry))
  }

  init(_ plan: ScenarioPlan) throws {
    self.plan = plan
    scenario = plan.scenario
    courses = scenario.requests.map(Course.init)
    log = PlayedLog(
      session: 1, controllers: plan.records, names: [:], inserted: plan.names, firstSeq: 1,
      keepsDetails: true)
    for (controller, part) in zip(scenario.controllers, plan.parts) {
      let id = controller.id
      switch part.entry {
      case .policy(let make):
        policies.insert(id)
        players[id] = PolicyPlayer(id, make, controller.snapshot, self)
      case .opaque(let factory):
        players[id] = try OpaquePlayer(part, factory, controller.snapshot, self)
      case nil: break
      }
    }
    for controller in scenario.controllers { begin(controller) }
    log.flush()
  }

  private func begin(_ controller: Scenario.Controller) {
    let id = controller.id
    log.note(.attached, of: id, number: numbering.next(), at: now)
    players[id]?.enter()
    let open = controller.snapshot.waiting + controller.snapshot.standing
    for one in open {
      guard let place = plan.place(ofStanding: one.visit, id) else { continue }
      courses[place].visit = one.visit
      visits[VisitKey(controller: id, visit: one.visit)] = place
      made.insert(scenario.requests[place].id)
      let phase = one.phase.flatMap(Phase.init) ?? .empty
      if phase == .left {
        courses[place].reached.insert(.exited)
        courses[place].say(.exited)
      }
      for kind in RecordedPast.past(phase) { recall(kind, place, isLast: kind == Self.last(phase)) }
    }
  }

  private static func last(_ phase: Phase) -> EventKind? { RecordedPast.past(phase).last }

  /// What had happened before the beginning; what its state was told last it may still answer.
  private func recall(_ kind: EventKind, _ place: Int, isLast: Bool) {
    courses[place].reached.insert(kind)
    switch kind {
    case .entering, .exiting:
      let completion: Completion = kind == .entering ? .entered : .exited
      var request = scenario.requests[place]
      if request.enters == .atOnce { request.enters = .later }
      if request.exits == .atOnce { request.exits = .later }
      _ = courses[place].beTold(completion, request, isPolicy: false)
      if !isLast { courses[place].say(completion) }
    case .entered: courses[place].say(.entered)
    default: break
    }
  }
}

// MARK: Steps

extension ScheduleRun {
  /// The steps that can be taken now, always in the same order.
  ///
  /// What a state leaves unsaid is no step: a run can end where only steps are left that need not
  /// come.
  public var possible: [Step] {
    if isGivenUp || isFinished { return [] }
    var steps: [Step] = []
    for cue in plan.cues where canMake(cue) { steps.append(.make(cue.id)) }
    for (place, course) in courses.enumerated() where !course.owed.isEmpty {
      let id = scenario.requests[place].id
      for completion in [Completion.entered, .exited] where course.owed.contains(completion) {
        steps.append(.say(completion, id))
      }
    }
    for step in self.steps where canRun(step) { steps.append(.putOff(step.id)) }
    for one in scenario.controllers where one.snapshot.isWithholding && !bound.contains(one.id) {
      steps.append(.bind(one.id))
    }
    for (place, course) in courses.enumerated() where course.visit != nil {
      addOptional(course, scenario.requests[place], &steps)
    }
    return steps
  }

  private func addOptional(
    _ course: Course, _ request: Scenario.Request, _ steps: inout [Step]
  ) {
    let id = request.id
    if course.mayLeave(request) { steps.append(.leave(id)) }
    for completion in [Completion.entered, .exited] {
      if course.mayRepeat(completion) { steps.append(.repeat(completion, id)) }
      if plan.recovery(completion, request.controller) != nil, course.mayMiss(completion) {
        steps.append(.deadline(completion, id))
      }
    }
  }

  /// Whether a step need not come: the run may end without it.
  ///
  /// A deadline passes if nothing else happens.
  public func isOptional(_ step: Step) -> Bool {
    switch step {
    case .leave, .repeat: true
    case .say(let completion, let id):
      plan.place(of: id).map { courses[$0].optional.contains(completion) } ?? false
    case .make, .putOff, .bind, .deadline: false
    }
  }

  /// Whether everything has happened that must.
  public var isAtEnd: Bool { possible.allSatisfy(isOptional) }

  private func canMake(_ cue: ScenarioPlan.Cue) -> Bool {
    if made.contains(cue.id) || cue.isInside { return false }
    if let before = cue.before, !made.contains(before) { return false }
    if let target = cue.target {
      guard let visit = plan.place(of: target).map({ courses[$0] }), visit.visit != nil,
        !visit.isOver
      else { return false }
    }
    return cue.moment.map(hasHappened) ?? true
  }

  private func hasHappened(_ moment: Scenario.Moment) -> Bool {
    plan.place(of: moment.request).map { courses[$0].reached.contains(moment.kind) } ?? false
  }

  /// Of steps that wait at one controller none passes one that was put off earlier for no longer.
  private func canRun(_ step: WaitingStep) -> Bool {
    guard step.step.isWaiting else { return false }
    for other in steps {
      if other.id == step.id { return true }
      if other.step.isWaiting, other.id.controller == step.id.controller,
        other.delay <= step.delay
      {
        return false
      }
    }
    return true
  }

  /// Takes a step, and everything that happens because of it.
  ///
  /// - Returns: `false`, and nothing happens, if it is not possible now.
  @discardableResult
  public func take(_ step: Step) -> Bool {
    guard possible.contains(step) else { return false }
    takePossible(step)
    return true
  }

  /// Takes a step that is known to be possible.
  func takePossible(_ step: Step) {
    now += Self.stepTime
    schedule.append(step)
    touching = []
    switch step {
    case .make(let id): make(id)
    case .say(let completion, let id):
      if let place = plan.place(of: id) { say(completion, place) }
    case .leave(let id):
      if let place = plan.place(of: id) { say(.exited, place) }
    case .repeat(let completion, let id):
      guard let place = plan.place(of: id) else { break }
      courses[place].repeats.remove(completion)
      tell(completion, place)
    case .deadline(let completion, let id): pass(completion, id)
    case .bind(let controller):
      bound.insert(controller)
      touching.insert(controller)
      players[controller]?.resume()
    case .putOff(let id): run(id)
    }
    touched.append(touching)
    log.flush()
  }
}

// MARK: What happens

extension ScheduleRun {
  private func make(_ id: Int) {
    guard !isGivenUp, made.insert(id).inserted else { return }
    if let place = plan.place(of: id) { ask(place) } else { cancel(id) }
  }

  private func ask(_ place: Int) {
    let request = scenario.requests[place]
    touching.insert(request.controller)
    expected[request.controller] = place
    players[request.controller]?.ask(plan.asks[place])
    // An app's own controller may have made no request of it.
    expected[request.controller] = nil
  }

  private func cancel(_ id: Int) {
    guard let cancel = scenario.cancels.first(where: { $0.id == id }) else { return }
    touching.insert(cancel.controller)
    let extent: Cancellation
    switch cancel.extent {
    case .all: extent = .all
    case .tearDown: extent = .tearDown
    case .request(let request):
      guard let visit = plan.place(of: request).flatMap({ courses[$0].visit }) else { return }
      extent = .visit(VisitNumber(visit))
    }
    if players[cancel.controller]?.cancel(extent) == true { return }
    doubts.append(.cannotBeTold(controller: cancel.controller, seq: Int64(log.count)))
  }

  private func say(_ completion: Completion, _ place: Int) {
    courses[place].say(completion)
    tell(completion, place)
  }

  private func tell(_ completion: Completion, _ place: Int) {
    guard !isGivenUp, let visit = courses[place].visit else { return }
    let controller = scenario.requests[place].controller
    touching.insert(controller)
    players[controller]?.say(completion, visit)
  }

  private func pass(_ completion: Completion, _ id: Int) {
    guard let place = plan.place(of: id), let visit = courses[place].visit else { return }
    let controller = scenario.requests[place].controller
    guard let recovery = plan.recovery(completion, controller) else { return }
    courses[place].passed.insert(completion)
    touching.insert(controller)
    players[controller]?.pass(visit, completion, recovery)
  }

  private func run(_ id: Step.PutOff) {
    guard let place = steps.firstIndex(where: { $0.id == id }) else { return }
    touching.insert(id.controller)
    steps.remove(at: place).step.run()
  }
}

extension ScheduleRun: PlayerHost {
  func number(_ recorded: UInt32, of controller: Int32) -> UInt32? {
    recorded == 0 ? nil : plan.place(of: Int(recorded)).flatMap { courses[$0].visit }
  }

  func begins(_ visit: UInt32, of controller: Int32, _ state: StateName) {
    guard let place = expected.removeValue(forKey: controller) else { return }
    courses[place].visit = visit
    visits[VisitKey(controller: controller, visit: visit)] = place
  }

  func observed(_ event: borrowing TransitionEvent, _ controller: Int32) {
    touching.insert(controller)
    let visit = event.visit?.rawValue ?? 0
    let place = visits[VisitKey(controller: controller, visit: visit)]
    if let place { courses[place].reached.insert(event.kind) }
    let request = place.map { scenario.requests[$0] }
    log.note(
      event, of: controller, recorded: request.map { UInt32($0.id) }, at: now,
      asking: (
        request?.origin.flatMap { number(UInt32($0), of: controller) } ?? 0, request?.payload
      ))
    if log.count > Self.mostEvents { runsAway(controller) }
  }

  func happened(_ kind: EventKind, to visit: UInt32, of controller: Int32) {
    guard !isGivenUp, Moment.isOne(kind),
      let place = visits[VisitKey(controller: controller, visit: visit)]
    else { return }
    courses[place].reached.insert(kind)
    let request = scenario.requests[place]
    let inside = plan.inside[Scenario.Moment(kind, request.id)]
    for id in inside?.before ?? [] { make(id) }
    if kind == .entering || kind == .exiting {
      let completion: Completion = kind == .entering ? .entered : .exited
      let isPolicy = policies.contains(controller)
      if courses[place].beTold(completion, request, isPolicy: isPolicy) { say(completion, place) }
    }
    for id in inside?.after ?? [] { make(id) }
  }

  func putOff(_ step: ReplayScheduler.Step, for delay: Int64, of controller: Int32) {
    let moment = log.moment(numbering.handled)
    var id = Step.PutOff(
      controller: controller, kind: moment?.kind, request: Int(moment?.visit ?? 0), number: 0)
    let count = stepCounts[id, default: 0]
    stepCounts[id] = count + 1
    id.number = count
    steps.append(WaitingStep(id: id, delay: delay, step: step))
  }

  func runsAway(_ controller: Int32) {
    guard !isGivenUp else { return }
    isGivenUp = true
    doubts.append(.runaway(controller: controller, seq: Int64(log.count)))
  }
}

// MARK: The end

extension ScheduleRun {
  /// Ends the run: nothing comes any more, however long anybody waits.
  public func finish() {
    guard !isFinished else { return }
    isFinished = true
    // Longer than any rule is patient.
    now += CheckOptions().patience + 1_000_000
    for controller in scenario.controllers {
      players[controller.id]?.leave()
      log.note(.detached, of: controller.id, number: numbering.next(), at: now)
    }
    log.flush()
  }

  /// What the rules say: of what has happened for certain, and once it is finished of the end.
  public var findings: [Finding] {
    isFinished ? log.allFindings(end: now, isOver: true) { _ in true } : log.certain.sorted()
  }

  /// The findings that the controllers answer for.
  ///
  /// That a state was silent is no fault of its controller, unless the controller lets others wait
  /// for it.
  public var violations: [Finding] {
    findings.filter { !isExcused($0) }
  }

  private func isExcused(_ finding: Finding) -> Bool {
    let completion: Completion
    switch finding.code {
    case .neverArrived: completion = .entered
    case .neverExited: completion = .exited
    default: return false
    }
    guard let place = visits[VisitKey(controller: finding.controller, visit: finding.visit)] else {
      return false
    }
    return courses[place].isSilent(completion)
      && !zip(courses, scenario.requests).contains {
        $0.isWaiting && $1.controller == finding.controller
      }
  }

  /// What happened, as a recorder would have it.
  public var events: [EventRow] { log.rows }
  /// What the events do not say in their rows.
  public var details: [EventDetail] { log.details }
  /// The names that the events use.
  public var names: [Int32: String] { log.names }
  /// The controllers as a file would have them.
  public var controllers: [ControllerRecord] { plan.records }

  /// The number of the visit that a request has become; `nil` if it was not made.
  public func visit(of request: Int) -> UInt32? {
    plan.place(of: request).flatMap { courses[$0].visit }
  }

  /// The request that a visit is of; `nil` if its controller asked for it by itself.
  public func request(of visit: UInt32, controller: Int32) -> Int? {
    visits[VisitKey(controller: controller, visit: visit)].map { scenario.requests[$0].id }
  }
}
