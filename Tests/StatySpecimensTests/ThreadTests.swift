import Chance
import Staty
import StatyHistory
import StatyReplay
import StatySpecimens
import Testing

/// Controllers on several threads.
///
/// The calls of one thread are nested, whatever is between them in the file.
@Suite struct ThreadTests {
  @Test func `two controllers on two threads are reproduced in every mix of their events`() throws {
    let seed = testSeed
    var random = SeededRandom(seed: seed)
    for run in 0..<24 {
      let kinds: [any Specimen.Type] = [Specimens.all[run % 4]]
      let one = try EditedHistory(
        SpecimenHistory(seed: seed &+ UInt64(run), runs: 1) { _ in kinds })
      // A scene without outputs tests nothing.
      guard one.rows.contains(where: { EventKind(rawValue: $0.kind)?.side == .output }) else {
        continue
      }
      let mixed = one.doubled { random.below(2) == 0 }
      let result = try mixed.write().replay()
      guard result.verdict == .reproduced, result.unreached.isEmpty else {
        Issue.record("seed \(seed), run \(run): \(result)\n\(try mixed.write().words())")
        return
      }
    }
  }

  @Test func `two threads inside one controller make a replay inconclusive`() throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == "unknown-key" })
    var edited = try EditedHistory(SpecimenHistory(scenario))
    // The second request is moved into the handling of the first, on another thread.
    let requests = edited.rows.indices.filter {
      edited.rows[$0].kind == EventKind.enqueued.rawValue
    }
    edited.intrude(from: requests[1], to: requests[0] + 2)
    let result = try edited.write().replay()
    #expect(result.verdict == .inconclusive, "\(result)")
    guard case .overlappingHandling(controller: 1, _)? = result.doubts.first else {
      Issue.record("\(result)")
      return
    }
  }
}
