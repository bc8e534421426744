import Staty
import StatyHistory
import Testing

/// What `stats coverage` says, word for word.
@Suite struct CoverageTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32 = 0, columns: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try place.expect(
      arguments, name, status: status, columns: columns, sourceLocation: sourceLocation)
  }

  /// A queue that keeps to routes, of which one is not taken; the move to the alert is none of them.
  private func routed() -> Story {
    var story = Story()
    story.snapshot.routes = [
      .init(to: "loading"), route("loading", "content"), route("content", "loading"),
    ]
    var anywhere = SnapshotRecord.Route(to: "error")
    anywhere.isAnywhere = true
    story.snapshot.routes?.append(anywhere)
    story.play()
    story.add(.stray, 2, .strayExited)
    return story
  }

  private func route(_ from: String, _ to: String) -> SnapshotRecord.Route {
    var route = SnapshotRecord.Route(to: to)
    route.from = from
    return route
  }

  @Test func `what was never seen stands beside what should not have been`() throws {
    try place.write(routed())
    try expect(["stats", "coverage", "history.sqlite"], "coverage")
    try expect(["stats", "coverage", "history.sqlite"], "coverage-40", columns: 40)
    try expect(["stats", "coverage", "history.sqlite", "--format=markdown"], "coverage-markdown")
    try expect(["stats", "coverage", "history.sqlite", "--json"], "coverage-json")
    try expect(["stats", "coverage", "history.sqlite", "--format=ndjson"], "coverage-ndjson")
    try expect(["stats", "coverage", "history.sqlite", "--format=csv"], "coverage-csv")
    try expect(
      ["stats", "coverage", "history.sqlite", "--raw", "--limit=3"], "coverage-raw", columns: 120)
  }

  @Test func `several files and sessions are added up`() throws {
    var lossy = Story()
    lossy.play()
    lossy.lose(2)
    lossy.add(.enqueued, 6)
    try place.write(routed(), lossy)
    var other = Story("latest")
    other.addController("other")
    other.play()
    other.add(.cancelled, 0, .cancelledAll)
    try place.write(other, to: "b.sqlite")
    try expect(["stats", "coverage", "history.sqlite", "b.sqlite"], "coverage-merged")
    try expect(
      ["stats", "coverage", "history.sqlite", "b.sqlite", "missing.sqlite", "--state", "alert"],
      "coverage-state", status: 66)
  }

  @Test func `a controller without events has only a beginning`() throws {
    try place.write(Story())
    try expect(["stats", "coverage", "history.sqlite"], "coverage-none")
    try expect(["stats", "coverage"], "coverage-error-file", status: 64)
    try expect(
      ["stats", "coverage", "history.sqlite", "--controller=chekout"], "coverage-error-controller",
      status: 64)
  }

  @Test func `names that could command a terminal are shown as what they are`() throws {
    var story = Story(states: ["a\u{1b}]0;x\u{7}", "=cmd|'/c'!A1", "日本語 🙂"])
    story.play()
    try place.write(story)
    for words in [[], ["--json"], ["--format=markdown"], ["--format=csv"]] {
      let run = try Binary(["stats", "coverage"] + words + ["history.sqlite"], in: place.directory)
      #expect(run.status == 0)
      #expect(!run.out.contains("\u{1b}") && !run.out.contains("\u{7}"))
    }
  }
}
