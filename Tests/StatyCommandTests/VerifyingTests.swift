import Foundation
import Staty
import StatyHistory
import Testing

@testable import StatyCommand

/// Every verb verifies the sessions that it judges, and lists sessions without verifying them.
@Suite struct VerifyingTests {
  private let place: Place

  init() throws {
    place = try Place()
    try place.write(.clean, .overlapping("mine"), isChecked: true)
  }

  @Test(arguments: [
    "timeline", "play", "check", "replay", "explore", "minimize", "export", "report",
    "diff --session=2 --other-session=2 PATH", "redact -o OUT", "merge -o OUT",
    "prune -o OUT --keep-sessions=1",
  ])
  func `a session that is not as it was stored is judged by nobody`(line: String) throws {
    try place.tamper("DELETE FROM event WHERE seq BETWEEN 17 AND 19")
    let words = line.split(separator: " ").map {
      String($0).replacing("PATH", with: place.path()).replacing(
        "OUT", with: place.path("out.sqlite"))
    }
    let run = Capture(words + [place.path()])
    #expect(run.status == .badData, "\(run.out)\(run.err)")
    #expect(run.err.contains("session 2: the history is damaged: "), "\(run.err)")
    #expect(!FileManager.default.fileExists(atPath: place.path("out.sqlite")))
  }

  @Test(arguments: [
    "show", "stats", "stats dwell", "stats dwell --json", "stuck", "graph",
  ])
  func `what is only listed is listed, with a note`(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    #expect(!Capture(words + [place.path()]).err.contains("damaged"))
    try place.tamper("DELETE FROM event WHERE seq BETWEEN 17 AND 19")
    let run = Capture(words + [place.path()])
    #expect(run.status == .done, "\(run.err)")
    #expect(run.err.components(separatedBy: "Note: Verifying").count == 2, "\(run.err)")
    #expect(run.err.contains("session 2: the history is damaged: "), "\(run.err)")
    #expect(Capture(words + ["-q", place.path()]).err == "")
  }

  @Test func `a session is verified if its events are listed, and only then`() throws {
    try place.tamper("DELETE FROM event WHERE seq BETWEEN 17 AND 19")
    for line in ["show --limit=3", "show --session=1", "show --around=2", "sessions"] {
      let run = Capture(line.split(separator: " ").map(String.init) + [place.path()])
      #expect(!run.err.contains("Verifying"), "\(line): \(run.err)")
    }
    for line in ["show --limit=3 --reverse", "show --session=2 --limit=1", "show --around=15"] {
      let run = Capture(line.split(separator: " ").map(String.init) + [place.path()])
      #expect(run.err.contains("session 2: the history is damaged: "), "\(line): \(run.err)")
    }
  }

  @Test(arguments: ["DELETE FROM finding", "UPDATE finding SET seq = seq + 1"])
  func `findings that are not those of the rules are damage to every verb that looks`(
    sql: String
  ) throws {
    #expect(Capture(["doctor", place.path()]).status == .done)
    try place.tamper(sql)
    #expect(Capture(["check", place.path()]).status == .badData)
    let doctor = Capture(["doctor", place.path()])
    #expect(doctor.status == .badData)
    let words = doctor.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        "No: session 2 is damaged: the stored findings were changed."),
      "\(words)")
    #expect(Capture(["doctor", "--json", place.path()]).out.contains(#""whole": false"#))
  }

  @Test(arguments: [7, 15, 16, 50, 99])
  func `a file that was cut off in its header is said to be that`(size: Int) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: place.path()))
    try data.prefix(size).write(to: URL(fileURLWithPath: place.path("cut")))
    for verb in ["check", "doctor"] {
      let run = Capture([verb, place.path("cut")])
      #expect(run.status == .badData)
      let words = (run.out + run.err).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("it is truncated: only \(size) bytes of a database"), "\(words)")
      #expect(!words.contains("no SQLite database") && !words.contains("not a history"))
    }
  }
}
