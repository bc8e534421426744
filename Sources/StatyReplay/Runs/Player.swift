import Staty
import StatyHistory

/// A controller of a run, whatever it is made of.
protocol Player: AnyObject {
  /// The current snapshot of a track; `nil` for a controller.
  var track: ControllerSnapshot? { get }
  /// What it has asked stand-ins for.
  var questions: [ReplayQuestion] { get }
  /// What of that has not been answered.
  var awaited: [ReplayQuestion] { get }
  /// The conditions that have to hold for it.
  var invariants: [Invariant] { get }
  /// Whether a state that it has made itself was told something and has not reported.
  var awaitsOwnState: Bool { get }
  /// What it shows, as far as it can be compared; `nil` if that is not known.
  var display: Display? { get }
  /// Whether it shows more than a name, and that cannot be compared.
  var hidesValue: Bool { get }
  /// Attaches the controller, in the condition that its snapshot says.
  func enter()
  /// Requests a state; returns whether the controller has a way to be asked.
  @discardableResult
  func request(_ input: RequestInput) -> Bool
  /// Reports that the state of a visit has entered or exited, and whether this was done to the end.
  func complete(_ completion: Completion, _ visit: UInt32, isFinished: Bool)
  /// Tells the message that was recorded under this number; returns the reason if it cannot be
  /// told.
  ///
  /// - Parameter origin: the recorded number of the message that it answers; 0 if that is not
  ///   known.
  func receive(
    _ name: StateName, _ payload: String?, _ seq: Int64, answering origin: Int64
  ) -> UntoldMessage?
  /// Cancels; `false` if the controller has no way to cancel.
  func cancel(_ cancellation: Cancellation) -> Bool
  /// Reports that a visit exceeded its deadline.
  func pass(_ visit: UInt32, _ awaited: Completion, _ recovery: DeadlineRecovery)
  /// Reports that the view that states are shown on is bound.
  func resume()
  /// Detaches the controller; its later events are ignored.
  func leave()
}

/// A policy, run by the driver that runs it in an app.
final class PolicyPlayer: Player {
  private let id: Int32
  private let snapshot: SnapshotRecord
  private let driver: TransitionDriver
  private let stage: ScriptedStage
  private unowned let run: ScheduleRun
  /// The first visits of objects, by their recorded numbers.
  private var instances: [UInt32: VisitNumber] = [:]

  init(
    _ id: Int32, _ make: (PolicySnapshot) -> PolicySubject, _ snapshot: SnapshotRecord,
    _ run: ScheduleRun
  ) {
    self.id = id
    self.snapshot = snapshot
    self.run = run
    stage = ScriptedStage(id, run)
    driver = Self.drive(make(PolicySnapshot(snapshot)).policy, on: stage)
  }

  private static func drive(
    _ policy: some TransitionPolicy, on stage: ScriptedStage
  ) -> TransitionDriver {
    TransitionDriver(policy: policy, performer: stage, isolation: nil)
  }

  var track: ControllerSnapshot? { nil }
  var questions: [ReplayQuestion] { [] }
  var awaited: [ReplayQuestion] { [] }
  var invariants: [Invariant] { [] }
  var awaitsOwnState: Bool { false }
  var display: Display? { nil }
  var hidesValue: Bool { false }

  func enter() {
    _ = driver.events.share(run.numbering)
    driver.events.add(stage)
    var standing = ControllerSnapshot(policy: "?", standing: PolicySnapshot(snapshot))
    standing.lastVisit = snapshot.lastVisit
    for request in snapshot.standing + snapshot.waiting {
      let first = VisitNumber(request.instance ?? request.visit)
      standing.instances[VisitNumber(request.visit)] = first
      instances[first.rawValue] = first
    }
    for visit in driver.goOn(from: standing) { stage.handles[visit.number.rawValue] = visit }
  }

  func request(_ input: RequestInput) -> Bool {
    let number = driver.nextVisit
    var parts = TransitionDriver.RequestParts(
      state: input.state, site: .init(file: #fileID, line: #line))
    parts.priority = input.priority
    parts.equality = input.equality
    parts.answers = input.answers
    parts.objection = input.objection
    parts.asked = input.asked
    parts.origin = run.number(input.origin, of: id).map { VisitNumber($0) }
    if input.instance != 0 {
      parts.instance = instances[input.instance] ?? number
      instances[input.instance] = parts.instance
    }
    run.begins(number.rawValue, of: id, input.state)
    _ = driver.request(parts)
    return true
  }

  // No policy is told whether it was done to the end.
  func complete(_ completion: Completion, _ visit: UInt32, isFinished: Bool) {
    guard let handle = stage.handles[visit] else { return }
    switch completion {
    case .entered: handle.entered()
    case .exited: handle.exited()
    }
  }

  // No policy receives messages.
  func receive(
    _ name: StateName, _ payload: String?, _ seq: Int64, answering origin: Int64
  ) -> UntoldMessage? { .unknown }

  func cancel(_ cancellation: Cancellation) -> Bool {
    driver.cancel(cancellation)
    return true
  }

  func pass(_ visit: UInt32, _ awaited: Completion, _ recovery: DeadlineRecovery) {
    driver.pass(VisitNumber(visit), awaited, recovery)
  }

  func resume() { driver.resume() }

  func leave() { driver.events.remove(stage) }
}

/// Plays the states of a policy: what depends on a call to a state happens inside that call.
private final class ScriptedStage: StagePerformer, TransitionObserver {
  private let id: Int32
  private unowned let run: ScheduleRun
  /// The handles that report completions, for visits with a state that was told something.
  var handles: [UInt32: Visit] = [:]

  init(_ id: Int32, _ run: ScheduleRun) {
    self.id = id
    self.run = run
  }

  func hold() -> Bool { true }
  func letGo() {}
  func forget(_ slot: Int32) {}

  func enter(_ visit: Visit) -> Bool { tell(.entering, visit) }
  func exit(_ visit: Visit) -> Bool { tell(.exiting, visit) }

  private func tell(_ kind: EventKind, _ visit: Visit) -> Bool {
    handles[visit.number.rawValue] = visit
    run.happened(kind, to: visit.number.rawValue, of: id)
    return true
  }

  func observe(_ event: borrowing TransitionEvent) {
    run.observed(event, id)
    guard let visit = event.visit, event.kind != .entering, event.kind != .exiting else { return }
    run.happened(event.kind, to: visit.rawValue, of: id)
  }
}
