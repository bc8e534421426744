public import Staty

/// The newest request enters next.
public struct NewestFirst: WaitingLine {
  public private(set) var requests: [Request] = []

  public init() {}

  public static var name: StateName { "newest-first" }

  public mutating func admit(_ request: Request, behind stage: Stage) -> Admission {
    requests.insert(request, at: 0)
    return .waits
  }

  public mutating func next() -> Request? { requests.isEmpty ? nil : requests.removeFirst() }

  public mutating func remove(_ visit: VisitNumber) -> Request? {
    requests.firstIndex { $0.visit == visit }.map { requests.remove(at: $0) }
  }

  public var isEmpty: Bool { requests.isEmpty }
  public func predecessor(of request: Request) -> Request? { nil }
  public mutating func restore(_ request: Request) { requests.append(request) }
}
