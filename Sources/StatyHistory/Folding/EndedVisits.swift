/// The visits that ended last, remembered in a fixed amount of memory.
///
/// For a visit that ended earlier, only the fact that it ended is known. A visit has one place, shared
/// with others, so this needs no search.
struct EndedVisits: Sendable {
  private static let size: UInt32 = 64
  /// Empty until the first visit is remembered; then the number of an empty place is 0.
  private var places: [(visit: UInt32, past: VisitPast)] = []
  /// Whether a visit that ended was forgotten.
  private(set) var hasForgotten = false

  subscript(visit: UInt32) -> VisitPast? {
    if places.isEmpty || visit == 0 { return nil }
    let found = places[Int(visit & (Self.size - 1))]
    return found.visit == visit ? found.past : nil
  }

  mutating func add(_ visit: UInt32, _ past: VisitPast) {
    if places.isEmpty { places = Array(repeating: (0, []), count: Int(Self.size)) }
    let place = Int(visit & (Self.size - 1))
    if places[place].visit != 0, places[place].visit != visit { hasForgotten = true }
    places[place] = (visit, past)
  }

  /// Adds the visits that another value remembers.
  mutating func take(_ other: EndedVisits) {
    for (visit, past) in other.places where visit != 0 { add(visit, past) }
  }

  mutating func removeAll() {
    for place in places.indices { places[place].visit = 0 }
    hasForgotten = false
  }
}
