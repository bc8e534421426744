import Foundation
import StatyRecorder
import Testing

@Suite struct RecorderForkTests {
  @Test func `a forked child records nothing, harms nothing and ends at once`() throws {
    let place = try Place()
    let probe = try Probe(["fork", place.path], of: "RecorderProbe")
    let lines = probe.lines()
    try #require(lines.count == 6, "\(lines)")
    for line in lines[0..<3] {
      #expect(line.contains("forked from the one that records"), "\(line)")
    }
    // The child cannot open a recorder of its own for the parent's file either.
    #expect(lines[3].contains("is being recorded into by process \(probe.pid)"))
    #expect(lines[4] == "child ended with 0")
    // Two events of the controller itself, three of the first visit, five of the second. The child's events
    // have no numbers.
    #expect(lines[5] == "10 = 10 + 0")
    #expect(
      try place.query("SELECT DISTINCT controller FROM history") == ["parent"])
    #expect(try place.query("SELECT ended, events, lost FROM sessions") == ["clean|10|0"])
    #expect(try place.unaccounted() == ["0"])
    #expect(!FileManager.default.fileExists(atPath: place.path + "-child"))
  }
}
