import StatyHistory
import Migrations
import StatySQLite
import StatyText
import Synchronization

/// The schema that a file of a version must have.
///
/// SQL in a file runs when the file is read: in views, in defaults, in expressions of indexes. So a
/// file from elsewhere is not queried until every object in it is known to be ours, letter by
/// letter.
struct KnownSchema: Sendable {
  private struct Entry: Hashable, Sendable {
    let type: ExactText
    let name: ExactText
    let table: ExactText
    let sql: ExactText

    var called: String { "\(type.text) \"\(name.text.escapedForOneLine)\"" }
  }

  private let entries: Set<Entry>
  private let version: Int

  // Making one takes longer than reading a small history, and some tools read thousands.
  private static let made = Mutex<[Int: KnownSchema]>([:])

  /// The schema of this version.
  static func of(version: Int) throws -> KnownSchema {
    if let known = made.withLock({ $0[version] }) { return known }
    let known = try KnownSchema(version: version)
    made.withLock { $0[version] = known }
    return known
  }

  private init(version: Int) throws {
    let connection = try Connection()
    let migrator = Migrator(
      applicationID: HistoryFile.applicationID,
      migrations: Array(HistoryMigrations.all.prefix(version)))
    try migrator.migrate(connection)
    entries = try Self.read(connection)
    self.version = version
  }

  /// The first difference in words; none if there is none.
  func firstDifference(in connection: Connection) throws -> String? {
    let found = try Self.read(connection)
    let names = Set(entries.map(\.name))
    for entry in found.subtracting(entries).sorted(by: { $0.name.text < $1.name.text }) {
      return names.contains(entry.name)
        ? "the \(entry.called) is not the one of schema \(version)"
        : "schema \(version) has no \(entry.called)"
    }
    return entries.subtracting(found).map(\.called).min().map { "the \($0) is missing" }
  }

  private static func key(_ rows: Statement, _ column: Int) throws -> ExactText {
    ExactText(text: try rows.string(at: column) ?? "")
  }

  private static func read(_ connection: Connection) throws -> Set<Entry> {
    let rows = try connection.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    var entries: Set<Entry> = []
    while try rows.step() {
      entries.insert(
        Entry(
          type: try Self.key(rows, 0), name: try Self.key(rows, 1),
          table: try Self.key(rows, 2), sql: try Self.key(rows, 3)))
    }
    return entries
  }
}
