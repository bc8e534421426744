import Foundation
import Staty
import StatyHistory
import StatySQLite
import Testing

/// What `stats` and `stuck` say, word for word.
@Suite struct StatsTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32 = 0, columns: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try place.expect(
      arguments, name, status: status, columns: columns, sourceLocation: sourceLocation)
  }

  /// A session in which all is well, and one in which the third state is asked for, and the second
  /// neither leaves nor is heard of after a gap.
  private func writeTwo() throws {
    var story = Story()
    story.play()
    story.add(.enqueued, 4)
    story.add(.exiting, 3)
    story.wait(seconds: 95)
    story.add(.enqueued, 5)
    try place.write(.clean, story)
  }

  @Test func `an overview has what matters most of each view`() throws {
    try writeTwo()
    try expect(["stats", "history.sqlite"], "stats")
    try expect(["stats", "history.sqlite", "--session", "1"], "stats-40", columns: 40)
    try expect(["stats", "history.sqlite", "--format", "markdown"], "stats-markdown")
    try expect(["stats", "--format=csv", "history.sqlite"], "stats-error-csv", status: 64)
  }

  @Test func `each view can be printed by its name`() throws {
    try writeTwo()
    try expect(["stats", "dwell", "history.sqlite"], "stats-dwell")
    try expect(["stats", "waits", "history.sqlite", "--state", "alert"], "stats-waits")
    try expect(["stats", "transitions", "history.sqlite"], "stats-transitions")
    try expect(["stats", "slowest", "history.sqlite", "--limit=2"], "stats-slowest")
    try expect(["stats", "slowest", "history.sqlite", "--limit=1", "--json"], "stats-slowest-json")
    try expect(["stats", "dwell", "history.sqlite", "--format=csv"], "stats-dwell-csv")
    try expect(["stats", "dwell", "history.sqlite", "--format=markdown"], "stats-dwell-markdown")
  }

  @Test func `stuck visits are listed, from several files too`() throws {
    try writeTwo()
    try place.write(.clean, to: "b.sqlite")
    try expect(["stuck", "history.sqlite", "b.sqlite"], "stuck")
    try expect(["stuck", "history.sqlite", "--format", "ndjson"], "stuck-ndjson")
    try expect(["stuck", "b.sqlite"], "stuck-none")
    try expect(["stuck", "history.sqlite"], "stuck-40", columns: 40)
    for view in ["dwell", "waits", "transitions", "slowest"] {
      try expect(["stats", view, "history.sqlite"], "stats-\(view)-40", columns: 40)
    }
  }

  @Test func `what is not there is told`() throws {
    try writeTwo()
    try expect(["stats", "dwell"], "stats-error-file", status: 64)
    try expect(["stats", "history.sqlite", "dwell"], "stats-error-behind", status: 64)
    try expect(["stats", "dwel", "history.sqlite"], "stats-error-slip", status: 64)
    try expect(["stats", "stuck", "history.sqlite"], "stats-error-stuck", status: 64)
    try expect(
      ["stats", "dwell", "history.sqlite", "--controller", "chekout"], "stats-error-controller",
      status: 64)
    try expect(["stuck", "history.sqlite", "--session", "7"], "stuck-error-session", status: 64)
    try expect(
      ["stats", "dwell", "history.sqlite", "--state", "x"], "stats-error-state", status: 64)
    // Of several files, some may lack a state that others have.
    let none = try Binary(
      ["stats", "dwell", "history.sqlite", "history.sqlite", "--state", "x"], in: place.directory)
    #expect(none.status == 0 && none.out == "" && none.err == "There is no row.\n")
  }

  @Test func `names that could command a terminal are shown as what they are`() throws {
    var story = Story(states: ["a\u{1b}]0;x\u{7}", "=cmd|'/c'!A1", "日本語 🙂"])
    story.play()
    story.add(.exiting, 3)
    try place.write(story)
    for words in [["stats"], ["stats", "dwell"], ["stats", "transitions", "--json"], ["stuck"]] {
      let run = try Binary(words + ["history.sqlite"], in: place.directory)
      #expect(run.status == 0)
      #expect(!run.out.contains("\u{1b}") && !run.out.contains("\u{7}"))
    }
    let csv = try Binary(["stats", "dwell", "--format=csv", "history.sqlite"], in: place.directory)
    #expect(csv.out.contains("'=cmd"))
  }

  @Test func `a file of an older schema is read as one of the newest, and stays as it is`() throws {
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("StatyHistoryTests/Golden")
    for version in 1..<HistoryFile.schemaVersion {
      let path = place.path("v\(version).sqlite")
      try FileManager.default.copyItem(
        atPath: golden.appendingPathComponent("v\(version).sqlite").path, toPath: path)
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let run = try Binary(["stats", "dwell", "--format=csv", path])
      #expect(run.status == 0, "\(run.err)")
      let row = run.out.split(whereSeparator: \.isNewline).last
      #expect(row?.hasSuffix("1,checkout,loading,1,0,0,0.030,0.030,0.030,0.030,0.030") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.directory).count
        == HistoryFile.schemaVersion - 1)
  }

  @Test func `nothing of a view is believed that is not as it was written`() throws {
    try place.write(.clean)
    try place.tamper(
      "DROP VIEW dwell; CREATE VIEW dwell AS SELECT 1 AS session, randomblob(900000000) AS x")
    let run = try Binary(["stats", "dwell", "history.sqlite"], in: place.directory)
    #expect(run.status == 65)
    #expect(run.err.contains("the view \"dwell\" is not the one of schema"))
  }
}
