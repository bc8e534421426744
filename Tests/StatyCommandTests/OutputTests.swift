import Foundation
import StatyCommand
import Testing

/// What the tool writes never costs what was there.
@Suite struct OutputTests {
  private let place: Place

  init() throws { place = try Place() }

  private func content(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: place.path(name)))
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted() }
  }

  @Test(arguments: [
    ["check", "-o", "history.sqlite"], ["replay", "--junit", "history.sqlite"],
    ["sessions", "-o", "link"],
  ])
  func `a file that is read is never written over`(words: [String]) throws {
    let path = try place.write(.clean)
    try FileManager.default.createSymbolicLink(
      atPath: place.path("link"), withDestinationPath: path)
    let before = try content("history.sqlite")
    let output = place.path(words[2])
    let run = Capture([words[0], "--force", words[1], output, path], executable: Binary.path)
    #expect(run.status == .usage)
    #expect(run.err.contains("it is one of the files to read"))
    #expect(try content("history.sqlite") == before)
  }

  @Test(arguments: [
    ["export", "history.sqlite", "-o", "there"], ["redact", "history.sqlite", "-o", "there"],
  ])
  func `a replaced file keeps its permissions`(words: [String]) throws {
    try place.write(.clean)
    try Data("before".utf8).write(to: URL(fileURLWithPath: place.path("there")))
    chmod(place.path("there"), 0o640)
    let run = try Binary(words + ["--force"], in: place.directory)
    #expect(run.status == 0)
    var status = stat()
    #expect(stat(place.path("there"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try content("there") != Data("before".utf8))
  }

  @Test(arguments: ["-wal", "-shm", "-journal", "-ring"])
  func `files that belong to an input are never replaced`(_ ending: String) throws {
    let path = try place.write(.clean)
    for isThere in [false, true] {
      if isThere { try Data("kept".utf8).write(to: URL(fileURLWithPath: path + ending)) }
      let run = Capture(
        ["check", "--force", "--junit", path + ending, path], executable: Binary.path)
      #expect(run.status == .usage)
      #expect(run.err.contains("the name belongs to a file that is kept next to"))
    }
    #expect(try content("history.sqlite" + ending) == Data("kept".utf8))
  }

  @Test(arguments: [
    ["replay", "--edits", "edits.txt", "-o", "edits.txt", "history.sqlite"],
    ["check", "--rules", "rules", "-o", "rules/mine.sql", "history.sqlite"],
    ["check", "--rules", "rules", "-o", "there", "history.sqlite"],
    ["check", "--rules", "rules", "-o", "rules/link.sql", "history.sqlite"],
  ])
  func `nor is what an option names to be read, or what is in its folder`(_ words: [String]) throws
  {
    try place.write(.clean)
    try FileManager.default.createDirectory(
      atPath: place.path("rules"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: place.path("there"), withDestinationPath: "rules/mine.sql")
    try FileManager.default.createSymbolicLink(
      atPath: place.path("rules/link.sql"), withDestinationPath: "../edits.txt")
    try Data("# none".utf8).write(to: URL(fileURLWithPath: place.path("edits.txt")))
    let rule = "SELECT session, seq FROM history WHERE 0"
    try Data(rule.utf8).write(to: URL(fileURLWithPath: place.path("rules/mine.sql")))
    let kept = ["edits.txt", "rules/mine.sql", "history.sqlite"]
    let before = try kept.map { try content($0) }
    let run = try Binary(words + ["--force"], in: place.directory)
    #expect(run.status == 64)
    #expect(run.err.contains("it is one of the files to read"), "\(run.err)")
    #expect(try kept.map { try content($0) } == before)
  }

  @Test(arguments: [
    ["check", "-o", "real.sqlite-wal", "link.sqlite"],
    ["check", "-o", "real.sqlite-ring-00000000-0000-0000-0000-000000000001", "real.sqlite"],
    [
      "check", "-o", "real.sqlite-unreadable-ring-00000000-0000-0000-0000-000000000001",
      "real.sqlite",
    ],
    ["check", "-o", "c\u{600}.sqlite-wal", "real.sqlite"],
    ["check", "-o", "h\u{600}-ring", "real.sqlite"],
    ["show", "-o", "other.sqlite-ring", "real.sqlite"],
    ["doctor", "real.sqlite", "--salvage", "new.sqlite", "--unverified", "new.sqlite-wal"],
    ["doctor", "real.sqlite", "--salvage", "other.sqlite-wal"],
  ])
  func `nor what belongs beside any file that is there, or is to be`(_ words: [String]) throws {
    try place.write(.clean, to: "real.sqlite")
    for name in ["other.sqlite", "c\u{600}.sqlite", "h\u{600}"] {
      try place.write(.clean, to: name)
    }
    try FileManager.default.createSymbolicLink(
      atPath: place.path("link.sqlite"), withDestinationPath: "real.sqlite")
    let before = try files
    let run = try Binary(words + ["--force"], in: place.directory)
    #expect(run.status == 64, "\(run.err)")
    #expect(try files == before)
  }

  @Test func `what fails on the way leaves what was there, and nothing where nothing was`() throws {
    try Data("old".utf8).write(to: URL(fileURLWithPath: place.path("there.txt")))
    let path = try place.write(.clean)
    let before = try files
    let words = ["replay", "--edits", place.path("missing.txt"), path, "-o"]
    #expect(Capture(words + [place.path("there.txt"), "--force"]).status == .noInput)
    #expect(Capture(words + [place.path("fresh.txt")]).status == .noInput)
    #expect(try content("there.txt") == Data("old".utf8))
    #expect(try files == before)
  }

  @Test func `what a link leads to is written as a whole, or not at all`() throws {
    let path = try place.write(.clean)
    try Data("old".utf8).write(to: URL(fileURLWithPath: place.path("there.txt")))
    for (link, target) in [("one", "there.txt"), ("two", "one")] {
      try FileManager.default.createSymbolicLink(
        atPath: place.path(link), withDestinationPath: target)
    }
    let before = try files
    let words = ["--force", "-o", place.path("two")]
    // Told when the output has been begun.
    #expect(Capture(["export", "--session=9", path] + words).status == .usage)
    #expect(try content("there.txt") == Data("old".utf8))
    let run = Capture(["export", path] + words)
    #expect(run.status == .done, "\(run.err)")
    #expect(try content("there.txt") == Data(Capture(["export", path]).out.utf8))
    #expect(try files == before)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: place.path("two")) == "one")
    // Without '--force' also a link is something that is there.
    #expect(Capture(["export", path, "-o", place.path("two")]).status == .cannotWrite)
  }

  @Test(arguments: ["/dev/stdout", "/dev/fd/1", "link", "/dev/../dev/fd/1", "/dev/fd/7"])
  func `what was given open is gone on with`(_ output: String) throws {
    try place.write(.clean)
    try FileManager.default.createSymbolicLink(
      atPath: place.path("link"), withDestinationPath: "/dev/stdout")
    try Data("old\n".utf8).write(to: URL(fileURLWithPath: place.path("log")))
    let words = "export history.sqlite --force -o \(output)"
    for line in ["\(words) >> log 7>&1", "replay --edits=none \(words.dropFirst(6)) >> log 7>&1"] {
      _ = try Binary(
        program: "/bin/sh", ["-c", "'\(Binary.path)' \(line)"], in: place.directory)
      #expect(
        try content("log")
          == Data(("old\n" + Capture(["export", place.path()]).out).utf8), "\(line)")
    }
  }

  @Test func `a device is written where it is`() throws {
    let path = try place.write(.clean)
    try FileManager.default.createSymbolicLink(
      atPath: place.path("null"), withDestinationPath: "/dev/null")
    #expect(Capture(["export", path, "--force", "-o", place.path("null")]).status == .done)
    #expect(Capture(["export", path, "--force", "-o", "/dev/null"]).status == .done)
  }

  @Test func `of the sessions one is listed, or no more than are wanted`() throws {
    let path = try place.write(.clean, .clean, .clean)
    let one = Capture(["sessions", path, "--session=2", "--format=ndjson"])
    #expect(one.out.split(separator: "\n").count == 1)
    #expect(one.out.contains(#""session":2,"#))
    let some = Capture(["sessions", path, "--limit=2", "--format=ndjson"])
    #expect(some.out.split(separator: "\n").count == 2)
    #expect(some.err == "Note: there are more rows; '--limit 0' prints all.\n")
    #expect(Capture(["sessions", path, "--limit=3", "--json"]).err == "")
    #expect(Capture(["sessions", path, "--session=4"]).status == .usage)
  }

  @Test func `a demo leaves what others put beside its recordings`() throws {
    let folder = place.path("demo")
    #expect(Capture(["demo", "-o", folder], executable: Binary.path).status == .done)
    for name in ["second-last.sqlite.mine", "closed-alert.sqlite-notes.txt"] {
      try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    #expect(Capture(["demo", "-o", folder], executable: Binary.path).status == .done)
    #expect(try content("demo/second-last.sqlite.mine") == Data("mine".utf8))
    #expect(try content("demo/closed-alert.sqlite-notes.txt") == Data("mine".utf8))
  }

  @Test func `where no decision was recorded nothing is said to be reproduced`() throws {
    let path = try place.write(.clean)
    let run = Capture(["replay", "--until", "1", path], executable: Binary.path)
    #expect(run.status == .inconclusive)
    #expect(run.out.contains("No decision of a controller was recorded"))
  }
}
