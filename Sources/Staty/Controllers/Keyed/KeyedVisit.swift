/// A visit of a keyed state, which the state uses to request the next state.
///
/// The state can keep it and make a request when a load has ended or a delay has passed. After the
/// state has exited, requests through this visit are rejected, even if the same state has entered
/// again: that is another visit.
public struct KeyedVisit<Key: StateKey, Data> {
  /// The visit's number in its controller.
  public let number: VisitNumber

  /// The state's controller; `nil` if it was released.
  public private(set) weak var controller: KeyedController<Key, Data>?

  init(_ number: VisitNumber, of controller: KeyedController<Key, Data>?) {
    self.number = number
    self.controller = controller
  }

  /// Whether the state has not exited yet.
  public var isOpen: Bool { controller?.isOpen(number) ?? false }

  /// Requests a state.
  ///
  /// Inside `enter` and `exit`, the request is pending until the current transition has ended.
  ///
  /// - Returns: the request; `nil` if the controller was released.
  @discardableResult
  public func transition(
    to key: Key, with data: Data? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyedRequest? {
    controller?.transition(to: key, with: data, origin: number, file: file, line: line)
  }
}

/// A request of a keyed controller.
public struct KeyedRequest: Hashable, Sendable {
  /// The request's visit.
  public let visit: VisitNumber

  /// Why the request was discarded at once; `nil` if it was not.
  ///
  /// `.rejected(.objection(.unknownState))` if no state has the key,
  /// `.rejected(.objection(.staleOrigin))` if the state that made the request has exited.
  public let discarded: DiscardReason?

  /// Whether the request is pending or was carried out.
  public var isAccepted: Bool { discarded == nil }
}
