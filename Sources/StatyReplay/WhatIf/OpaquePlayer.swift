import Staty
import StatyHistory

/// An app's own controller, run again with scripted states.
final class OpaquePlayer: Player {
  private let id: Int32
  private let snapshot: SnapshotRecord
  private let context: ReplayContext
  private let subject: ReplaySubject
  private unowned let run: any PlayerHost
  private var cast = ScriptedCast()
  /// What is being handled, the innermost last.
  private var depth = 0
  private var isGone = false
  /// What a state is called that is being asked for.
  private var asking: StateName?
  private let witness = Witness()
  /// The messages that were received, by their recorded numbers, for those that answer them.
  private var origins: [Int64: MessageOrigin] = [:]
  /// The recorded number of the message that is being told, and the number that it has here.
  private var told: (seq: Int64, number: UInt64) = (0, 0)

  /// Keeps the probe's events observed, or they would have no numbers, and stands for observers that make
  /// requests when they hear of an input.
  private final class Witness: TransitionObserver {
    weak var player: OpaquePlayer?

    func observe(_ event: borrowing TransitionEvent) {
      guard let player, let visit = event.visit, event.kind.side == .input else { return }
      player.run.heard(event.kind, of: visit.rawValue, player.id)
    }
  }

  /// So many handlings inside each other are too much.
  private static let deepest = 1_000

  init(
    _ part: Cast.Part, _ factory: ControllerRegistry.Factory, _ snapshot: SnapshotRecord,
    _ run: any PlayerHost
  ) throws {
    guard part.record.begins(at: snapshot) else { throw PlayerError.lateAttachment }
    id = part.record.id
    self.snapshot = snapshot
    self.run = run
    let probe = ControllerProbe(
      StateName(part.name), discipline: part.discipline,
      fidelity: part.playedFidelity, time: { [unowned run] in UInt64(max(run.now, 0)) &* 1_000 })
    probe.goOn(after: snapshot.lastVisit)
    context = ReplayContext(
      controller: part.record.name, probe: probe, clock: ReplayClock(),
      scheduler: ReplayScheduler())
    subject = try factory(context)
  }

  func enter() {
    let events = context.probe.events
    _ = events.share(run.numbering)
    witness.player = self
    events.add(witness)
    context.probe.follower = self
    context.scheduler.wait = { [weak self] in self?.wait($0, $1) }
    tick()
  }

  func ask(_ ask: Ask) {
    tick()
    asking = ask.state
    defer { asking = nil }
    guard let requests = subject.requests else { return }
    let object = cast.object(ask) { script in
      script.told = { [weak self] in self?.told($0) }
      return requests.makeState(script)
    }
    let origin = run.number(ask.origin, of: id).map { VisitNumber($0) }
    requests.request(
      object, ReplayRequest(priority: ask.priority, asked: ask.asked, origin: origin))
  }

  func receive(
    _ name: StateName, _ payload: String?, _ seq: Int64, answering origin: Int64
  ) -> UntoldMessage? {
    tick()
    let (call, why) = subject.telling(name, payload)
    guard let call else { return why }
    told = (seq, 0)
    MessageOrigin.$current.withValue(origins[origin], operation: call)
    return nil
  }

  func say(_ completion: Completion, _ visit: UInt32) {
    tick()
    cast.script(of: visit)?.complete(completion)
  }

  func cancel(_ cancellation: Cancellation) -> Bool {
    tick()
    let cancel = subject.cancelling(cancellation) { cast.object(of: $0.rawValue) }
    cancel?()
    return cancel != nil
  }

  // What a policy is told by its driver, an app's own controller sees to by itself.
  func pass(_ visit: UInt32, _ awaited: Completion, _ recovery: DeadlineRecovery) {}
  func resume() {}

  func leave() {
    isGone = true
    context.probe.follower = nil
    context.probe.events.remove(witness)
  }

  private func tick() { context.clock.now = .microseconds(run.now) }

  /// A step waits for its time.
  private func wait(_ delay: Duration, _ step: ReplayScheduler.Step) {
    let (seconds, attoseconds) = delay.components
    let asked = min(max(seconds, 0), 1 << 32) * 1_000_000 + attoseconds / 1_000_000_000_000
    step.prepare = { [weak self] in
      guard let self, !isGone else { return false }
      tick()
      return true
    }
    run.putOff(step, for: max(asked, 0), of: id)
  }

  /// The controller called a state: what hangs on that comes before the call returns.
  private func told(_ script: ReplayState) {
    guard !isGone else { return }
    let kind: EventKind = script.order == .entered ? .entering : .exiting
    guard let visit = cast.visit(script, told: kind) else { return }
    run.happened(kind, to: visit, of: id)
  }
}

extension OpaquePlayer: ProbeFollower {
  var requestedName: StateName? { asking }

  func made(_ event: TransitionEvent, about object: AnyObject?) -> Bool {
    depth += 1
    if depth > Self.deepest { run.runsAway(id) }
    if event.kind == .received, told.number == 0 { told.number = event.number }
    if event.kind == .enqueued, let visit = event.visit?.rawValue {
      asking = nil
      run.begins(visit, of: id, event.state ?? "?")
    }
    if let visit = event.visit, let object {
      cast.note(event.kind, visit.rawValue, about: object)
    }
    run.observed(event, id)
    return !run.isGivenUp
  }

  func finished(_ event: TransitionEvent) {
    depth -= 1
    if event.kind == .received, event.number == told.number { origins[told.seq] = .current }
    guard let visit = event.visit, event.kind != .entering, event.kind != .exiting else { return }
    run.happened(event.kind, to: visit.rawValue, of: id)
  }
}

/// The state objects that an opaque controller was given.
private struct ScriptedCast {
  private struct Member {
    let object: AnyObject
    let script: ReplayState
    /// The visits that were told to come in and to leave last, and the one asked for last.
    var visits: [EventKind: UInt32] = [:]
  }

  private var members: [ObjectIdentifier: Member] = [:]
  private var objects: [UInt32: ObjectIdentifier] = [:]
  /// The objects that scripts play; both live as long as their member.
  private var played: [ObjectIdentifier: ObjectIdentifier] = [:]
  private var scripts: [UInt32: ReplayState] = [:]

  /// The object that a request is about: one for each that was recorded.
  mutating func object(_ ask: Ask, make: (ReplayState) -> AnyObject) -> AnyObject {
    if ask.instance != 0, let known = objects[ask.instance].flatMap({ members[$0] }) {
      return known.object
    }
    let script = ReplayState(name: ask.state, payload: ask.payload)
    let object = make(script)
    members[ObjectIdentifier(object)] = Member(object: object, script: script)
    played[ObjectIdentifier(script)] = ObjectIdentifier(object)
    if ask.instance != 0 { objects[ask.instance] = ObjectIdentifier(object) }
    return object
  }

  mutating func note(_ kind: EventKind, _ visit: UInt32, about object: AnyObject) {
    let key = ObjectIdentifier(object)
    guard let script = members[key]?.script else { return }
    scripts[visit] = script
    members[key]?.visits[kind] = visit
  }

  func script(of visit: UInt32) -> ReplayState? { scripts[visit] }

  func object(of visit: UInt32) -> AnyObject? {
    scripts[visit].flatMap { played[ObjectIdentifier($0)] }.flatMap { members[$0]?.object }
  }

  /// The visit that a state's call is about, as far as the controller reported.
  func visit(_ script: ReplayState, told kind: EventKind) -> UInt32? {
    let member = played[ObjectIdentifier(script)].flatMap { members[$0] }
    return member?.visits[kind] ?? member?.visits[.enqueued]
  }
}
