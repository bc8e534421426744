/// Something that happens to the state that a test has asked for.
public struct TestMoment: Hashable, Sendable {
  let kind: TransitionEvent.Kind
  let request: Int
  /// Why it was discarded, if that is to be compared.
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

  /// The controller tells the state to come in.
  public static func entering(_ request: TestRequest) -> TestMoment { .init(.entering, request) }
  /// The state says that it is in.
  public static func entered(_ request: TestRequest) -> TestMoment { .init(.entered, request) }
  /// The controller tells the state to leave.
  public static func exiting(_ request: TestRequest) -> TestMoment { .init(.exiting, request) }
  /// The state says that it is out.
  public static func exited(_ request: TestRequest) -> TestMoment { .init(.exited, request) }

  /// The controller will not show the state, or no longer waits for it.
  ///
  /// - Parameter reason: why: `rejected`, `replaced`, `coalesced`, `cancelled`, `timed-out` or
  ///   `torn-down`; if it is not said, any.
  public static func discarded(_ request: TestRequest, _ reason: String? = nil) -> TestMoment {
    .init(.discarded, request, reason)
  }

  static let kinds: Set<TransitionEvent.Kind> = [
    .entering, .entered, .exiting, .exited, .discarded,
  ]
}
