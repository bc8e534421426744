import StatyHistory

extension SessionReplay {
  private static let mostBack: Int64 = 400

  /// The events of the controllers that are meant around the one with this number: up to so many
  /// before it, and up to so many from it on.
  func surroundings(of seq: Int64, before: Int = 24, after: Int = 8) throws -> [EventRow] {
    let meant = Set(controllers.map(\.id))
    let start = max(session.firstSeq, seq.clampedAdding(-Self.mostBack))
    let cursor = try history.reader.events(session: session.id, from: start)
    var earlier: [EventRow] = []
    var later: [EventRow] = []
    while later.count < after, let row = try cursor.next() {
      if row.seq > seq.clampedAdding(Self.mostBack) { break }
      guard meant.contains(row.controller) else { continue }
      if row.seq < seq {
        earlier.append(row)
        if earlier.count > 2 * before { earlier.removeFirst(before) }
      } else {
        later.append(row)
      }
    }
    return earlier.suffix(before) + later
  }

  /// What an event happened in, and what that happened in, and so on: the farthest first, the event
  /// itself last.
  func causes(of seq: Int64, most: Int = 8) throws -> [EventRow] {
    var chain: [EventRow] = []
    var next = seq
    while chain.count < most,
      let row = try history.reader.events(session: session.id, from: next, through: next).next()
    {
      chain.append(row)
      // A cause comes before what it caused, or a hostile file could send us round in circles.
      guard row.cause != 0, row.cause < row.seq else { break }
      next = row.cause
    }
    return chain.reversed()
  }
}

extension Int64 {
  /// The sum, or the end of the range: numbers of events are what a file says they are.
  func clampedAdding(_ other: Int64) -> Int64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? other > 0 ? .max : .min : sum
  }
}
