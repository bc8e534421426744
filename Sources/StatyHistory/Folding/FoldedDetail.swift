import Staty

/// What a fold reads of an event's detail: plain numbers, because copying a whole detail would count
/// references for each event.
package struct FoldedDetail: Sendable {
  /// The visit that made the request; 0 if that is not known.
  package var origin: UInt32 = 0
  package var priority: Int32 = 0
  /// Whether it requests a state that may enter where no state is shown.
  package var isAnew = false
  /// Whether it requests a state that the user has gone to already, whatever the routes say.
  package var isPastRoutes = false
  /// Whether it requests a state that exits only when the user closes it.
  package var awaitsUser = false
  /// The first visit of the same object, if that is another; 0 if not.
  package var instance: UInt32 = 0
  /// For a visit that was open when recording began: the microseconds since its phase began.
  package var age: Int64 = 0
  /// Of a move: a hash of what the track shows; 0 if the app does not say.
  package var fingerprint: UInt32 = 0
  /// Of a message: the number of the name of the part that it is about; 0 for the whole.
  package var part: Int32 = 0
  /// Of a message: whether another model passed it on when the user sent that one a message.
  var isPassedOn = false

  package init() {}

  /// Sets what the answers of a request say besides its routes.
  package mutating func set(answers: UInt64) {
    isAnew = RouteTable.isAnew(answers)
    isPastRoutes = answers & RouteTable.pastRoutes != 0
    awaitsUser = answers & RouteTable.awaitsUser != 0
  }

  package init(_ detail: borrowing EventDetail) {
    origin = detail.origin
    priority = detail.priority
    set(answers: detail.answers)
    instance = detail.instance
    age = detail.age
    fingerprint = detail.equality ?? 0
    part = detail.asked
  }
}

extension RouteTable {
  /// The flags in the answers of a request that count as long as its visit is open.
  package static let flags = anew | pastRoutes | awaitsUser
}
