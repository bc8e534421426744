/// First in, first out: each request waits for the requests before it.
///
/// Promise: all requests enter, in the order in which they were made, unless they are cancelled.
public struct QueueLine: WaitingLine {
  private var ring = RequestRing()

  /// Creates a line without pending requests.
  public init() {}

  public static var name: StateName { "queue" }

  public mutating func admit(_ request: Request, behind stage: Stage) -> Admission {
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

/// The policy of a ``QueueLine``.
public typealias QueuePolicy = StagedPolicy<QueueLine>

extension TransitionPolicy where Self == QueuePolicy {
  /// First in, first out: each request waits for the requests before it.
  public static var queue: QueuePolicy { QueuePolicy() }
}
