/// Nobody waits during a move: busy means no.
///
/// Promise: a request is carried out if no move was under way when it was made, and is discarded
/// as rejected otherwise.
public struct RejectLine: WaitingLine {
  private var slot: Request?

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

/// See ``RejectLine``.
public typealias RejectPolicy = StagedPolicy<RejectLine>

extension TransitionPolicy where Self == RejectPolicy {
  /// Nobody waits: a request made during a move is rejected.
  public static var reject: RejectPolicy { RejectPolicy() }
}
