import Foundation
import Staty
@testable import StatyCommand
import StatyHistory
import Testing

/// `check` for continuous integration, and with the user's own rules.
@Suite struct OwnRuleTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try Binary(["check", "history.sqlite"] + arguments, in: place.directory)
    #expect(run.status == status, "\(run.err)", sourceLocation: sourceLocation)
    try expectGolden(run.transcript, name, sourceLocation: sourceLocation)
  }

  private func rule(_ name: String, _ sql: String) throws {
    try? FileManager.default.createDirectory(
      atPath: place.path("rules"), withIntermediateDirectories: false)
    try Data(sql.utf8).write(to: URL(fileURLWithPath: place.path("rules/" + name)))
  }

  @Test func `a finding is a line, or a case of JUnit`() throws {
    try place.write(.overlapping("mine"), .clean)
    try expect(["--oneline"], "check-oneline", status: 1)
    try expect(["--oneline", "-q", "--session=2", "none.sqlite"], "check-oneline-none", status: 66)
    let run = try Binary(
      ["check", "history.sqlite", "none.sqlite", "--junit=out.xml", "-q"], in: place.directory)
    #expect(run.status == 66)
    try expectGolden(
      String(contentsOfFile: place.path("out.xml"), encoding: .utf8), "check-junit")
    #expect(Capture(["check", "--oneline", "--json", place.path()]).status == .usage)
    for verb in ["check", "replay"] {
      #expect(Capture([verb, "--junit", "-", place.path()]).status == .usage)
    }
  }

  @Test func `a rule written in SQL finds what it selects`() throws {
    try place.write(.clean, .overlapping("mine"))
    try rule(
      "late-alert.sql",
      """
      -- severity: warning
      -- sentence: An alert came in.
      SELECT session, seq, controller, visit, state FROM history
      WHERE kind = 'entered' AND state = 'alert'
      """)
    try rule(
      "many.sql",
      "SELECT session, max(seq) AS seq, 'warning' AS severity, count(*) || ' events' AS detail "
        + "FROM history GROUP BY session HAVING count(*) > 10")
    try rule("README.md", "no rule")
    try expect(["--rules=rules"], "check-rules", status: 1)
    try expect(["--rules=rules", "--oneline", "--session=1"], "check-rules-oneline", status: 0)
    try expect(
      ["--rules=rules", "--session=1", "--strict", "--json"], "check-rules-json", status: 1)
    try expect(["--rules=rules", "--session=1", "--format=csv"], "check-rules-csv", status: 0)
  }

  @Test func `a rule that is none is told with its file and place`() throws {
    try place.write(.clean)
    for (sql, words) in [
      "SELECT seq FROM history": "gives no column 'session'",
      "SELECT session, seq, 1 AS x FROM history": "gives a column 'x' that means nothing",
      "SELECT session, sq FROM history": "no such column: sq.",
      "SELECT session, 'a' AS seq FROM history": "is no whole number",
      "-- severity: bad\nSELECT session, seq FROM history": "the severity is 'bad'",
      "SELECT session, seq, 'x' AS severity FROM history": "gives the severity 'x'",
      "SELECT session + 7 AS session, seq FROM history": "gives the session 8, which",
      "SELECT session, seq + 99 AS seq FROM history": "gives the event 100, which session 1 of",
      "SELECT session, -1 AS seq FROM history": "gives the event -1, which session 1 of",
      "DELETE FROM history": "it does more than read",
      "SELECT 1 AS session, seq FROM event": "there is no view 'event'",
      "": "there is no statement",
    ] {
      try rule("mine.sql", sql)
      let run = Capture(["check", "--rules", place.path("rules"), place.path()])
      #expect(run.status == .usage, "\(sql)")
      #expect(run.err.contains(words) && run.err.contains("rules/mine.sql'"), "\(run.err)")
    }
    try FileManager.default.removeItem(atPath: place.path("rules/mine.sql"))
    #expect(Capture(["check", "--rules", place.path("rules"), place.path()]).status == .noInput)
    #expect(Capture(["check", "--rules", place.path("none"), place.path()]).status == .noInput)
    for name in ["overlap.sql", "Mine.sql", ".sql"] {
      try rule(name, "SELECT session, seq FROM history")
      let run = Capture(["check", "--rules", place.path("rules"), place.path()])
      #expect(run.status == (name == ".sql" ? .noInput : .usage), "\(run.err)")
      try FileManager.default.removeItem(atPath: place.path("rules/" + name))
    }
  }

  @Test func `a rule may give what is missing, and not what another session has`() throws {
    var story = Story.clean
    story.lose(2)
    try place.write(story, .clean)
    try rule("mine.sql", "SELECT session, last_seq AS seq, 'warning' AS severity FROM losses")
    let arguments = ["check", "--rules", place.path("rules"), place.path()]
    #expect(Capture(arguments).status == .done)
    try rule("mine.sql", "SELECT 1 AS session, max(seq) AS seq FROM history")
    let run = Capture(arguments)
    #expect(
      run.status == .usage && run.err.contains("gives the event 30, which session 1"), "\(run.err)")
  }

  @Test func `a rule that runs out of time says so in its own words, and is not asked again`()
    throws
  {
    try place.write(.overlapping("mine"))
    try rule(
      "endless.sql",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        + "SELECT 1 AS session, count(*) AS seq FROM n")
    try rule("fine.sql", "SELECT session, seq FROM history WHERE kind = 'exited'")
    let history = try OpenHistory(place.path())
    var rules = try OwnRules(in: place.path("rules"), patience: .milliseconds(50))
    var places: [FoundPlace] = []
    let failures = try rules.findings(in: history) { places.append($0) }
    let failure = try #require(failures.first)
    #expect(failures.count == 1 && failure.status == .inconclusive)
    #expect(failure.message.hasPrefix("The rule '\(place.path("rules/endless.sql"))' was stopped"))
    #expect(failure.advice.hasPrefix("It is not asked of the files that follow."))
    #expect(places.map(\.code) == ["fine"])
    #expect(try rules.findings(in: history) { places.append($0) }.isEmpty)
    #expect(places.map(\.code) == ["fine", "fine"])
  }

  @Test func `what has a meaning in XML has none in a name`() throws {
    try place.write(Story.overlapping("mine"), to: "a<b&\"\u{338}.sqlite")
    let run = try Binary(
      ["check", "a<b&\"\u{338}.sqlite", "--junit=out.xml", "-q"], in: place.directory)
    #expect(run.status == 1)
    let parser = XMLWellFormed()
    #expect(try parser.parse(place.path("out.xml")))
  }
}

/// Asks Python whether a file is XML.
private struct XMLWellFormed {
  func parse(_ path: String) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", path,
    ]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
