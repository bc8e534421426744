import Chance
import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyReport
import StatyText
import Testing

/// What `graph` draws.
@Suite struct GraphTests {
  private let place: Place

  init() throws { place = try Place() }

  /// A queue that keeps to routes: two are not taken, one from anywhere is, and the move to the alert
  /// is none of them.
  private func routed() -> Story {
    var story = Story()
    story.snapshot.states = ["loading", "content", "alert", "error"]
    story.snapshot.routes = [
      .init(to: "loading"), route("loading", "content"), route("content", "loading"),
      anywhere("error"),
    ]
    story.play()
    return story
  }

  private func route(_ from: String, _ to: String) -> SnapshotRecord.Route {
    var route = SnapshotRecord.Route(to: to)
    route.from = from
    return route
  }

  private func anywhere(_ to: String) -> SnapshotRecord.Route {
    var route = SnapshotRecord.Route(to: to)
    route.isAnywhere = true
    return route
  }

  private func graph(_ name: String = "history.sqlite") throws -> TransitionGraph {
    let reader = try HistoryReader(path: place.path(name))
    return try TransitionGraph(reader, reader.sessions()) { _ in true }
  }

  @Test func `unused routes are dashed, and moves without a route red`() throws {
    try place.write(routed())
    try place.expect(["graph", "history.sqlite"], "graph-mermaid", status: 0)
  }

  @Test func `sessions and controllers of one name are drawn together`() throws {
    var other = Story("latest")
    other.addController("other")
    other.play()
    try place.write(routed(), other)
    try place.expect(["graph", "history.sqlite"], "graph-sessions", status: 0)
    try place.expect(
      ["graph", "history.sqlite", "--session=2", "--controller=checkout"], "graph-session",
      status: 0)
    try place.expect(
      ["graph", "history.sqlite", "--controller=chekout"], "graph-error-controller", status: 64)
  }

  @Test func `a move from anywhere applies to every state without a route of its own`() throws {
    var story = routed()
    story.snapshot.routes = [.init(to: "loading"), route("loading", "content"), anywhere("alert")]
    try place.write(story)
    #expect(try graph().controllers[0].moves.map(\.standing) == [.declared, .declared, .declared])
    story.snapshot.routes?.append(route("content", "alert"))
    try place.write(story, to: "both.sqlite")
    #expect(
      try graph("both.sqlite").controllers[0].moves.map(\.standing)
        == [.declared, .declared, .declared, .unused])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `counts and medians are those of the views`(seed: UInt64) throws {
    var story = Story(states: ["a", "b", "c", "d"])
    var random = SeededRandom(seed: seed)
    for visit in 1...40 as ClosedRange<UInt32> {
      story.add(.enqueued, visit)
      story.wait(seconds: Int64.random(in: 0...9, using: &random))
      if visit > 1 { story.add(.exited, visit - 1) }
      story.add(.entering, visit)
      story.wait(seconds: Int64.random(in: 0...9, using: &random))
      story.add(.entered, visit)
    }
    try place.write(story)
    let controller = try graph().controllers[0]
    let reader = try HistoryReader(path: place.path())
    let moves = try reader.rows(ViewQuery("transitions")).map { row in
      "\(row[2]) \(row[3]) \(row[4]) \(row[6])"
    }
    let drawn = controller.moves.map { move in
      let from: QueryValue = if case .state(let name) = move.start { .text(name) } else { .null }
      return "\(from) \(QueryValue.text(move.to)) \(QueryValue.integer(Int64(move.count))) "
        + "\(QueryValue.real(Double(move.median ?? 0) / 1_000))"
    }
    #expect(Set(drawn) == Set(moves), "seed \(seed)")
    let stays = try reader.rows(ViewQuery("dwell")).map { "\($0[2]) \($0[3]) \($0[8])" }
    let states = controller.states.map {
      "\(QueryValue.text($0.name)) \(QueryValue.integer(Int64($0.visits))) "
        + "\(QueryValue.real(Double($0.median ?? 0) / 1_000))"
    }
    #expect(Set(states) == Set(stays), "seed \(seed)")
  }

  @Test func `hostile names are names in Mermaid`() throws {
    try writeHostile()
    let chart = try MermaidFlowchart(graph().mermaid)
    let count = HostileNames.all.count
    #expect(chart.nodes.count == count + 1)
    #expect(chart.arrows.count == count)
    let names = Set(
      chart.nodes.keys.map(chart.shown).map { $0.split(separator: "<br/>").first ?? "" })
    for name in HostileNames.all {
      #expect(names.contains(Substring(name.escapedForOneLine)), "\(name.escapedForOneLine)")
    }
  }

  @Test func `a controller without events is drawn with what it declares`() throws {
    var story = Story()
    try place.write(story)
    #expect(try graph().controllers[0].moves == [])
    story.snapshot.routes = [route("loading", "content")]
    try place.write(story, to: "routes.sqlite")
    #expect(try graph("routes.sqlite").controllers[0].moves.map(\.standing) == [.unused])
  }

  @Test func `what cannot be drawn is told of`() throws {
    try place.write(.clean)
    for (file, status) in [("none.sqlite", 66), ("graph.swift", 65)] as [(String, Int32)] {
      if status == 65 {
        try Data("import Staty".utf8).write(to: URL(fileURLWithPath: place.path(file)))
      }
      let run = try Binary(["graph", file], in: place.directory)
      #expect(run.status == status)
      #expect(run.out == "")
    }
    #expect(
      try Binary(["graph", "history.sqlite", "-o", "a.mmd"], in: place.directory).status == 0)
    let again = try Binary(["graph", "history.sqlite", "-o", "a.mmd"], in: place.directory)
    #expect(again.status == 73)
    #expect(again.err.hasPrefix("Error: Writing 'a.mmd': there is a file already."))
    let forced = try Binary(
      ["graph", "history.sqlite", "-o", "a.mmd", "--force"], in: place.directory)
    #expect(forced.status == 0)
    try place.write(to: "nothing.sqlite")
    let empty = try Binary(["graph", "nothing.sqlite"], in: place.directory)
    #expect(
      empty.transcript == "exit 0\n--- out\nflowchart LR\n--- err\nNo controller was recorded.\n")
  }

  private func writeHostile() throws {
    var story = Story(states: HostileNames.all)
    for visit in 1...UInt32(HostileNames.all.count) {
      story.add(.enqueued, visit)
      if visit > 1 { story.add(.exited, visit - 1) }
      story.add(.entering, visit)
      story.add(.entered, visit)
    }
    try place.write(story)
  }
}
