/// One coming in of a keyed state, and its way of asking for the next.
///
/// A state may keep it for as long as it likes, and ask when a load has ended or a delay has
/// passed. Once the state has left, what it asks for through this visit is rejected, also when the
/// same state has come in again meanwhile: that is another visit.
public struct KeyedVisit<Key: StateKey, Data> {
  /// The visit's number in its controller.
  public let number: VisitNumber

  /// The state's controller, unless it has gone.
  public private(set) weak var controller: KeyedController<Key, Data>?

  init(_ number: VisitNumber, of controller: KeyedController<Key, Data>?) {
    self.number = number
    self.controller = controller
  }

  /// Whether the state has not left since.
  public var isOpen: Bool { controller?.isOpen(number) ?? false }

  /// Asks for a state.
  ///
  /// Inside `enter` and `leave` this waits until the move in hand is over.
  ///
  /// - Returns: what has become of the request so far; `nil` if the controller has gone.
  @discardableResult
  public func transition(
    to key: Key, with data: Data? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyedRequest? {
    controller?.transition(to: key, with: data, origin: number, file: file, line: line)
  }
}

/// A request made of a keyed controller.
public struct KeyedRequest: Hashable, Sendable {
  /// The visit that the request has become.
  public let visit: VisitNumber

  /// Why it will not be carried out, if that was known when it was made.
  ///
  /// `.rejected(.objection(.unknownState))` if no state has the key,
  /// `.rejected(.objection(.staleOrigin))` if the state that asked has left.
  public let discarded: DiscardReason?

  /// Whether it waits or has been carried out.
  public var isAccepted: Bool { discarded == nil }
}
