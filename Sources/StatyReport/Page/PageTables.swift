import StatyHistory
import StatyReading

/// The rows of SQL views as JSON, for the tables of a page.
struct PageTables {
  private let reader: HistoryReader
  private let session: Int64
  private let controllers: [String]

  /// A table: a view, a caption, the columns to show, and the column to sort by.
  private struct Table {
    let view: String
    let caption: String
    let columns: [String]
    var largest: String?
  }

  private static let most = 500

  private static let all = [
    Table(
      view: "stuck", caption: "Which visits cannot go on, and what they wait for",
      columns: ["controller", "visit", "state", "reason", "waited_ms", "waiting_for"]),
    Table(
      view: "dwell", caption: "How long states were shown",
      columns: ["controller", "state", "visits", "total_ms", "p50_ms", "p95_ms", "max_ms"],
      largest: "total_ms"),
    Table(
      view: "waits", caption: "How long they waited to enter",
      columns: ["controller", "state", "visits", "still_waiting", "p50_ms", "p95_ms", "max_ms"],
      largest: "max_ms"),
    Table(
      view: "transitions", caption: "Which transitions were made",
      columns: ["controller", "from", "to", "n", "percent", "p50_ms", "p95_ms", "declared"],
      largest: "n"),
  ]

  init(_ reader: HistoryReader, session: Int64, controllers: [String]) {
    self.reader = reader
    self.session = session
    self.controllers = controllers
  }

  /// The tables as a JSON list.
  var json: String {
    get throws { "[" + (try Self.all.map(json).joined(separator: ",")) + "]" }
  }

  private func json(_ table: Table) throws -> String {
    var query = ViewQuery(table.view)
    query.session = session
    query.controllers = controllers
    query.largest = table.largest
    // More rows are not useful on a page. The views have all.
    query.limit = Self.most
    let known = HistoryViews.documentation.filter { $0.view == table.view }
    let places = table.columns.compactMap { name in known.firstIndex { $0.column == name } }
    let found = try reader.rows(query)
    query.limit = nil
    let count = found.count < Self.most ? found.count : try reader.rows(query).count
    let rows = found.map { row in
      "[" + places.map { Self.json(row[$0]) }.joined(separator: ",") + "]"
    }
    let columns = places.map { Self.column(known[$0]) }
    return
      "{\"name\":\"\(table.view)\",\"count\":\(count),\"caption\":\(EmbeddedJSON.quoted(table.caption)),"
      + "\"columns\":[\(columns.joined(separator: ","))],\"rows\":[\(rows.joined(separator: ","))]}"
  }

  private static func column(_ column: HistoryViews.Column) -> String {
    let (name, kind) = (column.column, column.kind)
    let isNumber =
      kind == .duration || kind == .percent
      || ["n", "visit", "visits", "still_waiting"].contains(name)
    return "{\"name\":\"\(title(name))\",\"meaning\":\"\(kind)\",\"isNumber\":\(isNumber)}"
  }

  private static func title(_ name: String) -> String {
    switch name {
    case "n": "times"
    case "p50_ms": "half within"
    case "p95_ms": "95 % within"
    case "max_ms": "longest"
    case let name where name.hasSuffix("_ms"): String(name.dropLast(3))
    default: name.split(separator: "_").joined(separator: " ")
    }
  }

  private static func json(_ value: QueryValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .real(let number): number.isFinite ? "\(number)" : "null"
    case .text(let text): EmbeddedJSON.quoted(text)
    case .blob(let bytes): EmbeddedJSON.quoted(String(decoding: bytes, as: UTF8.self))
    }
  }
}
