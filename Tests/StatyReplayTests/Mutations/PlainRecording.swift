import Staty
import StatyHistory
import StatyReading

/// All that a history's first session says, in memory.
struct PlainRecording {
  let rows: [EventRow]
  let details: [Int64: EventDetail]
  let controllers: [ControllerRecord]
  let names: [Int32: String]
  let isClean: Bool

  init(_ path: String) throws {
    let reader = try HistoryReader(path: path)
    controllers = try reader.controllers(session: 1)
    names = try reader.names()
    isClean = try reader.session(1).ended == .clean
    let events = try reader.events(session: 1)
    var rows: [EventRow] = []
    while let row = try events.next() { rows.append(row) }
    self.rows = rows
    let cursor = try reader.details(session: 1)
    var details: [Int64: EventDetail] = [:]
    while let detail = try cursor.next() { details[detail.seq] = detail }
    self.details = details
  }

  /// The events, one a line.
  var words: String {
    rows.map { row in
      let kind = EventKind(rawValue: row.kind)?.text ?? "?"
      return "\(row.seq) c\(row.controller) \(kind) #\(row.visit) \(names[row.state] ?? "") "
        + "in \(row.cause) r\(row.reason)"
    }.joined(separator: "\n")
  }
}

extension EventRow {
  /// On which side of the controller the event is.
  var side: EventKind.Side? { EventKind(rawValue: kind)?.side }
}
