import Basket
import Chance
import Feed
import Foundation
import Gallery
import LibC
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

/// What a check says of the three apps without their bugs, used in a random order.
@Suite @MainActor struct RandomAppTests {
  /// Keeps what was asked until the test answers, in any order.
  private final class Parked: FeedLoader, PhotoLoader, Bank {
    private var waiting: [CheckedContinuation<Bool, Never>] = []
    var isEmpty: Bool { waiting.isEmpty }

    private func wait() async -> Bool { await withCheckedContinuation { waiting.append($0) } }

    func items(matching text: String) async throws -> [String] {
      if await wait() { return [text] }
      throw CancellationError()
    }

    func load(_ photo: String) async { _ = await wait() }
    func pay(for items: [String]) async -> Bool { await wait() }

    func answer(_ random: inout SeededRandom) {
      let one = waiting.remove(at: .random(in: waiting.indices, using: &random))
      one.resume(returning: random.chance(80))
    }
  }

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")

  /// What is found in a thousand runs, each rule with the number of runs.
  ///
  /// - Parameter make: makes the app, and returns its track and what its user can do.
  private func check(
    _ make: (Parked) -> (track: Track, acts: [() -> Void])
  ) async throws -> [RuleCode: Int] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("history.sqlite").path
    let recorder = try HistoryRecorder(at: path)
    var random = SeededRandom(seed: testSeed)
    for _ in 0..<1_000 {
      let parked = Parked()
      let (track, acts) = make(parked)
      recorder.attach(to: track, as: "app")
      var left = Int.random(in: 1...8, using: &random)
      while left > 0 || !parked.isEmpty {
        if parked.isEmpty || left > 0 && random.chance(50) {
          acts.randomElement(using: &random)!()
          left -= 1
        } else {
          parked.answer(&random)
        }
        for _ in 0..<8 { await Task.yield() }
      }
      recorder.detach(from: track)
      while recorder.statistics.queued > 5_000 { usleep(100) }
    }
    await recorder.close()
    let results = try HistoryCheck(HistoryReader(path: path)).file()
    #expect(results.allSatisfy { $0.losses.isEmpty })
    return Dictionary(grouping: results.flatMap(\.findings), by: \.code).mapValues {
      Set($0.map(\.controller)).count
    }
  }

  @Test func `the feed that ignores older searches is accused of nothing`() async throws {
    let found = try await check { parked in
      let feed = FeedModel(loader: parked, isFixed: true)
      // Each text once: of two searches for one text it takes the answer to either, which a check warns of.
      var text = ""
      return (
        feed.track,
        [
          {
            text += "s"
            feed.send(.searched(text))
          }
        ]
      )
    }
    #expect(found == [:])
  }

  @Test func `the basket that takes nothing while it pays is accused of nothing`() async throws {
    let found = try await check { parked in
      let screen = BasketScreen(bank: parked, isFixed: true)
      return (
        screen.track,
        [{ screen.store.send(.added("cup")) }, { screen.store.send(.payTapped) }]
      )
    }
    #expect(found == [:])
  }

  @Test func `the gallery is warned of two photos at once, and of an answer behind a way back`()
    async throws
  {
    let found = try await check { parked in
      let gallery = Gallery(loader: parked, isFixed: true)
      return (
        gallery.track,
        [
          { gallery.send(.tapped("swan")) }, { gallery.send(.tapped("duck")) },
          { gallery.send(.wentBack) },
        ]
      )
    }
    // Two taps on two photos push both, and a photo that has loaded late comes although the user went back.
    #expect(Set(found.keys).isSubset(of: [.doublePush, .lateAnswer]), "\(found)")
  }
}
