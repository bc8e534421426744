import StatySQLite

/// The text that every redacted file has: its schema, the replacements of names, records in JSON, and the
/// sentences of the rules.
///
/// If an old name is part of that, a search of the file finds it, and it is no leak.
package struct CommonWords {
  private let bytes: [UInt8]
  /// Every three bytes that stand behind each other: nearly all names have some that do not.
  private let threes: Set<UInt32>

  package init(_ reader: HistoryReader) throws(HistoryError) {
    let text = try asHistoryError {
      var text = "SQLite format 3"
      for sql in [
        "SELECT name, sql FROM sqlite_schema", "SELECT app, app_version, os, ended FROM session",
        "SELECT text FROM name", "SELECT file FROM site", "SELECT snapshot FROM controller",
        "SELECT DISTINCT code, severity, detail FROM finding", "SELECT DISTINCT reason FROM loss",
      ] {
        let rows = try reader.connection.prepare(sql)
        while try rows.step() {
          for column in 0..<rows.columnCount {
            text += "\n" + (try rows.string(at: column) ?? "")
          }
        }
      }
      return text
    }
    bytes = Array(text.utf8)
    threes = Set(Self.threes(of: bytes))
  }

  private static func threes(of bytes: [UInt8]) -> some Sequence<UInt32> {
    bytes.indices.dropLast(2).lazy.map { place in
      UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2])
    }
  }

  /// Whether a name is found in it, byte for byte.
  package func contain(_ name: String) -> Bool {
    let name = Array(name.utf8)
    guard let first = name.first, name.count <= bytes.count,
      Self.threes(of: name).allSatisfy(threes.contains)
    else { return false }
    return bytes.indices.dropLast(name.count - 1).contains { start in
      bytes[start] == first && bytes[start...].starts(with: name)
    }
  }
}
