/// Writes a history as text that `HistoryImport` makes an equal history of.
///
/// Equal histories give equal texts. Memory does not grow with the number of events.
package struct HistoryExport {
  /// The forms of text.
  package enum Format: String, CaseIterable, Sendable {
    /// One JSON object on each line.
    case ndjson
    /// A table; its last column has what does not fit into the others.
    case csv
  }

  /// The word in the first line that identifies the format.
  static let format = "staty-history"
  /// The version of the format.
  ///
  /// A format that only adds keys keeps its version; a reader refuses unknown keys.
  static let version: Int64 = 1

  private let lines: HistoryLines
  private let form: Format

  /// An export of this reader's history, which should have been verified before.
  package init(_ reader: HistoryReader, as form: Format) throws {
    lines = try HistoryLines(reader)
    self.form = form
  }

  /// Passes the text of these sessions on, a part at a time.
  package func write(_ sessions: [SessionRecord], _ put: (String) throws -> Void) throws {
    var bytes: [UInt8] = []
    if form == .csv { bytes += CSVLines.head.utf8 }
    add(Self.head(sessions.count), to: &bytes)
    for session in sessions {
      try lines.forEach(of: session) { line in
        add(line, to: &bytes)
        guard bytes.count >= Self.part else { return }
        try put(String(decoding: bytes, as: UTF8.self))
        bytes.removeAll(keepingCapacity: true)
      }
    }
    try put(String(decoding: bytes, as: UTF8.self))
  }

  private static let part = 64 << 10

  private static func head(_ sessions: Int) -> TransferLine {
    var line = TransferLine()
    line[.format] = .text(format)
    line[.version] = .integer(version)
    line[.sessions] = .integer(Int64(sessions))
    return line
  }

  private func add(_ line: TransferLine, to bytes: inout [UInt8]) {
    switch form {
    case .ndjson:
      JSONLineWriting.write(line, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    case .csv:
      CSVLines.write(line, to: &bytes)
      bytes += "\r\n".utf8
    }
  }
}
