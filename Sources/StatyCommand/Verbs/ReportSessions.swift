import StatyHistory
import StatyReport

/// The sessions of a file that are in a page.
struct ReportSessions {
  let history: OpenHistory
  let choice: SessionChoice
  /// The most events of all sessions in the page.
  let most: Int

  /// The sessions with events in the page.
  func inPage() throws -> [SessionRecord] {
    let records = try choice.sessions(of: history, verifying: false)
    try choice.checkNames(records, of: history)
    return try chosen(records)
  }

  /// The sessions in the page's menu, and which of them are in the page: the newest first, up to
  /// the limit of events, and the newest in any case.
  ///
  /// Fails if one in the page differs from what was stored.
  func sessions(_ replays: [Int64: String] = [:]) throws -> [ReportPage.Session] {
    let records = try choice.sessions(of: history, verifying: false)
    try choice.checkNames(records, of: history)
    let here = Set(try chosen(records).map(\.id))
    return try records.map { record in
      if here.contains(record.id) { try history.verify(record) }
      let lost = try history.reader.losses(session: record.id).reduce(0) { $0 &+ $1.count }
      return ReportPage.Session(
        record: record, started: Decimal.date(record.wallTime), lost: lost,
        isHere: here.contains(record.id), replay: replays[record.id])
    }
  }

  /// The sessions in the page, in the order of their events' numbers.
  private func chosen(_ records: [SessionRecord]) throws -> [SessionRecord] {
    var (chosen, events) = ([SessionRecord](), Int64(0))
    for record in records.reversed() where try isMeant(record) {
      events &+= record.stored
      if !chosen.isEmpty, events > most { break }
      chosen.append(record)
    }
    return chosen.reversed()
  }

  /// Whether a session has a selected controller.
  private func isMeant(_ record: SessionRecord) throws -> Bool {
    if choice.controllers.isEmpty { return true }
    return try history.reader.controllers(session: record.id).contains(where: choice.means)
  }
}
