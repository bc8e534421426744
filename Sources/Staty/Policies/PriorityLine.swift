/// The most urgent request first; equally urgent ones in the order of the requests.
///
/// Promise: when the stage becomes free, the most urgent pending request enters. Of equally urgent
/// requests, the oldest enters.
public struct PriorityLine: WaitingLine {
  /// The requests of one priority, in order.
  ///
  /// A group is never empty.
  private struct Group: Hashable, Sendable {
    let priority: Int32
    var ring: RequestRing
  }

  private var groups: [Group] = []

  /// Creates a line without pending requests.
  public init() {}

  public static var name: StateName { "priority" }
  public static var discipline: Discipline { .byUrgency }

  public mutating func admit(_ request: Request, behind stage: Stage) -> Admission {
    restore(request)
    return .waits
  }

  public mutating func restore(_ request: Request) {
    let place = groups.firstIndex { $0.priority >= request.priority } ?? groups.endIndex
    if place == groups.endIndex || groups[place].priority != request.priority {
      groups.insert(Group(priority: request.priority, ring: RequestRing()), at: place)
    }
    groups[place].ring.append(request)
  }

  public mutating func next() -> Request? {
    guard let last = groups.indices.last else { return nil }
    let request = groups[last].ring.popFirst()
    dropIfEmpty(last)
    return request
  }

  public mutating func remove(_ visit: VisitNumber) -> Request? {
    for place in groups.indices {
      if let request = groups[place].ring.remove(visit) {
        dropIfEmpty(place)
        return request
      }
    }
    return nil
  }

  public var isEmpty: Bool { groups.isEmpty }

  public func predecessor(of request: Request) -> Request? {
    groups.first { $0.priority >= request.priority }?.ring.last
  }

  public var requests: [Request] { groups.reversed().flatMap { Array($0.ring) } }

  private mutating func dropIfEmpty(_ place: Int) {
    if groups[place].ring.isEmpty { groups.remove(at: place) }
  }
}

/// The policy of a ``PriorityLine``.
public typealias PriorityPolicy = StagedPolicy<PriorityLine>

extension TransitionPolicy where Self == PriorityPolicy {
  /// The most urgent request first; equally urgent ones in the order of the requests.
  public static var priority: PriorityPolicy { PriorityPolicy() }
}
