import Chance
import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules
import StatySpecimens
import Testing

/// Recordings of specimens that go from file to file keep their meaning.
@Suite struct TransferTests {
  @Test(arguments: 0..<4)
  func `random histories have the same findings as text and without names`(
    _ place: Int
  ) throws {
    let kind = Specimens.all[place]
    let seed = testSeed
    let history = try SpecimenHistory(seed: seed, runs: 10) { run in
      [kind, Specimens.all[run % 4]]
    }
    let wanted = try history.replay()
    let other = try SpecimenHistory()
    let writer = try HistoryWriter(path: other.path)
    writer.judge()
    var reading = HistoryImport(into: writer)
    try reading.take(history.text().utf8)
    _ = try reading.finish()
    try writer.close()
    #expect(try other.text() == history.text(), "\(kind.name), seed \(seed)")
    #expect(try other.replay().verdict == wanted.verdict, "\(kind.name), seed \(seed)")
    #expect(
      try other.findings().map(\.words) == history.findings().map(\.words),
      "\(kind.name), seed \(seed)")
    let redacted = try history.redacted()
    #expect(try redacted.replay().verdict == wanted.verdict, "\(kind.name), seed \(seed)")
    #expect(try redacted.replay().matched == wanted.matched, "\(kind.name), seed \(seed)")
  }

  @Test(arguments: SpecimenScenario.all.map(\.name))
  func `the fault of each scenario is found without names`(_ name: String) throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == name })
    let history = try SpecimenHistory(scenario)
    let redacted = try history.redacted()
    #expect(try redacted.findings().map(\.code) == history.findings().map(\.code))
    #expect(try redacted.replay().verdict == history.replay().verdict)
  }
}

extension Finding {
  /// The finding without the numbers that names have in its file.
  fileprivate var words: String { "\(seq) \(code) \(controller) \(visit)" }
}

extension SpecimenHistory {
  fileprivate func text() throws -> String {
    let reader = try HistoryReader(path: path)
    var text = ""
    try HistoryExport(reader).write(reader.sessions()) { text += $0 }
    return text
  }

  fileprivate func redacted() throws -> SpecimenHistory {
    let other = try SpecimenHistory()
    let writer = try HistoryWriter(path: other.path)
    var options = HistoryRedaction.Options()
    options.names = Set(Specimens.all.flatMap { $0.namesRead }.map(\.description))
    options.policies = Set(ControllerRegistry.withSpecimens.names)
    _ = try HistoryRedaction(options) { "another" }
      .write(HistoryReader(path: path), into: writer)
    try writer.close()
    return other
  }
}
