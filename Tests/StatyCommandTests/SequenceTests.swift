import Foundation
import Staty
import StatyCommand
import StatyHistory
import StatyText
import Testing

/// What `graph --sequence` draws.
@Suite struct SequenceTests {
  private let place: Place

  init() throws { place = try Place() }

  private func diagram(_ more: String...) throws -> MermaidSequence {
    let run = try Binary(["graph", "--sequence", "history.sqlite"] + more, in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    return try MermaidSequence(run.out)
  }

  @Test func `requests, what states are told and what they report are arrows`() throws {
    var story = Story.overlapping()
    story.lose(3)
    story.addController("cart")
    let asked = story.add(.enqueued, 3)
    story.add(.discarded, 3, .replaced, cause: asked)
    story.add(.enqueued, 1, cause: asked, on: 2)
    try place.write(.clean, story)
    try place.expect(["graph", "--sequence", "history.sqlite"], "graph-sequence", status: 0)
    let drawn = try diagram()
    #expect(drawn.arrows.first { $0.text.hasPrefix("30 ") }?.from == "c2", "\(drawn.arrows)")
    #expect(drawn.notes.contains { $0.text == "3 events are missing" && $0.over.count == 2 })
  }

  @Test func `events that are missing at the beginning are drawn, unless a later time is chosen`()
    throws
  {
    let writer = try HistoryWriter(path: place.path())
    let session = try writer.beginSession(
      SessionOpening(uuid: "u", app: "", appVersion: "", os: "", pid: 1, wallTime: 0))
    let cart = try writer.addController(session: session, name: "cart", policy: "queue")
    _ = try writer.addController(session: session, name: "idle", policy: "queue")
    let rows = [
      EventRow(seq: 4, time: 0, kind: .entering, controller: cart, visit: 1),
      EventRow(seq: 5, time: 1, kind: .entered, controller: cart, visit: 1),
    ]
    _ = try rows.withUnsafeBufferPointer { try writer.append($0, details: [], to: session) }
    try writer.recordLoss(first: 1, last: 3, count: 3, reason: "disk full")
    try writer.close()
    #expect(try diagram().notes.map(\.text) == ["3 events are missing"])
    #expect(try diagram("--since=+0s").notes.isEmpty)
    let cut = Capture(["graph", "--sequence", "--limit=2", place.path()])
    #expect(!cut.out.contains("missing") && cut.err.contains("only the last 2"), "\(cut.err)")
    let none = Capture(["graph", "--sequence", "--controller=idle", place.path()])
    #expect(none.out == "sequenceDiagram\n" && none.err == "There is no such event.\n")
  }

  @Test func `only what is left out is said to be left out`() throws {
    try place.write(.overlapping())
    let all = try diagram().arrows.count + diagram().notes.count
    for (limit, isCut) in [(all, false), (all - 1, true)] {
      let run = try Binary(
        ["graph", "--sequence", "--limit=\(limit)", "history.sqlite"], in: place.directory)
      #expect((run.out + run.err).contains("only the last") == isCut, "\(limit): \(run.err)")
    }
  }

  @Test func `messages come from the user, and their answers from the platform`() throws {
    _ = try Binary(["demo", "gallery", "-q", "-o", "tour"], in: place.directory)
    try place.expect(
      ["graph", "--sequence", "tour/sign-out.sqlite"], "graph-sequence-answers", status: 0)
    // Each recording of the gallery can be drawn.
    let files = try FileManager.default.contentsOfDirectory(atPath: place.path("tour"))
      .filter { $0.hasSuffix(".sqlite") }
    #expect(files.count >= 10)
    for file in files {
      let run = try Binary(["graph", "--sequence", "tour/\(file)"], in: place.directory)
      #expect(try MermaidSequence(run.out).participants.count > 1, "\(file)")
    }
  }

  @Test func `of many events the last are drawn, and a time, a session and a controller chosen`()
    throws
  {
    var story = Story()
    story.addController("cart")
    for visit in 1...50 as ClosedRange<UInt32> {
      story.add(.enqueued, visit)
      story.add(.enqueued, visit, on: 2)
    }
    try place.write(story, .clean)
    let run = try Binary(
      ["graph", "--sequence", "--session=1", "history.sqlite"], in: place.directory)
    #expect(run.err.hasPrefix("Note: only the last 40 are drawn; more with '--limit'"))
    let last = try MermaidSequence(run.out).arrows
    #expect(last.count == 40 && last.last?.text.hasPrefix("102 ") == true)
    #expect(try diagram("--session=1", "--limit=0").arrows.count == 100)
    #expect(try diagram("--session=1", "--limit=0", "--controller=cart").arrows.count == 50)
    let early = try diagram("--session=1", "--until=+0.1s").arrows
    #expect(early.map { $0.text.prefix(2) } == ["3 ", "4 ", "5 ", "6 ", "7 ", "8 ", "9 ", "10"])
    #expect(try diagram("--session=1", "--since=+1.01s").arrows.count == 2)
    #expect(try diagram().arrows.count == 13)
  }

  @Test func `hostile names are names in the diagram`() throws {
    // "end" would end a block, and a blank name would have no participant.
    for name in HostileNames.all + [" "] {
      var story = Story(states: HostileNames.all)
      story.addController(name)
      for visit in 1...UInt32(HostileNames.all.count) { story.add(.enqueued, visit, on: 2) }
      try place.write(story)
      let drawn = try diagram("--limit=0")
      #expect(drawn.arrows.count == HostileNames.all.count)
      for (arrow, state) in zip(drawn.arrows, HostileNames.all) {
        #expect(arrow.text.hasSuffix(state.escapedForOneLine), "\(arrow)")
      }
      #expect(
        drawn.participants["c2"] == (name == " " ? "controller 2" : name.escapedForOneLine))
      try FileManager.default.removeItem(atPath: place.path())
    }
  }

  @Test func `what cannot be drawn is told of`() throws {
    try place.write(.clean)
    for option in ["--since=+1s", "--until=+1s", "--limit=4"] {
      let run = Capture(["graph", option, place.path()])
      #expect(run.status == .usage && run.err.contains("is for a sequence diagram"))
    }
    let none = Capture(["graph", "--sequence", "--since=+9s", place.path()])
    #expect(none.out == "sequenceDiagram\n" && none.err == "There is no such event.\n")
    #expect(
      Capture(["graph", "--sequence", "--controller=chekout", place.path()]).status == .usage)
  }
}
