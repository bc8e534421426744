import Foundation
import StatyHistory
import StatySQLite
import Testing

@testable import StatyCommand

/// What the system does not take is told as that, and is neither a bug nor damage.
///
/// No file may become longer than some blocks, as on a disk that is nearly full.
@Suite struct FullDiskTests {
  private let place: Place
  /// The history, and its lines; made once, since there is much in it.
  private static let made = Result {
    let place = try Place()
    var story = Story.clean
    for number in 0..<3_000 { story.note("A note of some length that fills the disk: \(number)") }
    try place.write(story, .overlapping(), story)
    return (
      history: try Data(contentsOf: URL(fileURLWithPath: place.path())),
      lines: try Binary(["export", "history.sqlite"], in: place.directory).out
    )
  }
  private var lines: String { get throws { try Self.made.get().lines } }

  init() throws {
    place = try Place()
    try Self.made.get().history.write(to: URL(fileURLWithPath: place.path()))
  }

  private func limited(_ blocks: Int, _ words: [String], input: String = "") throws -> Binary {
    try Binary(
      program: "/bin/sh", ["-c", "ulimit -f \(blocks); exec \"$@\"", "sh", Binary.path] + words,
      in: place.directory, environment: ["TMPDIR": place.directory], input: input)
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted() }
  }

  private func expectRefusal(_ run: Binary) {
    #expect(run.status == 73, "\(run.err)")
    for word in ["bug", "damaged", ".part"] { #expect(!run.err.contains(word), "\(run.err)") }
    #expect(run.err.contains("Make space") || run.err.contains("can be written"), "\(run.err)")
  }

  // From where nothing can be made to where only the last of it does not fit.
  @Test(arguments: [4, 8, 60, 100, 250, 600])
  func `a history that cannot be written whole leaves nothing`(blocks: Int) throws {
    try lines.write(toFile: place.path("lines"), atomically: true, encoding: .utf8)
    let before = try files
    for words in [
      ["redact", "history.sqlite"], ["import", "lines"], ["merge", "history.sqlite"],
      ["prune", "--keep-sessions=2", "history.sqlite"],
    ] {
      expectRefusal(try limited(blocks, words + ["-o", "new.sqlite"]))
      #expect(try files == before)
    }
    expectRefusal(try limited(blocks, ["doctor", "history.sqlite", "--salvage", "new.sqlite"]))
    #expect(try files == before)
  }

  @Test(arguments: [4, 8, 60, 100])
  func `one that is pruned in its place is as it was`(blocks: Int) throws {
    expectRefusal(try limited(blocks, ["prune", "--keep-sessions=1", "history.sqlite"]))
    let after = try Binary(["export", "history.sqlite"], in: place.directory)
    #expect(try after.out == lines, "\(after.err)")
  }

  @Test func `a text that cannot be written whole leaves nothing`() throws {
    let before = try files
    expectRefusal(try limited(8, ["export", "history.sqlite", "-o", "text"]))
    #expect(try files == before)
  }

  @Test(arguments: [7, 8, 13, 778])
  func `what SQLite has no room or leave for is no bug and no damage`(code: Int32) {
    let error = SQLiteError(extendedCode: code, message: "no", doing: "stepping")
    for error in [error, HistoryError.failed(error), HistoryError.outcomeUnknown(error)]
      as [any Error]
    {
      let failure = Failure(error, doing: "Merging")
      #expect(failure.status == .cannotWrite)
      #expect(!failure.advice.contains("bug") && !failure.message.contains("damaged"))
    }
  }
}
