import Staty
import StatyHistory

/// An app's own controller in a run.
final class OpaquePlayer: OpaqueController, Player {
  private unowned let run: ScheduleRun
  /// The depth of nested handlings.
  private var depth = 0
  private var isGone = false
  /// The name of the state that is being requested.
  private var askedName: StateName?
  /// The visits of states of its own that were told something and have not reported.
  private var ownAwaited: Set<UInt32> = []
  /// The received messages, by their recorded numbers, for the messages that answer them.
  private var origins: [Int64: MessageOrigin] = [:]
  /// The recorded number of the message that is being told, and its number in the replay.
  private var told: (seq: Int64, number: UInt64) = (0, 0)

  /// The limit of nested handlings.
  private static let deepest = 1_000

  init(
    _ part: Cast.Part, _ factory: ControllerRegistry.Factory, _ snapshot: SnapshotRecord,
    _ run: ScheduleRun
  ) throws {
    self.run = run
    try super.init(part, factory, snapshot, part.playedFidelity, on: run.thread)
  }

  var track: ControllerSnapshot? { context.track?.events.snapshot }

  var invariants: [Invariant] { subject.invariants }
  var questions: [ReplayQuestion] { context.questions }
  var awaited: [ReplayQuestion] { context.awaited }
  var awaitsOwnState: Bool { !ownAwaited.isEmpty }

  var display: Display? {
    subject.display?() ?? context.track?.lastShown.map { Display(value: $0, text: nil) }
  }

  var hidesValue: Bool { subject.display == nil && (context.track?.hidesValue ?? false) }

  func enter() {
    context.track?.isShowing = true
    follow(run.numbering, by: self)
    context.scheduler.wait = { [weak self] in self?.wait($0, $1) }
    tick()
  }

  func request(_ input: RequestInput) -> Bool {
    tick()
    askedName = input.state
    defer { askedName = nil }
    let call = requestCall(input, by: run.number(input.origin, of: id) ?? 0)
    if let call { run.thread.perform(of: id, call) }
    return call != nil
  }

  func receive(
    _ name: StateName, _ payload: String?, _ seq: Int64, answering origin: Int64
  ) -> UntoldMessage? {
    tick()
    let (call, why) = subject.telling(name, payload)
    guard let call else { return why }
    told = (seq, 0)
    // Other tracks of the model are not recorded.
    TrackDoor.shut { MessageOrigin.$current.withValue(origins[origin], operation: call) }
    return nil
  }

  func complete(_ completion: Completion, _ visit: UInt32, isFinished: Bool) {
    tick()
    run.thread.perform(of: id) {
      states[visit]?.script.complete(completion, isFinished: isFinished)
    }
  }

  func cancel(_ cancellation: Cancellation) -> Bool {
    tick()
    let cancel = cancelling(cancellation)
    if let cancel { run.thread.perform(of: id, cancel) }
    return cancel != nil
  }

  // A driver tells a policy of a deadline; an app's own controller handles deadlines itself.
  func pass(_ visit: UInt32, _ awaited: Completion, _ recovery: DeadlineRecovery) {}
  func resume() {}

  func leave() {
    isGone = true
    followNoMore()
    hearNoMore()
  }

  private func tick() { context.clock.now = .microseconds(run.now) }

  /// Lets a step wait for its time.
  private func wait(_ delay: Duration, _ step: ReplayScheduler.Step) {
    let asked = min(max(delay, .zero), .seconds(1 << 32)).inMicroseconds
    step.prepare = { [weak self] in
      guard let self, !isGone else { return false }
      tick()
      return true
    }
    run.deferred(step, for: asked, of: id)
  }

  /// The controller called a state: what depends on the call happens before it returns.
  override func told(_ script: ReplayState) {
    super.told(script)
    guard script.visit != 0 else { return }
    if holdsWeakly { run.giveUp(.heldWeakly(controller: id)) }
    run.happened(script.order == .entered ? .entering : .exiting, to: script.visit, of: id)
  }
}

extension OpaquePlayer: ProbeFollower, TransitionObserver {
  var requestedName: StateName? { askedName }

  func made(_ event: TransitionEvent, about object: AnyObject?) -> Bool {
    depth += 1
    if depth > Self.deepest { run.runsAway(id) }
    if event.kind == .received, told.number == 0 { told.number = event.number }
    if event.kind == .enqueued, let visit = event.visit?.rawValue {
      askedName = nil
      run.begins(visit, of: id, event.state ?? "?")
    }
    if let visit = event.visit, let object {
      states.note(event.kind, visit.rawValue, about: object)
    }
    if let visit = event.visit?.rawValue { noteOwn(event.kind, visit) }
    run.observed(event, id)
    return !run.isGivenUp
  }

  private func noteOwn(_ kind: EventKind, _ visit: UInt32) {
    switch kind {
    case .entering, .exiting:
      if states[visit] == nil, context.track == nil { ownAwaited.insert(visit) }
    case .entered, .exited, .discarded: ownAwaited.remove(visit)
    default: break
    }
  }

  /// It stands for observers that make requests when they are told of an input.
  func observe(_ event: borrowing TransitionEvent) {
    guard let visit = event.visit, event.kind.side == .input else { return }
    run.heard(event.kind, of: visit.rawValue, id)
  }

  func finished(_ event: TransitionEvent) {
    depth -= 1
    if event.kind == .received, event.number == told.number { origins[told.seq] = .current }
    if event.kind == .calling { run.returns(to: id) }
    guard let visit = event.visit, event.kind != .entering, event.kind != .exiting else { return }
    run.happened(event.kind, to: visit.rawValue, of: id)
  }
}
