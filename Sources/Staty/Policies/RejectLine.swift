/// A request that is made during a transition is rejected.
///
/// Promise: a request enters if no transition was in progress when it was made. Otherwise it is
/// discarded as `rejected`.
public struct RejectLine: WaitingLine {
  private var slot: Request?

  /// Creates a line without pending requests.
  public init() {}

  public static var name: StateName { "reject" }

  public mutating func admit(_ request: Request, behind stage: Stage) -> Admission {
    guard slot == nil, !stage.isMoving else { return .refused(.rejected(.busy)) }
    slot = request
    return .waits
  }

  public mutating func next() -> Request? { slot.take() }

  public mutating func remove(_ visit: VisitNumber) -> Request? {
    slot?.visit == visit ? slot.take() : nil
  }

  public var isEmpty: Bool { slot == nil }
  public func predecessor(of request: Request) -> Request? { slot }
  public var requests: [Request] { slot.map { [$0] } ?? [] }
  public mutating func restore(_ request: Request) { slot = request }
}

/// The policy of a ``RejectLine``.
public typealias RejectPolicy = StagedPolicy<RejectLine>

extension TransitionPolicy where Self == RejectPolicy {
  /// A request that is made during a transition is rejected.
  public static var reject: RejectPolicy { RejectPolicy() }
}
