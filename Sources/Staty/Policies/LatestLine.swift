/// A single place to wait: a newer request takes it from an older one.
///
/// Promise: of the requests made during a move only the newest enters; each of the others is
/// discarded as replaced.
public struct LatestLine: WaitingLine {
  private var slot: Request?

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

/// See ``LatestLine``.
public typealias LatestPolicy = StagedPolicy<LatestLine>

extension TransitionPolicy where Self == LatestPolicy {
  /// One place to wait, which the newest request takes.
  public static var latest: LatestPolicy { LatestPolicy() }
}
