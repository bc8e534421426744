/// First in, first out, but asking twice in a row for the same is asking once.
///
/// Promise: as `queue`, except that a request equal to the one it would follow (the last that
/// waits, or the one on the stage if nobody waits and it is not on its way out) is discarded as
/// coalesced.
public struct CoalesceLine: WaitingLine {
  private var ring = RequestRing()

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
  /// The request on the stage, unless it is on its way out or has left.
  fileprivate var staying: Request? {
    phase == .entered || (phase == .entering && !leavesOnArrival) ? current : nil
  }
}

/// See ``CoalesceLine``.
public typealias CoalescePolicy = StagedPolicy<CoalesceLine>

extension TransitionPolicy where Self == CoalescePolicy {
  /// First in, first out; asking twice in a row for the same is asking once.
  public static var coalesce: CoalescePolicy { CoalescePolicy() }
}
