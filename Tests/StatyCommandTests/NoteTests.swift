import Foundation
import Testing

/// Notes about files, and about names in files.
@Suite struct NoteTests {
  private let place: Place
  private static let hostile = "a\u{1b}]0;b\u{7}c\u{9b}31md\u{202e}e\nError: f"
  private static let seen = #"a\u{1b}]0;b\u{7}c\u{9b}31md\u{202e}e\u{a}Error: f"#

  init() throws { place = try Place() }

  private func notes(_ words: String...) throws -> String {
    try plain(Binary(words, in: place.directory).err)
  }

  /// The text of a note, in which nothing can control a terminal.
  private func plain(_ text: String) throws -> String {
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value < 0x7f })
    #expect(!text.contains("\nError: f"))
    return text
  }

  /// Writes a history with a session of this uuid.
  private func write(uuid: String, to name: String) throws {
    try place.write(.clean)
    let text = try Binary(["export", "history.sqlite"], in: place.directory).out
    let quoted = String(decoding: try JSONEncoder().encode(uuid), as: UTF8.self)
    let lines = text.replacing(/"uuid":"[^"]*"/, with: "\"uuid\":" + quoted)
    let run = try Binary(["import", "-", "-q", "-o", name], in: place.directory, input: lines)
    #expect(run.status == 0, "\(run.err)")
  }

  @Test func `a session that is there twice is named as text, and so are its files`() throws {
    let names = [Self.hostile + "1", Self.hostile + "2"]
    try write(uuid: Self.hostile, to: names[0])
    try FileManager.default.copyItem(atPath: place.path(names[0]), toPath: place.path(names[1]))
    let said = try notes("merge", names[0], names[1], "-o", "all.sqlite")
    #expect(
      said.hasPrefix(
        "Session \(Self.seen) is in '\(Self.seen)1' and in '\(Self.seen)2', equal; it was "
          + "taken once.\n"))
  }

  @Test func `a controller that is not there yet is named as text`() throws {
    var story = Story.clean
    story.addController(Self.hostile)
    try place.write(story)
    // Without a reader, it ends by itself.
    let script = "'\(Binary.path)' show -f --controller='\(Self.hostile)g' history.sqlite | :"
    let run = try Binary(program: "/bin/sh", ["-c", script], in: place.directory)
    #expect(try plain(run.err).contains("Did you mean '\(Self.seen)'?"), "\(run.err)")
  }

  @Test(arguments: [["show"], ["stats"], ["stats", "dwell"], ["stuck"], ["graph"]])
  func `a damaged history is named as text`(verb: [String]) throws {
    let name = Self.hostile + ".sqlite"
    try place.write(.clean, to: name)
    try place.tamper("UPDATE event SET visit = 7 WHERE seq = 5", name)
    let run = try Binary(verb + [name], in: place.directory)
    #expect(try plain(run.err).contains("Verifying '\(Self.seen).sqlite', session 1"))
  }
}
