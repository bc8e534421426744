import Foundation
import Staty
import StatyCommand
import StatyHistory
import StatyRecorder
import Testing

/// Files with the wrong content, and places that cannot be written.
@Suite struct BadInputTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ status: ExitCode, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try Binary(arguments, in: place.directory)
    #expect(run.status == status.rawValue, sourceLocation: sourceLocation)
    #expect(run.err == words, sourceLocation: sourceLocation)
    #expect(run.out == "", sourceLocation: sourceLocation)
  }

  @Test func `what is no history is refused for what it is`() throws {
    try Data("hello, this is no database".utf8).write(to: URL(fileURLWithPath: place.path("text")))
    try Data().write(to: URL(fileURLWithPath: place.path("empty")))
    let none = "  Choose a file that a recorder of Staty has written.\n"
    try expect(
      ["check", "text"], .badData, "Error: Opening 'text': it is not a history.\n" + none)
    try expect(
      ["check", "empty"], .badData,
      "Error: Opening 'empty': the file is empty.\n"
        + "  An app that was killed before it stored anything leaves such a file.\n")
    try expect(
      ["check", "."], .badData,
      "Error: Opening '.': it is a directory.\n  Name the files in it, as in './*.sqlite'.\n")
    try expect(
      ["check", "none"], .noInput,
      "Error: Opening 'none': there is no such file.\n  Check the path.\n")
    let ring = try FlightRing(creatingAt: place.path("early.sqlite-ring"))
    defer { ring.close(removingFile: true) }
    try expect(
      ["check", "early.sqlite"], .noInput,
      "Error: Opening 'early.sqlite': there is no such file yet.\n"
        + "  The recorder has not written it. Its events are in 'early.sqlite-ring': if the app was "
        + "killed, start it again, and its recorder stores them.\n")
    try expect(
      ["check", "early.sqlite-ring"], .badData,
      "Error: Opening 'early.sqlite-ring': it is the ring of a recorder, and not its history.\n"
        + "  Start the app again: its recorder stores the events of the ring in the history.\n")
    try place.write(.clean)
    try place.tamper("PRAGMA application_id = 5")
    try expect(
      ["check", "history.sqlite"], .badData,
      "Error: Opening 'history.sqlite': it is a database, but not a history.\n" + none)
  }

  @Test func `a text is read from a file, and a pipe without a writer is not waited for`()
    throws
  {
    try place.write(.overlapping("mine"))
    try FileManager.default.createDirectory(
      atPath: place.path("rules"), withIntermediateDirectories: false)
    for name in ["rules/mine.sql", "edits"] { #expect(mkfifo(place.path(name), 0o600) == 0) }
    let advice = "  Check the path. Write a program's output into a file first.\n"
    try expect(
      ["check", "--rules=rules", "history.sqlite"], .noInput,
      "Error: Reading 'rules/mine.sql': it is no regular file.\n" + advice)
    try expect(
      ["replay", "--edits=edits", "history.sqlite"], .noInput,
      "Error: Reading 'edits': it is no regular file.\n" + advice)
    try expect(
      ["replay", "--edits=.", "history.sqlite"], .noInput,
      "Error: Reading '.': it is no regular file.\n" + advice)
    // What stands in for a file is read, and so is standard input.
    try Data("skip 9\n".utf8).write(to: URL(fileURLWithPath: place.path("some")))
    #expect(symlink("some", place.path("link")) == 0)
    for edits in ["link", "-"] {
      let run = try Binary(
        ["replay", "--edits", edits, "history.sqlite"], in: place.directory, input: "skip 9\n")
      #expect((run.err + run.out).contains("skip 9"), "\(run.err)\(run.out)")
    }
  }

  @Test func `a newer schema is refused by its number, and a strange one by name`() throws {
    try place.write(.clean)
    try place.tamper("CREATE VIEW \"a\u{1b}[31m\" AS SELECT 1")
    try expect(
      ["replay", "history.sqlite"], .badData,
      "Error: Opening 'history.sqlite': the history is damaged: schema "
        + "\(HistoryFile.schemaVersion) has no view \"a\\u{1b}[31m\".\n"
        + "  Take another copy from where it was recorded, or get out what is left: 'staty doctor "
        + "FILE --salvage OUT'.\n")
    try place.tamper("PRAGMA user_version = 77")
    try expect(
      ["sessions", "history.sqlite"], .badData,
      "Error: Opening 'history.sqlite': it has schema 77, and this tool knows schemas up to "
        + "\(HistoryFile.schemaVersion).\n"
        + "  Use a newer staty; this one has not touched the file.\n")
  }

  @Test func `changed rows and changed findings are damage`() throws {
    try place.write(.overlapping("mine"), isChecked: true)
    try place.tamper("UPDATE finding SET seq = seq + 1")
    let findings = try Binary(["check", "history.sqlite"], in: place.directory)
    #expect(findings.status == 65)
    #expect(findings.err.contains("the stored findings were changed"))
    try place.tamper("UPDATE event SET t = t + 1 WHERE seq = 3")
    for verb in [["check"], ["replay"], ["diff", "history.sqlite"]] {
      let run = try Binary(verb + ["history.sqlite"], in: place.directory)
      #expect(run.status == 65)
      #expect(run.err.contains("the history is damaged: an event was changed somewhere from 1"))
      #expect(run.out == "" || verb == ["check"] || verb == ["replay"])
    }
  }

  @Test func `sessions and controllers that are not there are named, with those that are`() throws {
    try place.write(.clean)
    try expect(
      ["check", "--session", "7", "history.sqlite"], .usage,
      "Error: There is no session 7 in 'history.sqlite'.\n  There is only 1.\n")
    try expect(
      ["replay", "--controller", "chekout", "history.sqlite"], .usage,
      "Error: No controller in 'history.sqlite' is called 'chekout'. Did you mean 'checkout'?\n"
        + "  Recorded are 'checkout'.\n")
    try place.write(.clean, .clean, to: "two.sqlite")
    try expect(
      ["diff", "two.sqlite", "history.sqlite"], .usage,
      "Error: There are 2 sessions in 'two.sqlite', and one is compared.\n"
        + "  Name it with '--session' or '--other-session'; 'sessions' lists them.\n")
  }

  @Test func `an event to end with that is not there is told of`() throws {
    try place.write(.clean, .clean)
    let count = Story.clean.rows.count
    try expect(
      ["replay", "--until", "999", "history.sqlite"], .usage,
      "Error: There is no event 999 in 'history.sqlite'.\n  The last is \(2 * count).\n")
    try expect(
      ["replay", "--session=1", "--until=\(count + 1)", "history.sqlite"], .usage,
      "Error: There is no event \(count + 1) in session 1 of 'history.sqlite'.\n"
        + "  The last is \(count).\n")
    try expect(
      ["replay", "--session=2", "--until=3", "history.sqlite"], .usage,
      "Error: Event 3 of 'history.sqlite' comes before session 2.\n"
        + "  Its first is \(count + 1).\n")
    let early = try Binary(["replay", "--until=\(count)", "history.sqlite"], in: place.directory)
    #expect(early.out.hasPrefix("REPRODUCED"), "\(early.out)")
    let run = try Binary(["replay", "--session", "-1", "history.sqlite"], in: place.directory)
    #expect(run.status == 64)
    #expect(
      run.err.hasPrefix(
        "Error: The value '-1' is invalid for '--session <n>'. "
          + "Please provide a whole number, 0 or more.\n"))
  }

  @Test func `a damaged session does not keep the others from being checked`() throws {
    try place.write(.clean, .clean, .overlapping("mine"))
    try place.tamper("UPDATE event SET t = t + 1 WHERE seq = 3")
    try place.expect(
      ["check", "history.sqlite", "--oneline", "--junit=out.xml"], "check-damaged", status: 65)
    try place.expect(["check", "history.sqlite", "--json"], "check-damaged-json", status: 65)
    let xml = try String(contentsOfFile: place.path("out.xml"), encoding: .utf8)
    #expect(xml.contains(#"name="session 1">"# + "\n      <error "))
    #expect(xml.contains("tests=\"3\" failures=\"1\" errors=\"1\""))
    try place.tamper("UPDATE event SET t = t + 1 WHERE seq IN (23, 40)")
    let none = try Binary(["check", "history.sqlite", "--session=1"], in: place.directory)
    #expect(
      none.out == "Nothing was judged; 1 session could not be checked.\n")
  }

  @Test func `what is missing of a recording is told beside what was found in the rest`() throws {
    var story = Story()
    story.lose(300)
    try place.write(story, .clean)
    try place.expect(["check", "history.sqlite", "--junit=out.xml"], "check-gaps", status: 0)
    try place.expect(["check", "history.sqlite", "--json"], "check-gaps-json", status: 0)
    let xml = try String(contentsOfFile: place.path("out.xml"), encoding: .utf8)
    #expect(xml.contains("<system-out>300 events are missing"), "\(xml)")
  }

  @Test func `controllers that rules could not judge are told of together`() throws {
    var story = Story("mine", fidelity: .threeKind)
    for name in ["b", "c", "d", "e"] { story.addController(name, "mine", .threeKind) }
    try place.write(story)
    let run = try Binary(["check", "history.sqlite"], in: place.directory)
    #expect(run.err.components(separatedBy: "Note: ").count == 2, "\(run.err)")
    #expect(run.err.contains("checkout, b, c and 2"))
  }

  @Test func `a damaged session does not hide the others`() throws {
    try place.write(.clean, .clean, .overlapping("immediate"))
    try place.tamper("UPDATE event SET t = t + 1 WHERE seq = 3")
    for flags in [[], ["--what-if"]] {
      let run = try Binary(["replay", "history.sqlite"] + flags, in: place.directory)
      #expect(run.status == 65)
      #expect(
        run.err.hasPrefix("Error: Verifying 'history.sqlite', session 1: the history is damaged"))
      let verdict = flags.isEmpty ? "reproduced" : "clean     "
      #expect(run.out.contains("\(verdict)   history.sqlite, session 2: "), "\(run.out)")
      #expect(run.out.contains("\(verdict)   history.sqlite, session 3: "))
      #expect(run.out.contains("2 sessions: "))
    }
    let junit = try Binary(
      ["replay", "history.sqlite", "--junit=out.xml"], in: place.directory)
    #expect(junit.status == 65)
    let xml = try String(contentsOfFile: place.path("out.xml"), encoding: .utf8)
    #expect(xml.contains("tests=\"3\" failures=\"0\" errors=\"1\""))
  }

  @Test(.enabled(if: geteuid() != 0, "Who is allowed everything cannot be refused."))
  func `a file that may not be read is said to be so`() throws {
    try place.write(.clean)
    #expect(chmod(place.path(), 0) == 0)
    try expect(
      ["check", "history.sqlite"], .noInput,
      "Error: Opening 'history.sqlite': you are not allowed to read it.\n"
        + "  Ask its owner, or change its permissions.\n")
  }

  @Test func `an output that cannot be written is said to be so, before the work`() throws {
    try place.write(.clean)
    try place.write(.clean, to: "other.sqlite")
    try expect(
      ["sessions", "history.sqlite", "-o", "other.sqlite"], .cannotWrite,
      "Error: Writing 'other.sqlite': there is a file already.\n"
        + "  Use '--force' to replace it.\n")
    try expect(
      ["check", "history.sqlite", "-o", "none/out"], .cannotWrite,
      "Error: Writing 'none/out': No such file or directory.\n"
        + "  Choose a place that can be written.\n")
    #expect(try Binary(["sessions", "history.sqlite", "-o", "out"], in: place.directory).out == "")
    let written = try String(contentsOfFile: place.path("out"), encoding: .utf8)
    #expect(written == (try Binary(["sessions", "history.sqlite"], in: place.directory).out))
  }

  @Test func `a link to a history is followed, and nothing is left beside it`() throws {
    try place.write(.clean, to: "real.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: place.path("link.sqlite"), withDestinationPath: "real.sqlite")
    #expect(try Binary(["check", "link.sqlite"], in: place.directory).status == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted()
    #expect(files == ["link.sqlite", "real.sqlite"])
  }
}
