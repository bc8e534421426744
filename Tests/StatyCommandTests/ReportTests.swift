import Foundation
import Staty
import StatyHistory
import Testing

/// What the verbs say of small histories, word for word.
@Suite struct ReportTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32, columns: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try place.expect(
      arguments, name, status: status, columns: columns, sourceLocation: sourceLocation)
  }

  @Test func `sessions are listed`() throws {
    var crashed = Story.clean
    crashed.end = .crash
    crashed.lose(3)
    crashed.add(.exiting, 3)
    try place.write(.clean, crashed)
    try expect(["sessions", "history.sqlite"], "sessions", status: 0, columns: 120)
    try expect(["sessions", "history.sqlite"], "sessions-40", status: 0, columns: 40)
    try expect(["sessions", "history.sqlite", "--json"], "sessions-json", status: 0)
    try expect(["sessions", "history.sqlite", "--format", "csv"], "sessions-csv", status: 0)
    try expect(["sessions", "history.sqlite", "--format=markdown"], "sessions-markdown", status: 0)
  }

  @Test func `a broken rule is told with place, causes and consequences`() throws {
    try place.write(.overlapping("shop-2024"))
    try expect(["check", "history.sqlite"], "check-overlap", status: 1)
    try expect(["check", "history.sqlite"], "check-overlap-40", status: 1, columns: 40)
    try expect(["check", "history.sqlite", "--json"], "check-overlap-json", status: 1)
    try expect(["check", "history.sqlite", "--format", "ndjson"], "check-ndjson", status: 1)
    try expect(["check", "history.sqlite", "-q", "--color=always"], "check-color", status: 1)
  }

  @Test func `a clean history is praised, and rules that could not judge are told of`() throws {
    try place.write(.clean, isChecked: true)
    var silent = Story("mine", fidelity: .threeKind)
    silent.add(.enqueued, 1)
    silent.add(.entered, 1)
    try place.write(silent, to: "other.sqlite")
    try expect(["check", "history.sqlite"], "check-clean", status: 0)
    try expect(["check", "history.sqlite", "other.sqlite"], "check-silent", status: 0)
  }

  @Test func `warnings count only where they are to`() throws {
    var story = Story()
    let first = story.add(.enqueued, 1)
    story.add(.entering, 1, cause: first)
    story.add(.entered, 1)
    let second = story.add(.enqueued, 2)
    story.add(.exiting, 1, cause: second)
    story.wait(seconds: 3)
    let out = story.add(.exited, 1)
    story.add(.entering, 2, cause: out)
    story.add(.entered, 2)
    try place.write(story)
    try expect(["check", "history.sqlite"], "check-warning", status: 0)
    #expect(try Binary(["check", "--strict", place.path()]).status == 1)
  }

  @Test func `what is made again is called reproduced, with what the rules say`() throws {
    try place.write(.clean)
    try expect(["replay", "history.sqlite"], "replay-reproduced", status: 0)
    try expect(["replay", "history.sqlite", "--json"], "replay-json", status: 0)
    try place.write(.overlapping("immediate"), to: "other.sqlite")
    try expect(["replay", "other.sqlite"], "replay-immediate", status: 0)
  }

  @Test func `what goes another way is explained`() throws {
    var story = Story.overlapping()
    story.addController("cart")
    story.add(.enqueued, 1, on: 2)
    try place.write(story)
    try expect(["replay", "history.sqlite"], "replay-diverged", status: 1)
    try expect(["replay", "history.sqlite"], "replay-diverged-40", status: 1, columns: 40)
    try expect(["replay", "history.sqlite", "--until", "6"], "replay-until", status: 0)
    try expect(
      ["replay", "history.sqlite", "--with", "reject", "--controller=checkout"], "replay-with",
      status: 1)
  }

  @Test func `what cannot be said is not said`() throws {
    try place.write(.overlapping("shop-2024"))
    try expect(["replay", "history.sqlite"], "replay-unknown", status: 2)
    var gap = Story()
    let first = gap.add(.enqueued, 1)
    gap.add(.entering, 1, cause: first)
    gap.lose(5)
    gap.add(.entered, 1)
    try place.write(gap, to: "gap.sqlite")
    try expect(["replay", "gap.sqlite"], "replay-gap", status: 2)
  }

  @Test func `what was made in something that is not there leaves it open`() throws {
    var story = Story()
    let request = story.add(.enqueued, 1)
    let told = story.add(.entering, 1, cause: request)
    story.add(.entered, 1, cause: told)
    let end = story.add(.cancelled, 0, .cancelledTearDown)
    story.add(.discarded, 1, .tornDown, cause: end)
    try place.write(story)
    try place.tamper("DELETE FROM event WHERE seq = \(told)")
    let writer = try HistoryWriter(path: place.path())
    try writer.reseal(session: 1)
    try writer.close()
    try expect(["replay", "history.sqlite"], "replay-unreached", status: 2)
    try place.write(.clean, to: "b.sqlite")
    let both = try Binary(["replay", "history.sqlite", "b.sqlite"], in: place.directory)
    #expect(both.out.contains("session 1: event 4 happened in something that is not recorded\n"))
  }

  @Test func `many sessions get a line each, and a sum`() throws {
    try place.write(.clean, .overlapping(), .overlapping("shop-2024"))
    try place.write(.clean, to: "b.sqlite")
    try expect(
      ["replay", "history.sqlite", "b.sqlite", "none.sqlite", "--junit=out.xml"], "replay-many",
      status: 66)
    let junit = try String(contentsOfFile: place.path("out.xml"), encoding: .utf8)
    try expectGolden(junit, "replay-junit")
  }

  @Test func `the first difference is shown, and noise is none`() throws {
    var slow = Story.clean
    slow.wait(seconds: 2)
    slow.addController("cart")
    var other = Story()
    other.addController("cart")
    other.wait(seconds: 1)
    other.play()
    try place.write(slow, to: "a.sqlite")
    try place.write(other, to: "b.sqlite")
    try place.write(.overlapping("latest"), to: "c.sqlite")
    try expect(["diff", "a.sqlite", "b.sqlite"], "diff-equal", status: 0)
    try expect(["diff", "a.sqlite", "c.sqlite"], "diff-different", status: 1)
    try expect(["diff", "a.sqlite", "c.sqlite", "--json"], "diff-json", status: 1)
  }
}
