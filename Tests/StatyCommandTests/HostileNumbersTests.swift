import StatisticsOracle
import Staty
import StatyCommand
import StatyHistory
import StatySQLite
import Testing

/// Files with right checksums and numbers that no recorder would write.
///
/// With `STATY_HOSTILE`, all other parts of the tool read each file; otherwise they take turns.
@Suite struct HostileNumbersTests {
  // The last one has 1 in its lower half.
  private static let extremes = [
    "-9223372036854775807 - 1", "9223372036854775807", "-1", "2147483647", "4294967297",
    "\(HistoryFile.mostNumber)",
  ]

  private static let columns = [
    "event SET t", "event SET what", "event SET visit", "event SET state", "event SET inside",
    "event SET ref", "session SET wall_us", "session SET last_us", "session SET observed",
    "session SET pid", "anchor SET wall_us", "anchor SET t_us", "name SET id", "site SET id",
    "site SET line", "controller SET id", "controller SET fidelity", "loss SET count",
    "loss SET first_seq", "loss SET last_seq", "session SET first_seq", "session SET last_seq",
    "session SET stored", "event SET seq", "chain SET last_seq", "chain SET count",
    "asking SET seq",
  ]

  private static let main = [
    ["check"], ["replay", "--once"], ["show"], ["timeline"], ["doctor"], ["sessions"],
  ]
  private static let others = [
    ["replay", "--once", "--json", "--until=7"],
    ["replay", "--once", "--what-if", "--delay=6=365m"],
    ["replay", "--once", "--with=staty-2019", "--insert=after 2: other"],
    ["diff"], ["show", "--json", "--since=10m", "--reverse"], ["show", "--around=3"],
    ["timeline", "--since=10m", "--limit=1"], ["play"], ["play", "--at=3"],
    ["timeline", "--svg", "--finding=3"], ["timeline", "--svg", "--finding=#1"],
    ["graph", "--sequence"],
  ]

  /// A changed file with new checksums, where they can be made.
  private func tampered(_ sql: String) throws -> Place {
    let place = try Place()
    var story = Story.overlapping("queue")
    story.lose(2)
    story.addController("cart")
    story.add(.exiting, 2)
    try place.write(story)
    try place.tamper("PRAGMA foreign_keys = 0; " + sql)
    if let writer = try? HistoryWriter(path: place.path()) {
      try? writer.reseal(session: 1)
      try? writer.close()
    }
    return place
  }

  /// - Parameter turn: with which of the others it begins; usually only every fifth is tried.
  /// - Returns: what the check said.
  @discardableResult
  private func expectNoTrap(_ sql: String, turn: Int? = nil) throws -> Int32 {
    let place = try tampered(sql)
    var statuses: [Int32] = []
    let others = Self.others.enumerated().filter { other in
      guard let turn, !HostileFile.isThorough else { return true }
      return (other.offset + turn) % 5 == 0
    }
    for arguments in Self.main + others.map(\.element) {
      let second = arguments == ["diff"] ? [place.path()] : []
      let run = Capture(arguments + second + [place.path()])
      let status = run.status.rawValue
      #expect([0, 1, 2, 64, 65].contains(status), "\(sql), \(arguments): \(run.err)")
      statuses.append(status)
    }
    // Salvage takes as long as all the others: usually every second value is tried.
    if let turn, turn % 2 == 1, !HostileFile.isThorough { return statuses[0] }
    let salvage = Capture(["doctor", place.path(), "--salvage", place.path("saved.sqlite")])
    #expect([0, 2, 65].contains(salvage.status.rawValue), "\(sql), salvage: \(salvage.err)")
    return statuses[0]
  }

  @Test(arguments: columns) func `are refused or told, and nothing traps`(column: String) throws {
    let table = column.prefix { $0 != " " }
    // A table without numbers of rows of its own has but one row here.
    let row = table == "anchor" ? "" : "WHERE rowid = (SELECT max(rowid) FROM \(table))"
    // Of five values each, so that each of the others looks into every column.
    for (turn, value) in Self.extremes.enumerated() {
      try expectNoTrap("UPDATE \(column) = \(value) \(row)", turn: turn)
    }
  }

  @Test(
    arguments: [
      ("INSERT INTO name VALUES (2147483647, 'far')", 1),
      ("INSERT INTO site VALUES (2147483647, 'far', 1)", 1),
      ("INSERT INTO loss VALUES (9223372036854775807, 9223372036854775807, 1, 'far')", 65),
      ("INSERT INTO loss VALUES (20, 9223372036854775807, -1, 'all')", 65),
      ("INSERT INTO loss VALUES (20, \(HistoryFile.mostNumber), 1, 'all')", 1),
    ] as [(String, Int32)])
  func `rows that nobody names are no trap either`(sql: String, status: Int32) throws {
    // The checksums of those that are checked hold, so that they are not refused before they are gone
    // through.
    #expect(try expectNoTrap(sql) == status)
  }

  @Test func `a loss before the first session is nobody's, and refused`() throws {
    let sql = "INSERT INTO loss VALUES (-9223372036854775807, 9223372036854775807, -1, 'all')"
    #expect(try expectNoTrap(sql) == 65)
  }

  @Test func `a controller number with the lower half of another's is refused`() throws {
    let sql =
      "INSERT INTO controller(id, session, name, policy, discipline, fidelity, snapshot) "
      + "SELECT id + 4294967296, session, name, policy, discipline, fidelity, snapshot "
      + "FROM controller WHERE id = 1"
    #expect(try expectNoTrap(sql) == 65)
  }
}
