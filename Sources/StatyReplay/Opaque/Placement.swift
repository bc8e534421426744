/// Where an input goes that was recorded inside the handling of another: told by somebody outside,
/// who has to be played, or made by the controller, which will make it again by itself.
///
/// The recording does not say which. A replay supposes the one, and when that cannot have been it
/// is begun anew with the other.
struct Placement {
  private static let most = 64
  /// The controllers that were seen to make inputs by themselves.
  private var makers: Set<Int32> = []
  /// The inputs that are told as soon as it is their turn, whatever is usually supposed.
  private var early: Set<Int64> = []
  /// The controllers that have any such.
  private(set) var guessed: Set<Int32> = []

  /// Whether the controller is waited for to make the input.
  func isAwaited(_ seq: Int64, of controller: Int32) -> Bool {
    makers.contains(controller) && !early.contains(seq)
  }

  /// Whether the input is told at the first place where it can be, in the midst of a handling.
  func isEarly(_ seq: Int64) -> Bool { early.contains(seq) }

  /// Whether any input is.
  var hasEarly: Bool { !early.isEmpty }

  /// From now on the controller is supposed to make inputs by itself.
  ///
  /// - Returns: whether that is news; without it, beginning anew would not help.
  mutating func await(_ controller: Int32) -> Bool {
    makers.insert(controller).inserted
  }

  /// From now on the input is supposed to be told early.
  ///
  /// - Returns: whether that is news.
  mutating func tellEarly(_ seq: Int64, of controller: Int32) -> Bool {
    guard early.count < Self.most, early.insert(seq).inserted else { return false }
    guessed.insert(controller)
    return true
  }
}
