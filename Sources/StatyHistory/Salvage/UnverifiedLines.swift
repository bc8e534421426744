import Staty

/// What events say for which no checksum vouches, as lines of JSON.
///
/// They are no text of a history: whoever reads those refuses their first key.
struct UnverifiedLines {
  private let session: SalvagedSession
  private let catalog: SalvagedCatalog
  private let names: [Int32: String]

  init(_ session: SalvagedSession, _ catalog: SalvagedCatalog) {
    (self.session, self.catalog) = (session, catalog)
    names = Dictionary(
      session.controllers.map { ($0.id, $0.name) }, uniquingKeysWith: { one, _ in one })
  }

  /// Gives a line for each event of a run.
  func forEach(
    of run: SalvagedRun, _ why: SalvageReport.Doubt, _ body: (String) throws -> Void
  ) rethrows {
    for row in run.rows {
      var bytes = Array(#"{"unverified":"\#(why.rawValue)","#.utf8)
      var rest: [UInt8] = []
      JSONLineWriting.write(line(row, run.details[row.seq]), to: &rest)
      bytes += rest.dropFirst() + [UInt8(ascii: "\n")]
      try body(String(decoding: bytes, as: UTF8.self))
    }
  }

  private func line(_ row: EventRow, _ detail: EventDetail?) -> TransferLine {
    var line = TransferLine()
    line[.session] = .integer(session.record.id)
    line[.seq] = .integer(row.seq)
    line[.tUs] = .integer(row.time)
    let kind = EventKind(rawValue: row.kind)
    line[.kind] = .text(kind?.text)
    line[.controller] = .text(names[row.controller])
    line.set(.visit, unlessZero: row.visit)
    line[.state] = .text(catalog.names[row.state])
    line[.reason] = .text(kind.flatMap { EventReason(kind: $0, code: row.reason)?.text })
    line.set(placeOf: row)
    line.set(.thread, unlessZero: row.thread)
    if let site = catalog.sites[row.site] {
      line[.site] = .text(site.file)
      line[.line] = .integer(site.line)
    }
    guard let detail else { return line }
    line.set(.origin, unlessZero: detail.origin)
    line.set(.instance, unlessZero: detail.instance)
    line.set(.priority, unlessZero: detail.priority)
    line[.note] = .text(detail.note)
    if let payload = detail.payload { line.set(payload: payload) }
    return line
  }
}
