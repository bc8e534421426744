import Foundation
import Staty
import StatyHistory
import StatyRules
import Testing

/// What the tool says of searches, word for word.
@Suite struct ExploreReportTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32, columns: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try place.expect(
      ["explore"] + arguments, name, status: status, columns: columns,
      sourceLocation: sourceLocation)
  }

  @Test func `an order that breaks a rule is shown step by step`() throws {
    try place.write(.quiet("staty-2019"))
    try expect(["history.sqlite"], "explore-broken", status: 1)
    try expect(["history.sqlite"], "explore-broken-40", status: 1, columns: 40)
    try expect(["--json", "history.sqlite"], "explore-json", status: 1)
    try expect(["--rule=never-entered", "history.sqlite"], "explore-rule", status: 1)
  }

  @Test func `a controller that breaks none is searched to the end`() throws {
    try place.write(.quiet("staty-2019"))
    try expect(["--with=queue", "history.sqlite"], "explore-passed", status: 0)
    try expect(["--with=queue", "--never", "history.sqlite"], "explore-never", status: 1)
    try expect(["--with=immediate", "--loosen", "history.sqlite"], "explore-loosen", status: 0)
  }

  @Test func `a search that is cut says so`() throws {
    try place.write(.quiet("staty-2019"))
    try expect(
      ["--rule=overlap", "--max-steps=3", "history.sqlite"], "explore-cut-steps", status: 2)
    try expect(
      ["--rule=overlap", "--max-runs=4", "history.sqlite"], "explore-cut-runs", status: 2)
    try expect(
      ["--with=queue", "--max-states=3", "history.sqlite"], "explore-cut-states", status: 2)
    try expect(["--with=queue", "--time=0ms", "history.sqlite"], "explore-cut-time", status: 2)
  }

  @Test func `of many sessions each gets a line`() throws {
    try place.write(.quiet("staty-2019"), .quiet("queue"), .quiet("shop-2024"))
    try expect(["history.sqlite"], "explore-many", status: 1)
    try expect(["--session=3", "history.sqlite"], "explore-unknown", status: 2)
  }

  @Test func `the order that was found is a history that checks and replays`() throws {
    try place.write(.quiet("staty-2019"))
    let run = try Binary(
      ["explore", "--rule=never-entered", "-o", "found.sqlite", "history.sqlite"],
      in: place.directory)
    #expect(run.status == 1)
    let reader = try HistoryReader(path: place.path("found.sqlite"))
    #expect(try HistoryCheck(reader).session(1).findings.map(\.code).contains(.neverEntered))
    #expect(try Binary(["check", "found.sqlite"], in: place.directory).status == 1)
    let replay = try Binary(["replay", "found.sqlite"], in: place.directory)
    #expect(replay.status == 0, "\(replay.out) \(replay.err)")
    let none = try Binary(
      ["explore", "--with=queue", "-o", "none.sqlite", "history.sqlite"], in: place.directory)
    #expect(none.status == 0)
    #expect(
      none.err
        == "Note: no order that breaks a rule was found, so 'none.sqlite' is not written.\n")
    #expect(!FileManager.default.fileExists(atPath: place.path("none.sqlite")))
  }

  @Test func `what is written over and what is not known is told of`() throws {
    try place.write(.quiet("queue"))
    try expect(["--rule=overlaps", "history.sqlite"], "explore-error-rule", status: 64)
    try expect(["-o", "history.sqlite", "history.sqlite"], "explore-error-output", status: 64)
  }
}

extension Story {
  /// Three states, one after the other, and nothing wrong with it.
  fileprivate static func quiet(_ policy: String) -> Story {
    var story = Story(policy)
    for visit in 1...3 as ClosedRange<UInt32> {
      let asked = story.add(.enqueued, visit)
      if visit > 1 {
        story.add(.exiting, visit - 1, cause: asked)
        story.add(.exited, visit - 1)
      }
      story.add(.entering, visit)
      story.add(.entered, visit)
    }
    return story
  }
}
