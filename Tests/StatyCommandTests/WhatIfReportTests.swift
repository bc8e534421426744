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
    try place.expect(
      ["replay"] + arguments, name, status: status, columns: columns, sourceLocation: sourceLocation
    )
  }

  @Test func `what another kind of controller fixes is called fixed`() throws {
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

  @Test func `what hangs on a state that never answered cannot be said`() throws {
    try place.write(.unanswered)
    try expect(
      ["--what-if", "--with=immediate", "history.sqlite"], "what-if-unanswered", status: 2)
    try expect(["--with=immediate", "history.sqlite"], "what-if-unanswered-beside", status: 1)
    try expect(["--what-if", "history.sqlite"], "what-if-unanswered-itself", status: 1)
  }

  @Test func `that nothing is broken where nothing was played is not said`() throws {
    try place.write(.unanswered)
    try expect(
      ["--skip=2", "--skip=5", "--assume=20ms", "--controller=checkout", "history.sqlite"],
      "what-if-nothing", status: 2)
  }

  @Test func `a part is judged as a part on both sides`() throws {
    try place.write(.unanswered)
    for last in 1...9 {
      let run = try Binary(
        ["replay", "--with=immediate", "--until=\(last)", "--once", "--json", "history.sqlite"],
        in: place.directory)
      let json = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any]
      let replay = try #require((json?["verdicts"] as? [[String: Any]])?.first)
      let codes = (replay["findings"] as? [[String: Any]])?.map { $0["code"] as? String }
      let whatIf = replay["what_if"] as? [String: Any]
      let recorded = (whatIf?["recorded"] as? [[String: Any]])?.map { $0["code"] as? String }
      #expect(codes == recorded)
      #expect(codes == (last == 9 ? ["never-exited"] : []), "\(last)")
    }
  }

  @Test func `single controllers are replaced`() throws {
    var story = Story.overlapping()
    story.addController("cart", "shop-2024")
    story.add(.enqueued, 1, on: 2)
    try place.write(story)
    try expect(
      ["--what-if", "--with=cart=latest", "--with=checkout=priority", "history.sqlite"],
      "what-if-single", status: 0)
    try expect(["--what-if", "--with=checkout=reject", "history.sqlite"], "what-if-one", status: 2)
    for (flags, words) in [
      (
        ["--with=crt=queue"],
        "No controller in 'history.sqlite' is called 'crt'. Did you mean 'cart'?"
      ),
      (
        ["--with=cart=queu"],
        "There is no controller of the kind 'queu'. Did you mean 'queue'? There are coalesce,"
      ),
      (
        ["--with=cart=queue", "--with=cart=latest"],
        "The controller 'cart' can be of one kind, 'queue' or 'latest'."
      ),
      (
        ["--with=queue", "--with=latest"],
        "'--with queue' and '--with latest' are both for all controllers. Say for which each is, "
          + "as in '--with checkout=latest'."
      ),
      (
        ["--with=cart=queue", "--controller=checkout"],
        "'--with cart=queue' is about a controller that '--controller' leaves out."
      ),
    ] {
      let run = try Binary(["replay"] + flags + ["history.sqlite"], in: place.directory)
      #expect(run.status == 64)
      #expect(run.err.hasPrefix("Error: " + words), "\(run.err)")
    }
  }

  @Test func `the way on keeps to what was asked`() throws {
    var gap = Story("shop-2024")
    let first = gap.add(.enqueued, 1)
    gap.add(.entering, 1, cause: first)
    gap.lose(5)
    gap.add(.entered, 1)
    gap.addController("cart")
    try place.write(gap)
    try expect(
      [
        "--with=checkout=queue", "--insert=after 2: it's empty", "--assume=20ms", "--until=10",
        "--controller=checkout", "history.sqlite",
      ], "what-if-way-on", status: 2)
    try expect(
      ["--with=queue", "--until=10", "--controller=checkout", "history.sqlite"],
      "what-if-way-on-beside", status: 2)
  }

  @Test func `another run speaks for what is played beside a replay, too`() throws {
    try place.write(.skipping)
    // A second run in which the other controller has another result.
    let script = place.path("other")
    try Data(
      "#!/bin/sh\n'\(Binary.path)' \"$@\" | sed 's/\"verdict\":\"fixed\"}$/\"verdict\":\"clean\"}/'\n"
        .utf8
    ).write(to: URL(fileURLWithPath: script))
    #expect(chmod(script, 0o700) == 0)
    let same = Capture(["replay", "--with=queue", place.path()], executable: Binary.path)
    #expect(same.out.contains("  fixed: "))
    let other = Capture(["replay", "--with=queue", place.path()], executable: script)
    #expect(other.out.contains("DIVERGED: at event"))
    #expect(other.out.contains("  inconclusive: A second run differs"))
    let once = Capture(["replay", "--with=queue", "--once", place.path()], executable: script)
    #expect(once.out.contains("  fixed: "))
  }

  @Test func `edits that contradict each other are told of`() throws {
    try place.write(.clean)
    let run = try Binary(
      ["replay", "--skip=4", "--delay=4=50ms", "history.sqlite"], in: place.directory)
    #expect(run.status == 64)
    #expect(
      run.err
        == "Error: Replaying 'history.sqlite': 'skip 4' and 'delay 4=50ms' are both about event 4. "
        + "Leave one of them out.\n")
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
  /// A state that is told to exit and never reports that it has exited.
  fileprivate static var unanswered: Story {
    var story = Story("latest")
    let first = story.add(.enqueued, 1)
    story.add(.entering, 1, cause: first)
    story.add(.entered, 1)
    let second = story.add(.enqueued, 2)
    story.add(.exiting, 1, cause: second)
    story.add(.mark)
    story.add(.mark)
    story.wait(seconds: 5)
    story.add(.mark)
    return story
  }

  /// A controller of an unknown kind forgets the second of three.
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
