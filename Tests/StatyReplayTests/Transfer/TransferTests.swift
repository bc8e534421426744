import Chance
import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRules
import Testing

@testable import StatyReplay

/// A history that goes through text is the same history.
@Suite struct TransferTests {
  @Test(arguments: 0..<6)
  func `random histories of every policy go through text and are equal`(_ place: Int) throws {
    let (name, policy) = VerificationTests.policies[place]
    let history = try RecordedHistory()
    try history.record(seed: testSeed, runs: 12, policy)
    let other = try TransferredHistory(history, part: 1 + Int(testSeed % 5_000)).history
    let told = "\(name), seed \(testSeed)"
    #expect(try other.damages() == [nil], "\(told)")
    let (views, found) = (try history.views(), try other.views())
    #expect(views.count > 4)
    for (view, rows) in views { #expect(found[view] == rows, "\(view), \(told)") }
    #expect(try other.text() == history.text(), "\(told)")
    #expect(try other.verify().verdict == .reproduced, "\(told)")
    #expect(try other.verify().matched == history.verify().matched, "\(told)")
  }

  @Test func `histories that are merged say what they said`() throws {
    let (one, other) = (try RecordedHistory(), try RecordedHistory())
    try one.record(seed: testSeed, runs: 6, .queue)
    try other.record(seed: testSeed &+ 99, runs: 6, .latest)
    let merged = try RecordedHistory()
    let writer = try HistoryWriter(path: merged.path)
    writer.judge()
    let sources = try [other, one].map { history in
      let reader = try HistoryReader(path: history.path)
      return HistoryMerge.Source(history.path) { look in
        try reader.consistently { try look(reader) }
      }
    }
    _ = try HistoryMerge(sources).write(into: writer)
    try writer.close()
    #expect(try merged.damages() == [nil, nil], "seed \(testSeed)")
    for (session, history) in [one, other].enumerated() {
      let reader = try HistoryReader(path: merged.path)
      let verification = try Verification(
        reader, session: Int64(session) + 1, only: nil, registry: ControllerRegistry(), with: .none)
      let (result, wanted) = (try verification.run(), try history.verify())
      #expect(result.verdict == wanted.verdict, "seed \(testSeed)")
      #expect(result.matched == wanted.matched, "seed \(testSeed)")
      #expect(
        try reader.findings(session: Int64(session) + 1).map(\.code)
          == HistoryReader(path: history.path).findings(session: 1).map(\.code))
    }
  }

  @Test func `a text with a missing part is refused`() throws {
    let history = try RecordedHistory()
    try history.record()
    let lines = try history.text().split(separator: "\n").map(String.init)
    for left in 1..<lines.count {
      #expect(throws: ImportRefusal.self) { try take(lines.prefix(left)) }
    }
    for place in lines.indices.dropFirst().dropLast()
    // Findings and readings of the clocks can be left out; nothing counts them.
    where !lines[place].contains("finding") && !lines[place].contains("anchor") {
      var some = lines
      some.remove(at: place)
      #expect(throws: (any Error).self, "without \(lines[place])") { try take(some[...]) }
    }
  }

  private func take(_ lines: ArraySlice<String>) throws {
    let history = try RecordedHistory()
    let writer = try HistoryWriter(path: history.path)
    var reading = HistoryImport(into: writer)
    try reading.take(lines.joined(separator: "\n").utf8)
    _ = try reading.finish()
    try writer.close()
  }
}

/// What rules and replays say of a history without names is what they say of the original.
@Suite struct RedactedReplayTests {
  @Test(arguments: 0..<6)
  func `random histories of every policy replay the same without names`(_ place: Int) throws {
    let (name, policy) = VerificationTests.policies[place]
    let history = try RecordedHistory()
    try history.record(seed: testSeed, runs: 8, policy)
    let other = try RecordedHistory()
    let writer = try HistoryWriter(path: other.path)
    writer.judge()
    var options = HistoryRedaction.Options()
    options.policies = Set(ControllerRegistry().names)
    _ = try HistoryRedaction(options) { "another" }
      .write(HistoryReader(path: history.path), into: writer)
    try writer.close()
    let told = "\(name), seed \(testSeed)"
    let (before, after) = (try history.verify(), try other.verify())
    #expect(after.verdict == before.verdict, "\(told)")
    #expect(after.matched == before.matched, "\(told)")
    #expect(try other.damages() == [nil], "\(told)")
    let findings = try [history, other].map { history in
      try HistoryReader(path: history.path).findings(session: 1)
        .map { "\($0.seq) \($0.code) \($0.severity) \($0.controller) \($0.visit) \($0.isFinal)" }
    }
    #expect(findings[0] == findings[1], "\(told)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: other.path))
    for name in ["loading", "content\"", "alert", "empty"] {
      #expect(bytes.firstRange(of: Data(name.utf8)) == nil, "\(name), \(told)")
    }
  }
}
