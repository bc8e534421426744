import StatyHistory
import StatyReplay

extension HistoryReader {
  /// The selected events around a number: not more than so many before it, and from it on.
  func events(
    around seq: Int64, session: Int64, before: Int, from after: Int,
    where isMeant: (EventRow) -> Bool
  ) throws -> [EventRow] {
    // Events that are farther away explain nothing.
    let (least, most) = (max(1, seq.addingClamped(-1_000)), seq.addingClamped(1_000))
    func rows(_ from: Int64, _ through: Int64, _ most: Int, isReversed: Bool) throws -> [EventRow] {
      let events = try self.events(
        session: session, from: from, through: through, isReversed: isReversed)
      var rows: [EventRow] = []
      while rows.count < most, let row = try events.next() {
        if isMeant(row) { rows.append(row) }
      }
      return rows
    }
    return try rows(least, seq.addingClamped(-1), before, isReversed: true).reversed()
      + rows(max(1, seq), most, after, isReversed: false)
  }
}
