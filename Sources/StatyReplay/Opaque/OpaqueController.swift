import Staty
import StatyHistory

/// One controller of a recording that is run again, with the states that are played to it.
final class OpaqueController {
  let id: Int32
  /// What of the controller can be compared.
  let comparability: Comparability
  let context: ReplayContext
  let subject: ReplaySubject
  /// Whether its recorded events say in which call they happened.
  var isPlaced = true
  /// What lies around the delivery that its observers receive now.
  var delivery = EventPlace.root
  /// Whether it did something in another call than in the recording.
  var hasMoved = false
  /// What it did while one of its own inputs is expected next.
  ///
  /// Either something else did that and was called without a bracket, or it is a divergence.
  var suspicion: Divergence.Difference?
  var follower: ReplayFollower?
  let cast = StateCast()

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
  /// The last snapshot that the controller reported.
  var standing: PolicySnapshot { context.probe.events.snapshot.standing }
}

extension RecordedEvent {
  /// The first visit of the object that was requested.
  var instance: UInt32 {
    guard let instance = detail?.instance, instance != 0 else { return row.visit }
    return instance
  }

  /// The recorded payload of the state, as text.
  var payload: String? {
    detail?.payload.map { String(decoding: $0, as: UTF8.self) }
  }
}
