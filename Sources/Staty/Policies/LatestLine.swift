/// At most one request is pending: a newer request replaces an older one.
///
/// Promise: of the requests that are made during a transition, only the newest enters. The others
/// are discarded as `replaced`.
public struct LatestLine: WaitingLine {
  private var slot: Request?

  /// Creates a line without pending requests.
  public init() {}

  public static var name: StateName { "latest" }

  public mutating func admit(_ request: Request, behind stage: Stage) -> Admission {
    defer { slot = request }
    return slot.map { .replaces($0.visit) } ?? .waits
  }

  public mutating func next() -> Request? { slot.take() }

  public mutating func remove(_ visit: VisitNumber) -> Request? {
    slot?.visit == visit ? slot.take() : nil
  }

  public var isEmpty: Bool { slot == nil }
  public func predecessor(of request: Request) -> Request? { nil }
  public var requests: [Request] { slot.map { [$0] } ?? [] }
  public mutating func restore(_ request: Request) { slot = request }
}

/// The policy of a ``LatestLine``.
public typealias LatestPolicy = StagedPolicy<LatestLine>

extension TransitionPolicy where Self == LatestPolicy {
  /// At most one request is pending: a newer request replaces an older one.
  public static var latest: LatestPolicy { LatestPolicy() }
}
