import Staty
import StatyHistory

/// The run that players belong to: it is told of their events, and performs what depends on them.
protocol PlayerHost: AnyObject {
  /// The numbers that all events are drawn from.
  var numbering: Numbering { get }
  /// Microseconds since the beginning.
  var now: Int64 { get }
  /// Whether it was given up.
  var isGivenUp: Bool { get }

  /// The visit that a request has become; `nil` if it was not made.
  ///
  /// - Parameter recorded: the number of the visit in the request's ``Ask``.
  func number(_ recorded: UInt32, of controller: Int32) -> UInt32?
  /// A request becomes this visit.
  func begins(_ visit: UInt32, of controller: Int32, _ state: StateName)
  /// A controller's observer was told of an event.
  func observed(_ event: borrowing TransitionEvent, _ controller: Int32)
  /// Observers are told of an input of a visit that the controller has not handled yet.
  func heard(_ kind: EventKind, of visit: UInt32, _ controller: Int32)
  /// Something happened to a visit: what depends on it happens now, or later.
  func happened(_ kind: EventKind, to visit: UInt32, of controller: Int32)
  /// A controller defers a step for so many microseconds.
  func putOff(_ step: ReplayScheduler.Step, for delay: Int64, of controller: Int32)
  /// A controller runs without end.
  func runsAway(_ controller: Int32)
}

extension PlayerHost {
  func heard(_ kind: EventKind, of visit: UInt32, _ controller: Int32) {}
}
