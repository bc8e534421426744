import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatyReading
import StatySQLite
import Testing

@Suite("The checksum chain")
struct ChainTests {
  let history: TemporaryHistory
  /// The small history, written once for all that change it.
  private static let written = Result {
    let history = try TemporaryHistory()
    try history.write(SmallHistory.write)
    return try Data(contentsOf: URL(fileURLWithPath: history.path))
  }

  init() throws { history = try TemporaryHistory(Self.written.get()) }

  @Test("what was written and left alone has no damage")
  func untouched() throws {
    #expect(try history.damage() == nil)
  }

  @Test("rows that come after a session has ended are sealed with it")
  func late() throws {
    try history.write { writer in
      try writer.resume(session: 1)
      try writer.endSession(1, .killed)
      let row = EventRow(seq: 30, time: 9_000_000, kind: .mark)
      #expect(try writer.append([row], to: 1, observed: 40) == 1)
      try writer.recordLoss(first: 11, last: 29, count: 19, reason: "unfinished")
      try writer.recordLoss(first: 31, last: 40, count: 10, reason: "unfinished")
    }
    #expect(try history.damage() == nil)
    try history.tamper("UPDATE session SET observed = 41")
    #expect(try history.damage()?.kind == .session)
  }

  @Test(
    "every column of every event counts",
    arguments: [
      "t = t + 1", "t = -t - 1", "what = what + 1", "what = what | 7 << 5",
      "what = what + (1 << 8)", "what = what + (1 << 14)", "what = what + (1 << 50)",
      "visit = coalesce(visit, 0) + 1", "visit = coalesce(visit, 0) + (1 << 32)",
      "state = coalesce(state, 0) % 4 + 1", "inside = coalesce(inside, 0) + 1",
      "inside = coalesce(inside, 0) + 4", "ref = coalesce(ref, 0) % 2 + 1", "ref = 77",
      "seq = seq + 100",
    ], SmallHistory.rows.map(\.seq))
  func everyColumn(change: String, seq: Int64) throws {
    try history.tamper("UPDATE event SET \(change) WHERE seq = \(seq)")
    let damage = try #require(try history.damage())
    #expect(damage.firstSeq <= seq)
  }

  @Test(
    "every column of every detail counts",
    arguments: [
      "priority = coalesce(priority, 0) + 1",
      "equality = coalesce(equality, -1) + 1", "answers = coalesce(answers, 0) + 1",
      "asked = coalesce(asked, 0) % 4 + 1", "objection = coalesce(objection, 0) + 1",
      "refusal = coalesce(refusal, 0) + 1", "refused_from = coalesce(refused_from, 0) % 4 + 1",
      "refused_needs = coalesce(refused_needs, 0) % 4 + 1", "step = coalesce(step, 0) + 1",
      "note = coalesce(note, '') || 'x'",
      "payload = CAST(coalesce(payload, x'') || x'00' AS BLOB)", "seq = seq + 100",
      "seq = seq - 1 - (seq = 6)",
    ], SmallHistory.details.map(\.seq))
  func everyDetail(change: String, seq: Int64) throws {
    try history.tamper("UPDATE detail SET \(change) WHERE seq = \(seq)")
    #expect(try history.damage() != nil)
  }

  @Test(
    "what the numbers stand for counts, and so does the session",
    arguments: [
      "UPDATE name SET text = text || ' ' WHERE text = 'loading'",
      "UPDATE name SET text = text || char(0) WHERE text = 'content'",
      "UPDATE site SET line = line + 1 WHERE id = 1", "UPDATE site SET file = 'x' WHERE id = 2",
      "UPDATE controller SET name = 3 WHERE id = 2", "UPDATE controller SET policy = 3",
      "UPDATE controller SET fidelity = 3", "UPDATE controller SET snapshot = '{}'",
      // For a controller without its `attached`.
      "UPDATE controller SET policy = 3 WHERE id = 2",
      "UPDATE controller SET snapshot = '{m' WHERE id = 2",
      "UPDATE session SET uuid = 'other'", "UPDATE session SET wall_us = wall_us + 1",
      "UPDATE session SET os = 'other'", "UPDATE session SET stored = stored + 1",
      "UPDATE session SET last_seq = 11", "UPDATE session SET last_seq = NULL",
      "UPDATE session SET app = 'other'", "UPDATE session SET app_version = 'other'",
      "UPDATE session SET pid = pid + 1", "UPDATE session SET first_seq = first_seq - 1",
      "UPDATE session SET last_us = last_us + 1", "UPDATE session SET observed = observed - 1",
      "UPDATE session SET ended = 'open'", "UPDATE session SET ended = 'killed'",
      "UPDATE anchor SET wall_us = wall_us + 1", "UPDATE anchor SET t_us = t_us + 1",
      "INSERT INTO anchor SELECT session, 7, wall_us FROM anchor", "DELETE FROM anchor",
      "UPDATE loss SET reason = 'other'", "UPDATE loss SET count = count + 1", "DELETE FROM loss",
      "INSERT INTO loss VALUES (11, 12, 2, 'lane full')",
      "UPDATE chain SET sum = sum + 1", "UPDATE chain SET count = count + 1",
      "UPDATE chain SET last_seq = last_seq + 1", "DELETE FROM chain",
      "DELETE FROM chain; DELETE FROM event; DELETE FROM detail",
      "UPDATE session SET followed = followed - 1", "UPDATE session SET followed = 0",
      "UPDATE session SET run = 'other'", "UPDATE session SET run = ''",
      "UPDATE visit SET state = coalesce(state, 0) % 4 + 1",
    ])
  func surroundings(change: String) throws {
    try history.tamper(change)
    #expect(try history.damage() != nil)
  }

  /// A view shows a 0, and a null it does not.
  @Test("a 0 where nothing was stored is noticed")
  func zeros() throws {
    var count = 0
    for (table, columns) in [
      "event": ["visit", "state", "inside", "ref"], "asking": ["instance", "origin"],
      "detail": [
        "priority", "equality", "answers", "asked", "objection", "refusal", "refused_from",
        "refused_needs", "step", "age",
      ],
      "visit": [
        "state", "\"from\"", "asked", "turn", "free", "told", "entered", "dismissed", "gone",
      ],
    ] {
      for column in columns {
        let fresh = try ChainTests().history
        let changed = try fresh.tamper(
          """
          UPDATE \(table) SET \(column) = 0
          WHERE seq = (SELECT min(seq) FROM \(table) WHERE \(column) IS NULL)
          """)
        if changed == 0 { continue }
        count += changed
        #expect(try fresh.damage() != nil, "\(table).\(column)")
      }
    }
    #expect(count > 15)
  }

  @Test("a missing event is named", arguments: [(1, 2, 2), (4, 4, 4), (10, 10, 10)])
  func missing(seq: Int64, low: Int64, high: Int64) throws {
    try history.tamper("DELETE FROM event WHERE seq = \(seq)")
    let damage = try #require(try history.damage())
    // The last and the fifth event have details, which now stray.
    #expect(damage.kind == (seq == 10 ? .added : .missing))
    #expect(damage.firstSeq == seq)
  }

  @Test("an invented event is noticed: inside, before and after")
  func invented() throws {
    for seq in [8, 11, 1_000] {
      let fresh = try ChainTests().history
      try fresh.tamper("INSERT INTO event(seq, t, what) VALUES (\(seq), 55, 13)")
      let damage = try #require(try fresh.damage())
      #expect(damage.kind == .added)
      #expect(damage.firstSeq == (seq == 8 ? 1 : Int64(seq)))
    }
  }

  @Test("two events that change places are noticed, and so is one moved into a gap")
  func swapped() throws {
    try history.tamper(
      """
      UPDATE event SET seq = -1 WHERE seq = 3; UPDATE event SET seq = 3 WHERE seq = 4;
      UPDATE event SET seq = 4 WHERE seq = -1
      """)
    #expect(try history.damage()?.kind == .changed)
    let moved = try ChainTests().history
    try moved.tamper("UPDATE event SET seq = 8 WHERE seq = 9")
    #expect(try moved.damage()?.kind == .changed)
  }

  @Test("a loss that is laid over an event that is there is noticed, sealed or not")
  func lossOverEvent() throws {
    for seq in [1, 4, 10] {
      let fresh = try ChainTests().history
      try fresh.tamper(
        "INSERT INTO loss VALUES (\(seq), \(seq), 1, 'x'); UPDATE session SET seal = NULL")
      let damage = try #require(try fresh.damage())
      #expect(damage.kind == .notLost && damage.firstSeq == seq)
    }
    // Of three numbers one has an event: two are lost, and three cannot be.
    try history.tamper("DELETE FROM loss; INSERT INTO loss VALUES (7, 9, 1, 'x')")
    #expect(try history.damage()?.kind == .session)
    try history.tamper("UPDATE loss SET count = 2")
    #expect(try history.damage()?.kind == .notLost)
  }

  @Test(
    "numbers that are lost twice, or neither stored nor lost when the session is over, are noticed",
    arguments: [
      "INSERT INTO loss VALUES (11, 15, 5, 'a'), (13, 20, 8, 'b'); UPDATE session SET observed = 20",
      "UPDATE session SET observed = 20", "UPDATE loss SET count = 0",
    ])
  func unaccounted(change: String) throws {
    try history.tamper(change)
    try history.write { try $0.reseal(session: 1) }
    #expect(try history.damage()?.kind == .session)
  }

  @Test("numbers that a session has drawn may come while it is open")
  func unaccountedSoFar() throws {
    try history.tamper("UPDATE session SET observed = 20, ended = 'open'")
    try history.write { try $0.reseal(session: 1) }
    #expect(try history.damage() == nil)
  }

  @Test("the seal grows with a session, and one that is missing is damage")
  func sealing() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      _ = try writer.beginSession(.test())
      try writer.append((1...9).map { EventRow(seq: $0 * 2, time: $0, kind: .mark) })
      try writer.recordMissing(from: 1, through: 18) { "\($0) dropped" }
      try writer.recordLoss(first: 17, last: 17, count: 1, reason: "another")
      try writer.addAnchor(session: 1, time: 5, wallTime: 1_700_000_000_000_009)
      try writer.addAnchor(session: 1, time: 5, wallTime: 1_700_000_000_000_010)
    }
    #expect(try history.damage() == nil)
    try history.tamper("UPDATE session SET seal = NULL, ended = 'killed'")
    #expect(try history.damage()?.kind == .session)
    try history.write { try $0.addAnchor(session: 1, time: 6, wallTime: 1_700_000_000_000_010) }
    #expect(try history.damage()?.kind == .session)
    try history.write { try $0.endSession(1, .clean) }
    #expect(try history.damage() == nil)
    try history.tamper("UPDATE session SET ended = 'killed'")
    #expect(try history.damage()?.kind == .session)
  }

  @Test("it holds when names, places, controllers, the session and all numbers are moved")
  func renumbered() throws {
    try history.tamper(
      """
      PRAGMA foreign_keys = 0;
      UPDATE name SET id = id + 1000; UPDATE site SET id = id + 50;
      UPDATE event SET state = state + 1000,
        ref = ref + 50 * (what & 31 = 3), what = what + (30 << 14)
      WHERE what >> 14 > 0;
      UPDATE controller SET id = id + 30, name = name + 1000, policy = policy + 1000, session = 9;
      UPDATE anchor SET session = 9; UPDATE detail SET asked = asked + 1000,
        refused_from = refused_from + 1000, refused_needs = refused_needs + 1000;
      UPDATE event SET seq = -seq; UPDATE event SET seq = 500 - seq;
      UPDATE detail SET seq = -seq; UPDATE detail SET seq = 500 - seq;
      UPDATE asking SET seq = seq + 500;
      UPDATE visit SET seq = -seq, what = what + (30 << 5), state = state + 1000,
        "from" = CASE WHEN "from" > 0 THEN "from" + 1000 ELSE "from" END;
      UPDATE visit SET seq = 500 - seq;
      UPDATE chain SET first_seq = first_seq + 500, last_seq = last_seq + 500;
      UPDATE loss SET first_seq = first_seq + 500, last_seq = last_seq + 500;
      UPDATE session SET id = 9, first_seq = first_seq + 500, last_seq = last_seq + 500,
        followed = followed + 500
      """)
    #expect(try history.damage(session: 9) == nil)
  }

  @Test("in a long session the run is named, and the runs before it are known to be whole")
  func longSession() throws {
    let long = try TemporaryHistory()
    try long.write { writer in
      _ = try writer.beginSession(.test())
      for start in stride(from: Int64(1), to: 20_000, by: 1_000) {
        try writer.append((start..<start + 1_000).map { EventRow(seq: $0, time: $0, kind: .mark) })
      }
    }
    try long.tamper("UPDATE event SET t = t + 1 WHERE seq = 10000")
    let damage = try #require(try long.damage())
    #expect(damage.firstSeq == 8_193 && damage.lastSeq == 12_288)
    #expect(damage.description == "an event was changed somewhere from 8193 to 12288")
    try long.tamper(
      "DELETE FROM chain WHERE first_seq = 4097; DELETE FROM event WHERE seq BETWEEN 4097 AND 8192")
    #expect(try long.damage() != nil)
    try long.tamper("DELETE FROM event WHERE seq > 4096; DELETE FROM chain WHERE first_seq > 4096")
    #expect(try long.damage()?.description == "an event is missing somewhere from 4097 to 20000")
  }

  @Test("a tool that has edited can seal anew")
  func reseal() throws {
    try history.tamper(
      """
      UPDATE name SET text = 'secret' WHERE text = 'loading'; DELETE FROM event WHERE seq = 9;
      INSERT INTO loss VALUES (9, 9, 1, 'x')
      """)
    #expect(try history.damage() != nil)
    let writer = try HistoryWriter(path: history.path)
    try writer.reseal(session: 1)
    try writer.close()
    #expect(try history.damage() == nil)
    #expect(try history.query("SELECT stored, last_seq FROM session") == ["8|10"])
  }
}
