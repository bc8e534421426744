import Staty
import Foundation
import StatyHistory
import StatyReading
import StatySQLite
import Testing

@Suite("The views")
struct ViewTests {
  let history: TemporaryHistory

  init() throws {
    history = try TemporaryHistory()
    try history.write(HandMadeHistory.write)
  }

  @Test("every column of every view is documented, in order, and no other")
  func documented() throws {
    for view in HistoryViews.names {
      let documented = HistoryViews.documentation.filter { $0.view == view }
      #expect(
        try history.query("SELECT name FROM pragma_table_info('\(view)')")
          == documented.map(\.column))
      #expect(documented.allSatisfy { $0.sentence.hasSuffix(".") })
    }
    #expect(
      try history.query(
        "SELECT name FROM sqlite_schema WHERE type = 'view' AND name NOT GLOB '_*' ORDER BY name")
        == HistoryViews.names.sorted())
  }

  @Test("`history` has a row for each event")
  func events() throws {
    #expect(
      try history.query("SELECT * FROM history WHERE session = 1 AND seq IN (1, 4, 7, 11, 13)")
        == [
          "1|1|checkout|1|loading|enqueued||0.0|2023-11-14T22:13:20.000Z||||||2||",
          "1|4|checkout|2|content|enqueued||20.0|2023-11-14T22:13:20.020Z||||1||2|abc|",
          "1|7|checkout|3|alert|discarded|replaced|25.0|2023-11-14T22:13:20.025Z|6|6|handled|||2||",
          "1|11|checkout|2|content|exited||50.0|2023-11-14T23:13:20.050Z||||||2||",
          "1|13|sheet|1|sheet|entering||56.0|2023-11-14T23:13:20.056Z|12|12|handled|||2||",
        ])
    #expect(
      try history.query("SELECT * FROM history WHERE seq = 21")
        == ["2|21||||mark||3.0|2023-11-15T01:00:00.126Z||||||2||"])
    #expect(try history.query("SELECT count(*) FROM history") == ["19"])
    #expect(try history.query("SELECT min(seq) FROM history WHERE session = 2") == ["18"])
  }

  @Test("`sessions` has a row for each session")
  func sessions() throws {
    #expect(
      try history.query("SELECT * FROM sessions") == [
        "1|first|Shop|1.2|Linux 6|2023-11-14T22:13:20.000Z|100.0|killed|2|15|2|0|first",
        "2|second|Shop|1.2|Linux 6|2023-11-15T01:00:00.123Z|3.0|clean|1|4|0|0|second",
      ])
  }

  @Test("`visits` has a row for each visit, and says what became of it")
  func visits() throws {
    #expect(
      try history.query("SELECT * FROM visits ORDER BY session, controller, visit") == [
        "1|checkout|1|loading|0.0|1.0|11.0|30.0|40.0|exited",
        "1|checkout|2|content|20.0|21.0|41.0||50.0|self-exit",
        "1|checkout|3|alert|25.0|||||replaced",
        "1|checkout|4|loading|60.0|||||unknown",
        "1|checkout|5|content|100.0|||||killed",
        "1|sheet|1|sheet|55.0|56.0||||unknown",
        "2|checkout|1|loading|0.0|1.0|2.0|||open",
      ])
    #expect(
      try history.query("SELECT visit, state FROM visits WHERE session = 2") == ["1|loading"])
  }

  @Test("a visit does not count as exiting by itself if the call to exit may be lost")
  func lostTelling() throws {
    func outcome(_ fidelity: Fidelity, isLossy: Bool) throws -> [String] {
      let history = try TemporaryHistory()
      try history.tell { tale in
        try tale.controller(fidelity: fidelity)
        tale.visit(1, "content", asked: 1, told: 2, entered: 3)
        if isLossy { tale.lose() }
        tale.add(9, .exited, 1, "content")
        try tale.end(at: 10)
      }
      return try history.query("SELECT outcome FROM visits")
    }
    #expect(try outcome(.full, isLossy: true) == ["exited"])
    #expect(try outcome(.full, isLossy: false) == ["self-exit"])
    #expect(try outcome(.threeKind, isLossy: false) == ["exited"])
  }

  @Test("what was open when its controller was released did not end with the process")
  func released() throws {
    let history = try TemporaryHistory()
    try history.tell { tale in
      try tale.controller()
      tale.visit(1, "content", asked: 1, told: 2, entered: 3)
      tale.add(4, .detached)
      try tale.controller("sheet", at: 5)
      tale.visit(1, "sheet", asked: 6, told: 7, entered: 8, controller: 1)
      try tale.end(at: 10, .killed)
    }
    #expect(
      try history.query("SELECT controller, outcome FROM visits ORDER BY controller")
        == ["checkout|open", "sheet|killed"])
  }

  @Test("`losses` has a row for each gap, with the session that owns its numbers")
  func losses() throws {
    #expect(try history.query("SELECT * FROM losses") == ["1|15|16|2|lane full"])
    try history.tamper("INSERT INTO loss VALUES (22, 30, 5, 'unfinished')")
    #expect(
      try history.query("SELECT * FROM losses WHERE session = 2") == ["2|22|30|5|unfinished"])
    #expect(try history.query("SELECT lost FROM sessions") == ["2", "5"])
  }

  @Test("a filter on session reads that session's numbers only", arguments: HistoryViews.names)
  func plan(view: String) throws {
    let connection = try Connection(path: history.path, mode: .readOnly)
    let plan = try connection.prepare(
      "EXPLAIN QUERY PLAN SELECT * FROM \(view) WHERE session = 2")
    var steps: [String] = []
    while try plan.step() { steps.append(try plan.string(at: 3) ?? "") }
    #expect(steps.contains { $0.hasPrefix("SEARCH s USING INTEGER PRIMARY KEY (rowid=?)") })
    #expect(!steps.contains { $0 == "SCAN e" || $0 == "SCAN s" }, "\(steps)")
    if view == "history" || view == "visits" {
      let range =
        "SEARCH \(view == "history" ? "e" : "v") USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"
      #expect(steps.contains(range), "\(steps)")
    }
    if view == "losses" {
      #expect(steps.contains { $0.hasPrefix("SEARCH l USING INTEGER PRIMARY KEY") }, "\(steps)")
    }
  }

  #if os(macOS) || os(Linux)
    @Test("the command line tool `sqlite3` can read them")
    func commandLine() throws {
      let tool = "/usr/bin/sqlite3"
      guard FileManager.default.isExecutableFile(atPath: tool) else { return }
      for (query, expected) in [
        ("SELECT count(*) FROM history", "19"), ("SELECT count(*) FROM visits", "7"),
        ("SELECT uuid FROM sessions WHERE session = 2", "second"),
        ("SELECT reason FROM losses", "lane full"),
      ] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = ["-readonly", history.path, query]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(String(decoding: data, as: UTF8.self) == expected + "\n")
      }
    }
  #endif
}
