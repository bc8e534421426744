import Foundation
import Staty
import StatyHistory
import Testing

/// What the tool says of sessions that are played again with something changed, word for word.
@Suite struct WhatIfReportTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32, columns: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try Binary(
      ["replay"] + arguments, in: place.directory,
      environment: columns.map { ["COLUMNS": "\($0)"] } ?? [:])
    #expect(run.status == status, "\(run.err)", sourceLocation: sourceLocation)
    try expectGolden(run.transcript, name, sourceLocation: sourceLocation)
  }

  @Test func `what another kind of controller mends is called fixed`() throws {
    try place.write(.skipping)
    try expect(["--what-if", "--with=queue", "history.sqlite"], "what-if-fixed", status: 0)
    try expect(
      ["--what-if", "--with=queue", "history.sqlite"], "what-if-fixed-40", status: 0, columns: 40)
    try expect(
      ["--what-if", "--with=queue", "--json", "history.sqlite"], "what-if-json", status: 0)
    try expect(["--with=queue", "history.sqlite"], "what-if-beside", status: 1)
    try expect(["--what-if", "--with=queue", "-q", "history.sqlite"], "what-if-quiet", status: 0)
  }

  @Test func `edits are told with what they did`() throws {
    try place.write(.clean)
    try Data("# Later, and one more.\ndelay 4=50ms\ninsert after 2: empty\n".utf8)
      .write(to: URL(fileURLWithPath: place.path("edits.txt")))
    try expect(
      ["--edits=edits.txt", "--skip=9", "--assume=100ms", "history.sqlite"], "what-if-edits",
      status: 0)
  }

  @Test func `what is still broken is shown where it is`() throws {
    try place.write(.skipping)
    try expect(
      ["--what-if", "--with=container-2020", "history.sqlite"], "what-if-still", status: 1)
    try place.write(.clean, to: "other.sqlite")
    try expect(["--what-if", "--with=keyed-2015", "other.sqlite"], "what-if-new", status: 1)
  }

  @Test func `many sessions get a line each, and a sum`() throws {
    try place.write(.clean, .skipping, .overlapping("shop-2024"))
    try place.write(.skipping, to: "b.sqlite")
    try expect(
      ["--what-if", "--with=queue", "history.sqlite", "b.sqlite", "none.sqlite"], "what-if-many",
      status: 66)
    try expect(
      ["--what-if", "history.sqlite", "b.sqlite", "--junit=out.xml"], "what-if-themselves",
      status: 2)
    let junit = try String(contentsOfFile: place.path("out.xml"), encoding: .utf8)
    try expectGolden(junit, "what-if-junit")
  }

  @Test func `a wrong edit is told with what it should be`() throws {
    try place.write(.clean)
    try Data("skip 3\ndelay 4\n".utf8)
      .write(to: URL(fileURLWithPath: place.path("edits.txt")))
    try expect(["--skip=x", "history.sqlite"], "what-if-error-flag", status: 64)
    try expect(["--edits=edits.txt", "history.sqlite"], "what-if-error-script", status: 64)
    try expect(["--edits=no.txt", "history.sqlite"], "what-if-error-file", status: 66)
    try expect(["--skip=3", "history.sqlite"], "what-if-error-output", status: 64)
  }
}

extension Story {
  /// A controller of a kind that nobody knows forgets the second of three.
  fileprivate static var skipping: Story {
    var story = Story("shop-2024")
    let first = story.add(.enqueued, 1)
    story.add(.entering, 1, cause: first)
    story.add(.enqueued, 2)
    story.add(.enqueued, 3)
    let arrived = story.add(.entered, 1)
    story.add(.exiting, 1, cause: arrived)
    let left = story.add(.exited, 1)
    story.add(.entering, 3, cause: left)
    story.add(.entered, 3)
    return story
  }
}
