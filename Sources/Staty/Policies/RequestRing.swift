/// Requests in order.
///
/// The first can be removed without moving the others.
struct RequestRing: Sendable {
  private var slots: [Request?] = []
  private var head = 0
  private(set) var count = 0
  /// The visit that was appended last.
  private var newest = VisitNumber(0)
  // True for the visits of a controller. An explorer numbers visits in another order.
  private var isAscending = true

  var isEmpty: Bool { count == 0 }
  var last: Request? { isEmpty ? nil : slots[(head + count - 1) & (slots.count - 1)] }

  @inline(__always)
  mutating func append(_ request: Request) {
    if count == slots.count { grow() }
    slots[(head + count) & (slots.count - 1)] = request
    isAscending = count == 0 || isAscending && newest < request.visit
    newest = request.visit
    count += 1
  }

  mutating func popFirst() -> Request? {
    guard count > 0 else { return nil }
    let request = slots[head]
    head = (head + 1) & (slots.count - 1)
    count -= 1
    return request
  }

  /// Removes and returns the request of a visit.
  mutating func remove(_ visit: VisitNumber) -> Request? {
    guard let found = place(of: visit) else { return nil }
    let request = self[found]
    for place in found..<(count - 1) {
      slots[(head + place) & (slots.count - 1)] = self[place + 1]
    }
    count -= 1
    return request
  }

  private func place(of visit: VisitNumber) -> Int? {
    guard isAscending else { return (0..<count).first { self[$0].visit == visit } }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].visit < visit { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].visit == visit ? low : nil
  }

  private subscript(place: Int) -> Request {
    // Places below `count` always hold a request.
    slots[(head + place) & (slots.count - 1)]!
  }

  /// Doubles the slots.
  ///
  /// Their number stays a power of two, so that a mask gives the index.
  @inline(never)
  private mutating func grow() {
    let size = Swift.max(4, slots.count * 2)
    let held = Array(self)
    slots = held + [Request?](repeating: nil, count: size - held.count)
    head = 0
  }
}

extension RequestRing: Sequence {
  func makeIterator() -> AnyIterator<Request> {
    var place = 0
    return AnyIterator {
      guard place < count else { return nil }
      defer { place += 1 }
      return self[place]
    }
  }
}

// Two rings are equal if they hold the same requests in the same order.
extension RequestRing: Hashable {
  static func == (one: RequestRing, other: RequestRing) -> Bool {
    one.count == other.count && (0..<one.count).allSatisfy { one[$0] == other[$0] }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for place in 0..<count { hasher.combine(self[place]) }
  }
}
