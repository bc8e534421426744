import CStatyRing
import Foundation
import StatySQLite
import Testing

/// A file that was made to do harm, or damaged by accident.
struct HostileFile: CustomTestStringConvertible, Sendable {
  let name: String
  /// Makes it at the path, where a sound history stands.
  let make: @Sendable (String) throws -> Void
  /// Whether `STATY_HOSTILE` asks for as much in the files, and as many verbs, as there can be.
  static let isThorough = ProcessInfo.processInfo.environment["STATY_HOSTILE"] != nil
  /// Whether it has very many of something.
  var hasMany: Bool { name.contains("\(Self.most)") }
  /// Whether more verbs are to look into it: what it says is not refused at once.
  var isForMore: Bool {
    hasMany || name.contains("MB") || name.contains("KB") || name.contains("all times")
  }

  var testDescription: String { name }

  static let all = headers + pages + places + neighbours + schemas + contents + orders + costs

  /// Changes bytes of the sound history.
  private static func bytes(
    _ name: String, _ change: @escaping @Sendable (inout [UInt8]) -> Void
  ) -> HostileFile {
    HostileFile(name: name) { path in
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      change(&bytes)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
  }

  private static func header(_ name: String, _ place: Int, _ values: UInt8...) -> HostileFile {
    bytes(name) { $0.replaceSubrange(place..<place + values.count, with: values) }
  }

  private static func sql(_ name: String, _ sql: String) -> HostileFile {
    HostileFile(name: name) { path in
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA foreign_keys = 0; PRAGMA writable_schema = 1; " + sql)
      try connection.close()
    }
  }

  private static func file(
    _ name: String, _ make: @escaping @Sendable (String) throws -> Void
  ) -> HostileFile {
    HostileFile(name: name) { path in
      try FileManager.default.removeItem(atPath: path)
      try make(path)
    }
  }

  private static func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  // MARK: What is wrong with the first bytes

  private static let headers = [
    bytes("nothing") { $0 = [] },
    bytes("one byte") { $0 = [0x53] },
    bytes("half a header") { $0.removeLast($0.count - 50) },
    bytes("a header alone") { $0.removeLast($0.count - 100) },
    header("another magic", 0, 0x7f, 0x45, 0x4c, 0x46),
    header("pages of one byte", 16, 0, 2),
    header("pages of 512 bytes", 16, 2, 0),
    header("pages of 65,536 bytes", 16, 0, 1),
    header("a page size that is no power", 16, 0x10, 1),
    header("a write version of the future", 18, 9),
    header("a read version of the future", 19, 9),
    header("nearly all of a page reserved", 20, 255),
    header("other payload fractions", 21, 1, 1, 1),
    header("four thousand million pages", 28, 0xff, 0xff, 0xff, 0xff),
    header("no pages", 28, 0, 0, 0, 0),
    header("a free list that begins with the first page", 32, 0, 0, 0, 1, 0, 0, 0, 9),
    header("a free list of four thousand million pages", 36, 0xff, 0xff, 0xff, 0xff),
    header("a schema format of the future", 44, 0, 0, 0, 99),
    header("a huge cache", 48, 0x7f, 0xff, 0xff, 0xff),
    header("UTF-16", 56, 0, 0, 0, 2),
    header("an encoding that is none", 56, 0, 0, 0, 7),
    header("schema 0", 60, 0, 0, 0, 0),
    header("schema 1 in the clothes of the newest", 60, 0, 0, 0, 1),
    header("a schema of the future", 60, 0, 0, 1, 0),
    header("a negative schema", 60, 0xff, 0xff, 0xff, 0xfe),
    header("vacuuming by steps", 64, 0, 0, 0, 1),
    header("another application", 68, 1, 2, 3, 4),
    header("no application", 68, 0, 0, 0, 0),
  ]

  // MARK: What is wrong with the pages

  private static let pages = [
    bytes("a page cut in half") { $0.removeLast(2_048) },
    bytes("half of the pages") { $0.removeLast($0.count / 2) },
    bytes("a schema of garbage") { bytes in for place in 100..<4_096 { bytes[place] = 0xa5 } },
    bytes("garbage behind the schema") { bytes in
      for place in 8_192..<bytes.count { bytes[place] = UInt8(truncatingIfNeeded: place &* 37) }
    },
    bytes("every page the first") { bytes in
      let first = bytes[..<4_096]
      for place in stride(from: 4_096, to: bytes.count - 4_095, by: 4_096) {
        bytes.replaceSubrange(place..<place + 4_096, with: first)
      }
    },
    bytes("pages that lead to themselves") { bytes in
      for page in 2...bytes.count / 4_096 {
        let number = withUnsafeBytes(of: UInt32(page).bigEndian) { Array($0) }
        // An interior page of a table with one cell, which leads to this very page.
        let interior = [5, 0, 0, 0, 1, 0x0f, 0xf0, 0] + number + [0x0f, 0xf0]
        let start = (page - 1) * 4_096
        bytes.replaceSubrange(start..<start + interior.count, with: interior)
        bytes.replaceSubrange(start + 4_080..<start + 4_085, with: number + [1])
      }
    },
    bytes("a million bytes of zeros behind it") { $0 += [UInt8](repeating: 0, count: 1_000_000) },
    bytes("tables of many MB, of pages that have each other's pages") {
      HostilePages.growTables(&$0)
    },
    bytes("a schema of pages that have each other's pages") { HostilePages.growSchema(&$0) },
  ]

  // MARK: What is no file, or none that ends

  private static let places = [
    file("a directory") {
      try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
    },
    file("a pipe without a writer") { mkfifo($0, 0o600) },
    file("a link to zeros without end") { symlink("/dev/zero", $0) },
    file("a link to itself") { symlink($0, $0) },
    file("a link to nowhere") { symlink("/no/such/file", $0) },
    file("four million million bytes of holes") { path in
      try write(Array("SQLite format 3\0".utf8), path)
      truncate(path, 4 << 40)
    },
    file("dice") { path in
      var random = SystemRandomNumberGenerator()
      try write((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }, path)
    },
    file("a picture") { try write([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10] + Array(0...255), $0) },
    file("a text in one line of four million letters") {
      try write([UInt8](repeating: 0x61, count: 4_000_000), $0)
    },
  ]

  // MARK: Files that belong to it

  private static func beside(
    _ name: String, _ make: @escaping @Sendable (String) throws -> Void
  ) -> HostileFile {
    HostileFile(name: name, make: make)
  }

  private static let neighbours = [
    beside("a log of garbage") { path in
      try write([0x37, 0x7f, 6, 0x82] + [UInt8](repeating: 0x55, count: 99_999), path + "-wal")
    },
    beside("a log that is all holes") { path in
      try write([0x37, 0x7f, 6, 0x82], path + "-wal")
      truncate(path + "-wal", 4 << 40)
    },
    beside("a log with a flipped bit, and commits behind it", HostilePages.flipBitInLog),
    beside("a log that is a pipe") { mkfifo($0 + "-wal", 0o600) },
    beside("a log that is a directory") {
      try FileManager.default.createDirectory(
        atPath: $0 + "-wal", withIntermediateDirectories: false)
    },
    beside("a log that leads elsewhere") { symlink("/etc/passwd", $0 + "-wal") },
    beside("a journal that names a file to delete") { path in
      let victim = (path as NSString).deletingLastPathComponent + "/victim"
      try write([1, 2, 3], victim)
      try write(journal(naming: victim), path + "-journal")
    },
    beside("an index of garbage") { path in
      try write([UInt8](repeating: 0xff, count: 32_768), path + "-shm")
      try write([0x37, 0x7f, 6, 0x82], path + "-wal")
    },
    beside("a ring of garbage") {
      try write([UInt8](repeating: 0x74, count: 50_000), $0 + "-ring")
    },
    beside("three rings of 18 GB that are all holes") { path in
      for ending in ["-ring", "-ring-1", "-ring-2"] { try makeHoles(path + ending) }
    },
    beside("two hundred rings of 16 MB that are nearly all holes") { path in
      // Each is made anew: a copy would have zeros in place of the holes, and the disk 3 GB of them.
      for ending in ["-ring"] + (1..<200).map({ "-ring-\($0)" }) {
        try makeHoles(path + ending, pieces: 4, records: 1 << 16, logBytes: 1 << 20)
      }
    },
  ]

  /// A ring in which everything is said to wait, and nothing is.
  private static func makeHoles(
    _ path: String, pieces: UInt32 = 64, records: UInt32 = 1 << 22, logBytes: UInt64 = 1 << 30
  ) throws {
    var header = staty_ring_header()
    staty_header_describe(&header, pieces, pieces, records, logBytes)
    header.check = staty_header_check(&header)
    header.log_head.value = logBytes
    var positions = staty_piece_positions()
    positions.head.value = UInt64(records)
    var bytes = withUnsafeBytes(of: header) { Array($0) }
    for _ in 0..<pieces { bytes += withUnsafeBytes(of: positions) { Array($0) } }
    try write(bytes, path)
    truncate(path, off_t(header.file_bytes))
  }

  private static func number(_ value: Int) -> [UInt8] { HostilePages.number(value) }

  /// A rollback journal without pages, which ends with the name of the journal that it is a part of.
  private static func journal(naming name: String) -> [UInt8] {
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let text = Array(name.utf8)
    let head = magic + number(0) + number(7) + number(1) + number(512) + number(4_096)
    let end =
      number(0x4000_0001) + text + number(text.count) + number(text.reduce(0) { $0 + Int($1) })
      + magic
    return head + [UInt8](repeating: 0, count: 512 - head.count) + end
  }

  // MARK: What SQLite would run

  private static let schemas = [
    sql("a trigger", "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END"),
    sql("one view more", "CREATE VIEW more AS SELECT 1"),
    sql(
      "a view without end",
      """
      DROP VIEW sessions; CREATE VIEW sessions AS
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n
      """),
    sql(
      "a view that loads", "DROP VIEW history; CREATE VIEW history AS SELECT load_extension('x')"),
    sql("a table in place of a view", "DROP VIEW history; CREATE TABLE history(seq)"),
    sql("a column more", "ALTER TABLE event ADD COLUMN more"),
    sql(
      "a column that is computed for long",
      "ALTER TABLE name ADD COLUMN more AS (randomblob(900000000))"),
    sql(
      "a check that is computed for long",
      """
      UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ', CHECK (randomblob(99999999)
        IS NOT NULL)) STRICT') WHERE name = 'event'
      """),
    sql("an index on an expression", "CREATE INDEX i ON event(abs(seq))"),
    sql("a virtual table", "CREATE VIRTUAL TABLE v USING fts5(x)"),
    sql("a schema without words", "UPDATE sqlite_schema SET sql = NULL WHERE type = 'table'"),
    sql("a schema of one letter", "UPDATE sqlite_schema SET sql = 'x' WHERE name = 'event'"),
    sql(
      "a schema that commands a terminal",
      "UPDATE sqlite_schema SET name = char(27) || ']0;x' || char(7) WHERE name = 'event'"),
    sql("tables in each other's place", "UPDATE sqlite_schema SET rootpage = 2 WHERE rootpage > 2"),
    sql(
      "statistics of nonsense",
      "ANALYZE; UPDATE sqlite_stat1 SET stat = '1 99999999999999999999 -1'"),
  ]

  // MARK: What it says

  // Usually so many that work that grows faster than the file takes far too long.
  private static let most = isThorough ? 20_000 : 5_000
  private static let many = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(most))
    """

  private static let contents = [
    sql("a name of 40 MB", "UPDATE name SET text = hex(zeroblob(20000000)) WHERE id = 1"),
    sql("a name of 3 MB", "UPDATE name SET text = hex(zeroblob(1500000)) WHERE id = 1"),
    sql("a payload of 3 MB", "UPDATE detail SET payload = zeroblob(3000000)"),
    sql("a payload of 40 MB", "UPDATE detail SET payload = zeroblob(40000000)"),
    sql(
      "a snapshot of brackets",
      "UPDATE controller SET snapshot = '{\"waiting\":' || hex(zeroblob(0)) || "
        + "replace(hex(zeroblob(100000)), '00', '[') || '}'"),
    sql(
      "a snapshot in which \(most) wait",
      many + """
         UPDATE controller SET snapshot = '{"waiting":[' || (SELECT group_concat(
        '{"visit":' || i || ',"state":"s' || i || '"}') FROM n) || ']}'
        """),
    sql(
      "\(most) sessions",
      many + """
         INSERT INTO session(uuid, app, app_version, os, pid, wall_us, first_seq)
        SELECT 'u' || i, 'a', '', '', 1, 0, 1000000 + i FROM n
        """),
    sql(
      "\(most) controllers",
      many + """
         INSERT INTO controller(session, name, policy, discipline, fidelity, snapshot)
        SELECT 1, 1, 1, 1, 1, '{}' FROM n
        """),
    sql(
      "\(most) losses",
      many + "INSERT INTO loss SELECT 1000000 + i * 2, 1000000 + i * 2, 1, 'x' FROM n"),
    sql(
      "a loss of nearly everything", "INSERT INTO loss VALUES (100, 9223372036854775806, 9, 'x')"),
    sql("numbers at the end of all numbers", "UPDATE event SET seq = 9223372036854775807 - seq"),
    sql("times at the end of all times", "UPDATE event SET t = 9223372036854775807 - t"),
    sql("causes from nowhere", "UPDATE event SET ref = -9223372036854775807 WHERE what & 31 <> 3"),
    sql("places from nowhere", "UPDATE event SET inside = -9223372036854775807"),
    sql("kinds that nobody knows", "UPDATE event SET what = what | 31"),
    sql("no events", "DELETE FROM event"),
    beside("500 payloads of 1 MB that are one", HostilePages.shareValues),
    sql("no names", "DELETE FROM name"),
    sql("no checksums", "DELETE FROM chain; UPDATE session SET seal = NULL"),
    sql(
      "\(most) sessions that have all events",
      many + """
         INSERT INTO session(uuid, app, app_version, os, pid, wall_us, first_seq, last_seq)
        SELECT 'u' || i, '', '', '', 1, 0, 100 + i, 2000000 FROM n;
        """ + many + "INSERT INTO event(seq, t, what) SELECT 1000000 + i, i, 13 FROM n"),
    sql(
      "texts where numbers belong", "PRAGMA ignore_check_constraints = 1; DELETE FROM controller"),
  ]

  // MARK: Rows without order, or more than once

  private static let orders = [
    beside("an index that has one session 600 times, of 180 KB") { path in
      try grow(path, "UPDATE session SET app = 1, app_version = 1, os = 1")
      try HostilePages.repeatCell(of: "sqlite_autoindex_session_2", in: path)
    },
    beside("an index that leads to one session from everywhere, of 180 KB") { path in
      try grow(path, "UPDATE session SET app = 1, app_version = 1, os = 1")
      try HostilePages.leadToOne(by: "sqlite_autoindex_session_2", in: path)
    },
    beside("an index that leads to one controller from everywhere, of 60 KB") { path in
      try grow(path, "UPDATE controller SET snapshot = 1")
      try HostilePages.leadToOne(by: "controller_session", in: path)
    },
    beside("an index of 40 pages, one below the other, of entries of 1,000 values") { path in
      try HostilePages.deepen("finding_session", in: path)
    },
    beside("a page that has one loss 600 times, of 60 KB") { path in
      try grow(path, "UPDATE loss SET reason = 1")
      try HostilePages.repeatCell(of: "loss", in: path)
    },
    beside("events in no order") { try HostilePages.turnRound("event", in: $0) },
    beside("names in no order") { try HostilePages.turnRound("sqlite_autoindex_name_1", in: $0) },
    beside("a number of 3 MB in an index of numbers") {
      try HostilePages.lengthenKey(of: "controller_session", in: $0)
    },
  ]

  /// Makes texts of 60 KB where the SQL has a 1.
  private static func grow(_ path: String, _ sql: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql.replacing("= 1", with: "= hex(zeroblob(30000))"))
    try connection.close()
  }

  // MARK: What takes long

  /// The numbers from 1 to this one.
  private static func count(to last: Int) -> String {
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(last)) "
  }

  private static let begin = """
    DELETE FROM loss; DELETE FROM event; INSERT INTO event(seq, t, what) VALUES (1, 0, 16385);
    UPDATE session SET last_seq = 9000, stored = 9000, observed = 9000;
    """

  private static let costs = [
    sql("a payload of 60 KB under a wrong checksum", "UPDATE detail SET payload = zeroblob(60000)"),
    sql(
      "a note of 4 KB with each event, under a wrong checksum",
      """
      INSERT OR IGNORE INTO detail(seq) SELECT seq FROM event;
      UPDATE detail SET note = hex(zeroblob(2000)), payload = zeroblob(4000)
      """),
    sql(
      "60 sessions of texts of 64 KB, under wrong seals",
      count(to: 60) + """
        INSERT INTO session(uuid, app, app_version, os, pid, wall_us, first_seq, ended, seal)
        SELECT i || hex(zeroblob(2000)), hex(zeroblob(32000)), '', '', 1, 0, 1000 + i, 'clean', 1 FROM n
        """),
    sql(
      "controllers and losses of 4 KB with names of 60 KB, under a wrong seal",
      """
      UPDATE name SET text = id || hex(zeroblob(30000)); UPDATE session SET seal = 1;
      UPDATE controller SET snapshot = '{"a":"' || hex(zeroblob(2000)) || '"}';
      """ + count(to: 50)
        + "INSERT INTO loss SELECT 1000 + i, 1000 + i, 1, hex(zeroblob(2000)) FROM n"
    ),
    sql(
      "1,500 moves where routes of 340 KB are declared",
      begin + """
        UPDATE controller SET snapshot = '{"routes":[' || (\(count(to: 20_000))
          SELECT group_concat('{"to":"m' || i || '"}') FROM n) || ']}' WHERE id = 1;
        """ + count(to: 1_500) + "INSERT INTO name(id, text) SELECT 1000 + i, 'm' || i FROM n; "
        + count(to: 6_000) + """
          INSERT INTO event(seq, t, what, visit, state)
          SELECT 1 + i, i, 16384 + substr('4567', 1 + i % 4, 1), 1 + i / 4, 1001 + (i / 4) % 1500 FROM n
          """),
    sql(
      "3,000 who wait for one that holds back, by a snapshot of 3 MB",
      begin + """
        UPDATE controller SET snapshot = '{"a":"' || hex(zeroblob(1500000)) || '","isWithholding":true}'
        WHERE id = 1;
        """ + count(to: 3_000) + """
          INSERT INTO event(seq, t, what, visit, state) SELECT 1 + i, i, 16387, i, 1 FROM n
          """),
  ]
}
