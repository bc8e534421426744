/// The visits that ended last, remembered in a fixed amount of memory.
///
/// For a visit that ended earlier, only the fact that it ended is known. A visit has one place, shared
/// with others, so this needs no search.
struct EndedVisits: Sendable {
  private static let size: UInt32 = 64
  // Empty until the first visit is remembered.
  private var visits: [UInt32] = []
  private var pasts: [VisitPast] = []
  /// Whether a visit that ended was forgotten.
  private(set) var hasForgotten = false

  subscript(visit: UInt32) -> VisitPast? {
    get {
      let place = Int(visit & (Self.size - 1))
      return !visits.isEmpty && visits[place] == visit && visit != 0 ? pasts[place] : nil
    }
    set {
      let place = Int(visit & (Self.size - 1))
      if visits.isEmpty {
        visits = Array(repeating: 0, count: Int(Self.size))
        pasts = Array(repeating: [], count: Int(Self.size))
      }
      if visits[place] != 0, visits[place] != visit { hasForgotten = true }
      visits[place] = newValue == nil ? 0 : visit
      pasts[place] = newValue ?? []
    }
  }

  /// Adds the visits that another value remembers.
  mutating func take(_ other: EndedVisits) {
    for (visit, past) in zip(other.visits, other.pasts) where visit != 0 { self[visit] = past }
  }

  mutating func removeAll() {
    for place in visits.indices { visits[place] = 0 }
    hasForgotten = false
  }
}
