import Staty
import StatySQLite

/// The text that every history has, whatever was recorded: its schema, the words of records in JSON,
/// and what stands in the place of names.
struct CommonWords {
  private let bytes: [UInt8]

  /// - Parameters:
  ///   - roles: the words that tokens begin with.
  ///   - policies: those that are no secret.
  init(_ reader: HistoryReader, roles: [String], policies: Set<String>) throws(HistoryError) {
    var snapshot = SnapshotRecord()
    snapshot.routes = []
    var text = (roles + ["payload", "SQLite format 3", snapshot.text] + policies).joined(
      separator: "\n")
    text += "\n" + SessionEnd.words.map(\.key).joined(separator: "\n")
    text += try asHistoryError {
      var schema = ""
      let rows = try reader.connection.prepare("SELECT name, sql FROM sqlite_schema")
      while try rows.step() {
        for column in 0...1 { schema += "\n" + (try rows.string(at: column) ?? "") }
      }
      return schema
    }
    bytes = Array(text.utf8)
  }

  /// Whether a name is found in it, byte for byte.
  func contain(_ name: String) -> Bool {
    let name = Array(name.utf8)
    guard let first = name.first, name.count <= bytes.count else { return false }
    return bytes.indices.dropLast(name.count - 1).contains { start in
      bytes[start] == first && bytes[start...].starts(with: name)
    }
  }
}
