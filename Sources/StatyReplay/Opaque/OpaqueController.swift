import Staty
import StatyHistory

/// One controller of a recording that is run again, with the states that are played to it.
final class OpaqueController {
  let id: Int32
  /// What of it can be compared.
  let comparability: Comparability
  let context: ReplayContext
  let subject: ReplaySubject
  /// Whether its recorded events say where they happened.
  var isPlaced = true
  /// What lies around what its observers are being told.
  var delivery = EventPlace.root
  /// Whether it did something in another call than it was recorded in.
  var hasMoved = false
  /// What it did while an input of its own comes next: either that was not its own, and something was
  /// called without a bracket, or this was too much.
  var suspicion: Divergence.Difference?
  var follower: ReplayFollower?
  private var cast = StateCast()

  /// Makes the controller.
  ///
  /// - Throws: what its factory throws.
  init(
    _ record: ControllerRecord, _ snapshot: SnapshotRecord, _ context: ReplayContext,
    _ factory: ControllerRegistry.Factory
  ) throws {
    id = record.id
    comparability = record.comparability
    self.context = context
    context.probe.goOn(after: snapshot.lastVisit)
    subject = try factory(context)
  }

  /// Whether an event of this kind is something that the controller decided.
  func isOutput(_ kind: EventKind) -> Bool { comparability.isDecision(kind) }
}

extension OpaqueController {
  /// Where the controller stands, as far as it reported.
  var standing: PolicySnapshot { context.probe.events.snapshot.standing }
}

// MARK: States

extension OpaqueController {
  /// The state object that was asked for in this event, and its script.
  func asked(
    _ event: RecordedEvent, _ name: StateName, _ requests: ReplaySubject.Requests,
    told: @escaping () -> Void
  ) -> AnyObject {
    let instance = event.instance
    if let known = cast.member(instance) {
      cast.note(event.row.visit, of: instance)
      return known.object
    }
    let script = ReplayState(name: name, payload: event.payload)
    script.told = { _ in told() }
    let object = requests.makeState(script)
    cast.add(.init(object: object, script: script), instance: instance)
    cast.note(event.row.visit, of: instance)
    return object
  }

  /// The controller asked for a state object by itself, as it did when the event was recorded.
  func noteOwnRequest(_ event: RecordedEvent, about object: AnyObject?) {
    let instance = event.instance
    if cast.member(instance) == nil, let object, let known = cast.member(of: object) {
      cast.add(known, instance: instance)
    }
    if cast.member(instance) != nil { cast.note(event.row.visit, of: instance) }
  }

  /// The state object of a visit; none if it is one of the controller's own.
  func object(of visit: UInt32) -> AnyObject? { cast.member(ofVisit: visit)?.object }

  /// The script of a visit's state; none if the state is one of the controller's own.
  func script(of visit: UInt32) -> ReplayState? { cast.member(ofVisit: visit)?.script }
}

/// The state objects that a controller was given, by the numbers of the recording.
private struct StateCast {
  struct Member {
    let object: AnyObject
    let script: ReplayState
  }

  /// How many visits an object is remembered for after its last: late completions may come.
  private static let most: UInt32 = 1_024
  private var members: [UInt32: Member] = [:]
  private var instances: [UInt32: UInt32] = [:]
  private var lastVisits: [UInt32: UInt32] = [:]

  func member(_ instance: UInt32) -> Member? { members[instance] }
  func member(ofVisit visit: UInt32) -> Member? { instances[visit].flatMap { members[$0] } }

  func member(of object: AnyObject) -> Member? {
    members.values.first { $0.object === object }
  }

  mutating func add(_ member: Member, instance: UInt32) {
    members[instance] = member
  }

  mutating func note(_ visit: UInt32, of instance: UInt32) {
    instances[visit] = instance
    lastVisits[instance] = visit
    if instances.count > 4 * Int(Self.most) { forget(before: visit) }
  }

  private mutating func forget(before visit: UInt32) {
    let oldest = visit > Self.most ? visit - Self.most : 0
    instances = instances.filter { $0.key >= oldest }
    lastVisits = lastVisits.filter { $0.value >= oldest }
    members = members.filter { lastVisits[$0.key] != nil }
  }
}

extension RecordedEvent {
  /// The first visit of the object that was asked for.
  var instance: UInt32 {
    guard let instance = detail?.instance, instance != 0 else { return row.visit }
    return instance
  }

  /// What was recorded of the state beyond its name, as text.
  var payload: String? {
    detail?.payload.map { String(decoding: $0, as: UTF8.self) }
  }
}
