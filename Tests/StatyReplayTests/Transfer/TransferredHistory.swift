import Foundation
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules
import StatySQLite

/// A history and the copy of it that was made through text.
struct TransferredHistory {
  let history: RecordedHistory

  /// Makes a history of what is exported of another.
  ///
  /// - Parameter part: so many bytes are given at a time.
  init(_ original: RecordedHistory, part: Int = 1_000) throws {
    history = try RecordedHistory()
    let text = Array(try original.text().utf8)
    let writer = try HistoryWriter(path: history.path)
    writer.judge()
    var reading = HistoryImport(into: writer)
    for start in stride(from: 0, to: text.count, by: part) {
      try reading.take(text[start..<min(start + part, text.count)])
    }
    _ = try reading.finish()
    try writer.close()
  }
}

extension RecordedHistory {
  /// A history of what a log says.
  convenience init(_ log: String) throws {
    try self.init()
    let writer = try HistoryWriter(path: path)
    writer.judge()
    var reading = HistoryImport(into: writer)
    try reading.take(PlainLog.numbered(log).utf8)
    _ = try reading.finish()
    try writer.close()
  }

  /// All of it as text.
  func text() throws -> String {
    let reader = try HistoryReader(path: path)
    var text = ""
    try HistoryExport(reader).write(reader.sessions()) { text += $0 }
    return text
  }

  /// The rows of every view, each as one text that tells numbers, texts and bytes apart.
  func views() throws -> [String: [String]] {
    let connection = try Connection(path: path, mode: .readOnly)
    defer { try? connection.close() }
    return try Dictionary(
      uniqueKeysWithValues: HistoryViews.names.map { view in
        let columns = HistoryViews.documentation.filter { $0.view == view }
          .map { "quote(\"\($0.column)\")" }
        let rows = try connection.prepare(
          "SELECT \(columns.joined(separator: " || '|' || ")) FROM \(view)")
        var texts: [String] = []
        while try rows.step() { texts.append(try rows.string(at: 0) ?? "") }
        return (view, texts.sorted())
      })
  }

  /// The first damage of each session.
  func damages() throws -> [ChainDamage?] {
    let reader = try HistoryReader(path: path)
    return try reader.sessions().map { try ChainVerifier(reader).firstDamage(session: $0.id) }
  }
}
