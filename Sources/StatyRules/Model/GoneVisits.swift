/// What became of the visits that ended last.
///
/// Of those that ended longer ago only that they did is known. A visit has one place, which it
/// shares with others, so this needs no search and no memory.
struct GoneVisits {
  private static let size: UInt32 = 64
  private var visits = [UInt32](repeating: 0, count: Int(size))
  private var pasts = [VisitPast](repeating: [], count: Int(size))

  subscript(visit: UInt32) -> VisitPast? {
    get {
      let place = Int(visit & (Self.size - 1))
      return visits[place] == visit && visit != 0 ? pasts[place] : nil
    }
    set {
      let place = Int(visit & (Self.size - 1))
      visits[place] = newValue == nil ? 0 : visit
      pasts[place] = newValue ?? []
    }
  }

  mutating func removeAll() {
    for place in visits.indices { visits[place] = 0 }
  }
}
