/// First in, first out; a request for the same state as the request before it is discarded.
///
/// Promise: as `queue`, but a request is discarded as `coalesced` if it equals the request that it
/// would follow. That is the last pending request. If none is pending, it is the request on the
/// stage, unless that is exiting.
public struct CoalesceLine: WaitingLine {
  private var ring = RequestRing()

  /// Creates a line without pending requests.
  public init() {}

  public static var name: StateName { "coalesce" }

  public mutating func admit(_ request: Request, behind stage: Stage) -> Admission {
    if let before = ring.last ?? stage.staying, request.equality != 0,
      before.equality == request.equality
    {
      return .refused(.coalesced)
    }
    ring.append(request)
    return .waits
  }

  public mutating func next() -> Request? { ring.popFirst() }
  public mutating func remove(_ visit: VisitNumber) -> Request? { ring.remove(visit) }
  public var isEmpty: Bool { ring.isEmpty }
  public func predecessor(of request: Request) -> Request? { ring.last }
  public var requests: [Request] { Array(ring) }
  public mutating func restore(_ request: Request) { ring.append(request) }
}

extension Stage {
  /// The request on the stage, unless it is exiting or has exited.
  fileprivate var staying: Request? {
    phase == .entered || (phase == .entering && !exitsOnceEntered) ? current : nil
  }
}

/// The policy of a ``CoalesceLine``.
public typealias CoalescePolicy = StagedPolicy<CoalesceLine>

extension TransitionPolicy where Self == CoalescePolicy {
  /// First in, first out; a request for the same state as the request before it is discarded.
  public static var coalesce: CoalescePolicy { CoalescePolicy() }
}
