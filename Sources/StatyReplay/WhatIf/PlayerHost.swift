import Staty
import StatyHistory

/// The run in which players play: it is told what happens at their controllers, and says what happens
/// because of it.
protocol PlayerHost: AnyObject {
  /// The numbers that all events are drawn from.
  var numbering: Numbering { get }
  /// Microseconds since the beginning.
  var now: Int64 { get }
  /// Whether it has gone too far.
  var isGivenUp: Bool { get }

  /// The visit that a request has become; `nil` if it was not made.
  ///
  /// - Parameter recorded: the number by which the request's ``Ask`` calls the visit.
  func number(_ recorded: UInt32, of controller: Int32) -> UInt32?
  /// A request becomes this visit.
  func begins(_ visit: UInt32, of controller: Int32, _ state: StateName)
  /// A controller's observer was told something.
  func observed(_ event: borrowing TransitionEvent, _ controller: Int32)
  /// Observers hear of an input of a visit, about which the controller has done nothing yet.
  func heard(_ kind: EventKind, of visit: UInt32, _ controller: Int32)
  /// Something happened to a visit: what hangs on it comes now, or later.
  func happened(_ kind: EventKind, to visit: UInt32, of controller: Int32)
  /// A controller puts a step off for so many microseconds.
  func putOff(_ step: ReplayScheduler.Step, for delay: Int64, of controller: Int32)
  /// A controller goes on and on.
  func runsAway(_ controller: Int32)
}

extension PlayerHost {
  func heard(_ kind: EventKind, of visit: UInt32, _ controller: Int32) {}
}
