package import StatyHistory
/// Writes a history as NDJSON, one object on each line, that `HistoryImport` makes an equal history
/// of.
///
/// Equal histories give equal texts. Memory does not grow with the number of events.
package struct HistoryExport {
  /// The word in the first line that identifies the format.
  static let format = "staty-history"
  /// The version of the format.
  ///
  /// A format that only adds keys keeps its version; a reader refuses unknown keys.
  static let version: Int64 = 1

  private let lines: HistoryLines

  /// An export of this reader's history, which should have been verified before.
  package init(_ reader: HistoryReader) throws {
    lines = try HistoryLines(reader)
  }

  /// Passes the text of these sessions on, a part at a time.
  package func write(_ sessions: [SessionRecord], _ put: (String) throws -> Void) throws {
    var bytes: [UInt8] = []
    func add(_ line: TransferLine) {
      JSONLineWriting.write(line, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    add(Self.head(sessions.count))
    for session in sessions {
      try lines.forEach(of: session) { line in
        add(line)
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
}
