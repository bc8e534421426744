/// Something that happens to a state that a test has requested.
public struct TestMoment: Hashable, Sendable {
  let kind: TransitionEvent.Kind
  let request: Int
  /// Why the visit was discarded; `nil` if the reason is not compared.
  var reason: String?

  private init(_ kind: TransitionEvent.Kind, _ request: TestRequest, _ reason: String? = nil) {
    self.kind = kind
    self.request = request.id
    self.reason = reason
  }

  init(_ kind: TransitionEvent.Kind, _ request: Int, _ reason: String?) {
    self.kind = kind
    self.request = request
    self.reason = reason
  }

  /// The controller tells the state to enter.
  public static func entering(_ request: TestRequest) -> TestMoment { .init(.entering, request) }
  /// The state reports that it has entered.
  public static func entered(_ request: TestRequest) -> TestMoment { .init(.entered, request) }
  /// The controller tells the state to exit.
  public static func exiting(_ request: TestRequest) -> TestMoment { .init(.exiting, request) }
  /// The state reports that it has exited.
  public static func exited(_ request: TestRequest) -> TestMoment { .init(.exited, request) }

  /// The controller will not show the state, or no longer waits for its completion.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - reason: `rejected`, `replaced`, `coalesced`, `cancelled`, `timed-out` or `torn-down`;
  ///     `nil` for any reason.
  public static func discarded(_ request: TestRequest, _ reason: String? = nil) -> TestMoment {
    .init(.discarded, request, reason)
  }

  static let kinds: Set<TransitionEvent.Kind> = [
    .entering, .entered, .exiting, .exited, .discarded,
  ]
}
