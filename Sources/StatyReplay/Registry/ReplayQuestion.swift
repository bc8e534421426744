/// A question that a subject has asked a stand-in.
public final class ReplayQuestion {
  /// What makes two questions the same.
  struct Key: Hashable, Sendable {
    let name: String
    /// The hash of the argument, which need not be Sendable and is never written anywhere.
    private let argument: Int

    init(_ name: String, _ argument: AnyHashable) {
      self.name = name
      self.argument = argument.hashValue
    }
  }

  let key: Key
  /// Whether answers to questions of this name come in their order.
  let isInOrder: Bool
  /// Whether a recorded answer to it may come.
  private(set) var isOpen = true
  /// Whether a recorded answer to it has come.
  var isAnswered = false

  init(_ name: String, _ argument: AnyHashable, isInOrder: Bool) {
    key = Key(name, argument)
    self.isInOrder = isInOrder
  }

  /// The subject does not wait for the answer any more, or has got another one.
  ///
  /// Call it in a stand-in whose question is cancelled, or that answers by itself: the recorded
  /// answer does not come then.
  public func close() { isOpen = false }
}
