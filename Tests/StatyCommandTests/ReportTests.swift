import Foundation
import Staty
import StatyCommand
import StatyHistory
import StatyReading
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

  @Test func `a rule can be left out of a check`() throws {
    try place.write(.overlapping())
    let all = Capture(["check", "--oneline", place.path()])
    #expect(all.status == .broken && all.out.contains("error[overlap]"))
    let codes = Set(all.out.matches(of: /error\[([a-z-]+)\]/).map { String($0.output.1) })
    let some = Capture(["check", "--oneline", "--without=overlap", place.path()])
    #expect(!some.out.contains("error[overlap]"))
    let none = Capture(["check", "--oneline"] + codes.map { "--without=\($0)" } + [place.path()])
    #expect(none.status == .done && !none.out.contains("error["), "\(none.out)")
    #expect(Capture(["check", "--without=overlaps", place.path()]).status == .usage)
  }

  @Test func `sessions are listed`() throws {
    var crashed = Story.clean
    crashed.end = .killed
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

  @Test func `where nothing happened nothing is judged, and nothing is praised`() throws {
    try place.write(Story("cart"))
    try expect(["check", "history.sqlite"], "check-idle", status: 2)
    try expect(["check", "history.sqlite", "--json"], "check-idle-json", status: 2)
    let junit = try Binary(
      ["check", "-q", "history.sqlite", "--junit=out.xml"], in: place.directory)
    let xml = try String(contentsOfFile: place.path("out.xml"), encoding: .utf8)
    #expect(junit.status == 2 && xml.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "\(xml)")
    // One controller to which something happened is not another.
    var story = Story.clean
    story.addController("cart")
    try place.write(story, to: "other.sqlite")
    #expect(Capture(["check", place.path("other.sqlite")]).status == .done)
    let cart = Capture(["check", place.path("other.sqlite"), "--controller", "cart"])
    #expect(cart.status == .inconclusive && !cart.out.contains("No rule is broken"), "\(cart.out)")
    // An idle session beside another is no matter.
    #expect(
      Capture(["check", place.path(), place.path("other.sqlite")]).status == .done)
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

  @Test func `a divergence is explained`() throws {
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

  @Test func `with another kind what it does comes before when it does it`() throws {
    var story = Story("shop-2024")
    let first = story.add(.enqueued, 1)
    story.add(.entering, 1, cause: first)
    let second = story.add(.enqueued, 2)
    story.add(.entered, 1)
    // A queue tells it to exit after it has entered, and tells no visit to exit later.
    story.add(.exiting, 1, cause: second)
    let left = story.add(.exited, 1)
    story.add(.entering, 2, cause: left)
    let arrived = story.add(.entered, 2)
    story.add(.exiting, 2, cause: arrived)
    try place.write(story)
    let arguments = ["replay", "--with", "queue", "history.sqlite"]
    try expect(arguments, "replay-with-moved", status: 1)
    let json = try Binary(arguments + ["--json"], in: place.directory).out
    let missing = try #require(json.range(of: "\"difference\": \"missing\""))
    let moved = try #require(json.range(of: "\"difference\": \"moved\""))
    #expect(missing.lowerBound < moved.lowerBound)
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

  @Test func `a history without any session says nothing`() throws {
    try HistoryWriter(path: place.path()).close()
    try expect(["replay", "history.sqlite"], "replay-nothing", status: 2)
    #expect(try Binary(["replay", "--what-if", place.path()]).status == 2)
    try place.write(.clean, to: "b.sqlite")
    let both = try Binary([
      "replay", place.path(), place.path("b.sqlite"), "--junit", place.path("out.xml"),
    ])
    #expect(both.status == 2)
    let junit = try String(contentsOfFile: place.path("out.xml"), encoding: .utf8)
    #expect(junit.contains("errors=\"1\""))
  }

  @Test func `what was made in something that is not there leaves it open`() throws {
    var story = Story()
    let request = story.add(.enqueued, 1)
    let told = story.add(.entering, 1, cause: request)
    story.add(.entered, 1, cause: told)
    let end = story.add(.cancelled, 0, .cancelledTearDown)
    story.add(.discarded, 1, .tornDown, cause: end)
    // While it is open, an event may be missing that is not said to be lost.
    story.end = .open
    try place.write(story)
    try place.tamper("DELETE FROM event WHERE seq = \(told)")
    // A place that is not there would be damage.
    try place.tamper("UPDATE event SET inside = NULL, ref = 1 WHERE seq = \(told + 1)")
    try place.reseal()
    try expect(["replay", "history.sqlite"], "replay-unreached", status: 2)
    try place.write(.clean, to: "b.sqlite")
    let both = try Binary(["replay", "history.sqlite", "b.sqlite"], in: place.directory)
    #expect(both.out.contains("session 1: Event 4 happened in something that is not recorded.\n"))
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

  @Test func `sums and errors are broken where lines end`() throws {
    try place.write(.clean, .overlapping(), .overlapping("shop-2024"))
    try expect(["replay", "history.sqlite", "none.sqlite"], "sums-40", status: 66, columns: 40)
    try place.write(.clean, to: "clean.sqlite")
    try expect(["check", "clean.sqlite"], "check-sum-40", status: 0, columns: 40)
    try expect(["check", "clean.sqlite", "--strictly"], "usage-40", status: 64, columns: 40)
    // Without a terminal, a sentence stays on one line.
    let piped = try Binary(["check", place.path("no such file, and a long name for it.sqlite")])
    #expect(piped.err.split(separator: "\n").count == 2, "\(piped.err)")
  }

  @Test(arguments: ["check", "replay"])
  func `two outputs are not written into one file`(_ verb: String) throws {
    try place.write(.clean)
    for (one, other) in [("out", "out"), ("out", "./out"), ("there", "link")] {
      try "".write(toFile: place.path("there"), atomically: true, encoding: .utf8)
      unlink(place.path("link"))
      try FileManager.default.createSymbolicLink(
        atPath: place.path("link"), withDestinationPath: place.path("there"))
      let run = try Binary(
        [verb, "history.sqlite", "--junit", one, "-o", other, "--force"], in: place.directory)
      #expect(run.status == 64, "\(one), \(other): \(run.err)")
      #expect(run.err.contains("two outputs"), "\(run.err)")
    }
    let run = try Binary(
      [verb, "history.sqlite", "--junit", "one", "-o", "other"], in: place.directory)
    #expect(run.status == 0, "\(run.err)")
  }

  @Test func `very many controllers of a name are compared each with its own`() throws {
    func path(_ policy: String) throws -> String {
      var story = Story("queue")
      for _ in 0..<10_000 { story.addController("checkout", "queue") }
      story.addController("checkout", policy)
      return try place.write(story, to: "\(policy).sqlite")
    }
    let (one, other) = (try path("queue"), try path("priority"))
    #expect(Capture(["diff", one, one]).status == .done)
    let run = Capture(["diff", one, other])
    #expect(run.out.contains("checkout (number 10002)"), "\(run.out)")
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

  /// A clean history that lost so many events.
  private func story(losing count: Int64, after place: Int, of original: Story = .clean) -> Story {
    var story = Story()
    for row in original.rows.dropFirst() {
      if row.seq == place + 1 { story.lose(count) }
      if row.seq > place, row.seq <= place + Int(count) { continue }
      story.add(row)
    }
    return story
  }

  @Test func `histories with gaps are not called equal, and a difference before a gap is one`()
    throws
  {
    try place.write(.clean, to: "a.sqlite")
    try place.write(story(losing: 2, after: 6), to: "b.sqlite")
    try place.write(story(losing: 2, after: 9), to: "c.sqlite")
    try place.write(story(losing: 2, after: 6, of: .overlapping()), to: "d.sqlite")
    try expect(["diff", "a.sqlite", "b.sqlite"], "diff-gap", status: 2)
    try expect(["diff", "b.sqlite", "c.sqlite"], "diff-gaps-40", status: 2, columns: 40)
    try expect(["diff", "b.sqlite", "c.sqlite", "--json"], "diff-gaps-json", status: 2)
    #expect(
      Capture(["diff", place.path("b.sqlite"), place.path("b.sqlite")]).status == .inconclusive)
    // The other history differs at its event 4.
    #expect(Capture(["diff", place.path("a.sqlite"), place.path("d.sqlite")]).status == .broken)
    #expect(Capture(["diff", place.path("d.sqlite"), place.path("c.sqlite")]).status == .broken)
  }

  @Test func `what is missing at an end may be the rest, and what is not there is not`() throws {
    var killed = story(losing: 1, after: 12)
    killed.end = .killed
    try place.write(killed, to: "killed.sqlite")
    try place.write(.clean, to: "a.sqlite")
    var longer = Story.clean
    longer.add(.enqueued, 4)
    longer.lose(3)
    try place.write(longer, to: "longer.sqlite")
    let diff = { [place] in Capture(["diff", place.path($0), place.path($1)]).status }
    #expect(diff("a.sqlite", "killed.sqlite") == .inconclusive)
    #expect(diff("killed.sqlite", "a.sqlite") == .inconclusive)
    #expect(diff("a.sqlite", "longer.sqlite") == .broken)
  }

  @Test func `a request that was rejected for another reason is a difference`() throws {
    var story = Story("reject")
    let first = story.add(.enqueued, 1)
    story.add(.entering, 1, cause: first)
    let second = story.add(.enqueued, 2)
    story.add(.discarded, 2, .rejected, cause: second)
    for (name, refusal) in [("a", 1), ("b", 5), ("c", 0)] {
      try place.write(story, to: "\(name).sqlite")
      let objection = refusal == 5 ? "1" : "NULL"
      guard refusal != 0 else { continue }
      try place.tamper(
        "INSERT INTO detail (seq, refusal, objection) VALUES (5, \(refusal), \(objection))",
        "\(name).sqlite")
      try place.reseal("\(name).sqlite")
    }
    try expect(["diff", "a.sqlite", "b.sqlite"], "diff-refusal", status: 1)
    // Why it was is not in the third.
    #expect(Capture(["diff", place.path("a.sqlite"), place.path("c.sqlite")]).status == .done)
    #expect(try Binary(["replay", place.path("a.sqlite")]).status == 0)
    try expect(["replay", "b.sqlite"], "replay-refusal", status: 1)
    #expect(try Binary(["replay", place.path("c.sqlite")]).status == 0)
  }
}
