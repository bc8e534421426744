import Foundation
import StatyGallery
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules
import Testing

/// Twelve ordinary models: what a search asks about sound ones, and whether it finds the flaws of the
/// others.
@Suite struct OrdinaryModelTests {
  @Test func `sound models end the same, and each question is about what can happen`() throws {
    var warned: [String] = []
    for model in OrdinaryModel.all {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite")
      defer {
        for end in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: path.path + end)
        }
      }
      let recorder = try HistoryRecorder(at: path.path)
      var tracks: [StateTrack] = []
      let use = model.record(&tracks)
      recorder.attach(to: tracks[0], as: "store")
      use()
      recorder.close()
      let findings = try HistoryCheck(HistoryReader(path: path.path)).session(1).findings
      if !findings.isEmpty { warned.append("\(model): \(findings.map(\.code))") }
      #expect(findings.allSatisfy { $0.severity == .warning }, "\(model)")
      var registry = ControllerRegistry()
      model.register(&registry)
      let scenario = try Scenario(ofHistoryAt: path.path, session: 1, registry: registry)
      let exploration = try Explorer(scenario, registry: registry).run()
      let words = exploration.outcomes.map { OutcomeWords($0) }
      print(
        "\(model): \(exploration.verdict), \(words.map(\.question).joined()) \(words.map(\.extent))"
      )
      #expect(
        exploration.verdict == model.verdict,
        "\(model): \(words.flatMap { $0.numbered() }) \(exploration.findings) \(exploration.doubts)"
      )
      let outcomes = try #require(exploration.outcomes.first?.outcomes)
      #expect(outcomes[0].isUsual && outcomes[0].isRecorded, "\(model)")
      #expect(outcomes.dropFirst().allSatisfy { $0.deviations.count == 1 }, "\(model)")
    }
    #expect(warned.count <= 1, "\(warned)")
  }
}
