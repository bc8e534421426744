import Foundation
import Staty
import StatyHistory
import StatyRecorder
import Testing

@testable import StatyCommand

/// What `show` lists, word for word and against the view of the same name.
@Suite struct ShowTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32 = 0, columns: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try place.expect(
      arguments, name, status: status, columns: columns, sourceLocation: sourceLocation)
  }

  /// Two sessions, two controllers, a gap and a reason.
  private func writeMuch() throws {
    var story = Story.clean
    story.addController("cart", "latest")
    let request = story.add(.enqueued, 1, on: 2)
    story.lose(3)
    story.add(.discarded, 1, .replaced, cause: request, on: 2)
    story.end = .killed
    try place.write(.overlapping(), story)
  }

  /// The values of `seq` that a listing has.
  private func seqs(_ arguments: String...) throws -> [Int] {
    let run = try Binary(
      ["show", "history.sqlite", "--format=csv"] + arguments, in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    return run.out.split(separator: "\r\n").dropFirst().map { Int($0.split(separator: ",")[1])! }
  }

  @Test func `moves after which the same is shown again are told`() throws {
    enum Cart { case priced }
    let recorder = try HistoryRecorder(at: place.path())
    let track = StateTrack("cart", Cart.priced)
    recorder.attach(to: track, as: "cart")
    for price in [20, 15, 20] { track.moved(to: Cart.priced, showing: price) }
    recorder.close()
    let lines = try Binary(["show", place.path()]).out.split(separator: "\n")
    #expect(lines.filter { $0.contains("shows the same") }.count == 1, "\(lines)")
    #expect(lines.last?.hasSuffix("shows the same as at event 3") == true, "\(lines)")
  }

  @Test func `events are listed for people`() throws {
    try writeMuch()
    try expect(["show", "history.sqlite"], "show")
    try expect(["show", "history.sqlite", "--session=1", "--limit=6"], "show-session", columns: 80)
    try expect(["show", "history.sqlite", "--limit", "6"], "show-40", columns: 40)
    try expect(["show", "history.sqlite", "--limit", "3", "--format=markdown"], "show-markdown")
    try expect(["show", "history.sqlite", "--reverse", "--limit", "3", "--json"], "show-json")
    try expect(["show", "history.sqlite", "--kind", "stray"], "show-none")
    try expect(["show", "history.sqlite", "--kind", "entred"], "show-error-kind", status: 64)
    try expect(["show", "history.sqlite", "--state", "alrt"], "show-error-state", status: 64)
    try expect(["show", "history.sqlite", "--since", "soon"], "show-error-since", status: 64)
    try expect(["show", "history.sqlite", "--seq", "5..2"], "show-error-seq", status: 64)
    try expect(["show", "history.sqlite", "--around", "99"], "show-error-around", status: 64)
  }

  @Test func `what is listed for programs is what the view says`() throws {
    try writeMuch()
    let columns =
      "session, seq, controller, visit, state, kind, reason, t_ms, at, cause, inside, part, "
      + "origin, priority, thread, payload, site"
    let view = try Binary(
      ["query", "history.sqlite", "SELECT \(columns) FROM history", "--format=ndjson"],
      in: place.directory)
    let show = try Binary(["show", "history.sqlite", "--format=ndjson"], in: place.directory)
    // Behind these is the note of a mark, which the view leaves out.
    let events = show.out.components(separatedBy: "\n").filter {
      !$0.isEmpty && !$0.contains("\"lost\"")
    }.map { $0.components(separatedBy: ",\"note\"")[0] + "}" }
    #expect(events == view.out.split(separator: "\n").map(String.init))
    #expect(events.count == 26)
  }

  @Test func `what was typed is text, whatever letters it has`() throws {
    struct Typed: RecordedMessage { let text: String }
    let recorder = try HistoryRecorder(at: place.path())
    let track = StateTrack("search", StateName("none"))
    recorder.attach(to: track, as: "search")
    let typed = ["👨‍👩‍👧", "می\u{200c}خواهم", "6c696e65", "a\u{1b}[31m"]
    for text in typed { track.received(Typed(text: text)) {} }
    recorder.close()
    for command in [
      ["show", "history.sqlite"], ["query", "history.sqlite", "SELECT * FROM history"],
    ] {
      let run = try Binary(command + ["--json"], in: place.directory)
      let rows = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [[String: Any]]
      let texts = try (rows ?? []).compactMap { $0["payload"] as? String }.map {
        try JSONDecoder().decode(Typed.self, from: Data($0.utf8)).text
      }
      #expect(texts == typed, "\(command)")
    }
    let table = try Binary(["show", "history.sqlite"], in: place.directory).out
    #expect(table.contains(#"\u{200d}"#) && !table.contains("\u{1b}"))
  }

  @Test func `filters leave what was asked for, and gaps, which may hide it`() throws {
    try writeMuch()
    #expect(try seqs("--limit=2") == [1, 2])
    #expect(try seqs("--reverse", "--limit=2") == [29, 26])
    #expect(try seqs("--controller=cart") == [24, 25, 26, 29])
    #expect(try seqs("--controller=cart", "--kind=discarded", "--kind=enqueued") == [25, 29])
    #expect(try seqs("--kind=lost") == [26])
    #expect(try seqs("--session=1", "--state=content") == [5, 7, 9])
    #expect(try seqs("--seq=4..6") == [4, 5, 6])
    #expect(try seqs("--seq=..2") == [1, 2])
    #expect(try seqs("--around=9", "--limit=2") == [7, 8, 9])
    #expect(try seqs("--around=5", "--limit=1", "--reverse") == [6, 5, 4])
    #expect(try seqs("--around=5", "--limit=9223372036854775807") == seqs("--session=1"))
    #expect(try seqs("--since=+0.08s", "--until=+90ms") == [8, 9, 17, 18])
    #expect(try seqs("--since=10ms") == [25, 26, 29])
    // The second session begins at 08:54:20 UTC.
    #expect(try seqs("--until", "2025-10-09T10:54:19.5+02:00").last == 9)
    #expect(try seqs("--since", "2025-10-09 08:54:20.165") == [29])
  }

  @Test(arguments: [true, false])
  func `long sessions are read in parts, and nothing is missed between them`(
    isReversed: Bool
  ) throws {
    var story = Story()
    for visit in UInt32(1)...3_500 {
      story.add(.enqueued, visit)
      if visit % 500 == 0 { story.lose(2) }
    }
    try place.write(story)
    let found = try seqs(isReversed ? "--reverse" : "--limit=0")
    #expect(found == (isReversed ? found.sorted(by: >) : found.sorted()))
    #expect(found.count == 3_501 + 7)
    #expect(Set(found).count == found.count)
  }

  @Test func `a table that comes as a stream is as wide as names that are known beforehand`() throws
  {
    var story = Story(states: ["a", "a state with a name"])
    for visit in UInt32(1)...400 { story.add(.enqueued, visit) }
    story.addController("a controller with a name")
    story.add(.exiting, 2, on: 2)
    try place.write(story)
    let run = try Binary(["show", "history.sqlite"], in: place.directory)
    let lines = run.out.split(separator: "\n")
    let places = lines.dropFirst(2).compactMap { line in
      line.range(of: "enqueued").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(Set(places).count == 1)
  }

  @Test func `moments are understood in the forms that people write`() {
    let base: Int64 = 1_760_000_000_000_000
    for text in [
      "2025-10-09T08:53:20Z", "2025-10-09 08:53:20", "2025-10-09T10:53:20+02:00",
      "2025-10-09T08:53:20.000000000Z", "2025-10-09T03:23:20-05:30",
    ] {
      #expect(TimeBound(text) == .wall(base), "\(text)")
    }
    #expect(TimeBound("2025-10-09T08:53:20.25Z") == .wall(base + 250_000))
    #expect(TimeBound("2025-10-09T08:53Z") == .wall(base - 20_000_000))
    #expect(TimeBound("1969-12-31") == .wall(-86_400_000_000))
    #expect(TimeBound("2024-02-29") == .wall(1_709_164_800_000_000))
    #expect(TimeBound("10m") == .ago(600_000_000))
    #expect(TimeBound("+1.5s") == .into(1_500_000))
    for text in [
      "", "+", "10", "2025-02-29", "2025-13-01", "2025-10-09T25:00", "2025-10-09X", "1e3s",
    ] {
      #expect(TimeBound(text) == nil, "\(text)")
    }
  }
}
