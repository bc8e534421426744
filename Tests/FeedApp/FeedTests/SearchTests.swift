import Feed
import Foundation
import StatyRecorder
import StatyTesting
import Testing

/// A model with an asynchronous function, recorded and replayed without waiting.
@Suite @MainActor struct SearchTests {
  /// Answers at once, but the short search fails.
  private struct Loader: FeedLoader {
    func items(matching text: String) async throws -> [String] {
      if text.count < 3 { throw CancellationError() }
      return [text]
    }
  }

  @Test func `an asynchronous function is replayed by its messages`() async throws {
    let path =
      FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = try HistoryRecorder(at: path)
    let search = RecordedSearch(loader: Loader())
    recorder.attach(to: search.track, as: "search")
    await search.search("sw")
    await search.search("swan")
    await recorder.close()
    var registry = ControllerRegistry()
    registry.register("search") { context in
      let search = RecordedSearch(loader: Loader())
      return context.subject(of: search.track) { (message: SearchMessage) in search.receive(message)
      }
    }
    #expect(try replay(path, in: registry) == .reproduced(decisions: 4))
    // Its values are not Hashable: only what the test names can be compared.
    #expect(explore(history: path, in: registry).map(\.verdict) == [.inconclusive])
    var compared = ControllerRegistry()
    compared.register("search") { context in
      let search = RecordedSearch(loader: Loader())
      return context.subject(of: search.track) { (message: SearchMessage) in search.receive(message)
      }.showing { "\(search.state)" }
    }
    #expect(explore(history: path, in: compared).map(\.verdict) == [.same])
    // The answers say what they answer, so a late one is found, whatever its name.
    var careless = ControllerRegistry()
    careless.register("search") { context in
      let search = CarelessSearch()
      return context.subject(of: search.track) { (message: SearchMessage) in search.receive(message)
      }
    }
    var options = Explorer.Options()
    options.codes = [.lateAnswer]
    let scenario = try Scenario(ofHistoryAt: path, session: 1, registry: careless)
    #expect(scenario.messages.map(\.origin) == [nil, 1, nil, 3])
    let exploration = try Explorer(scenario, registry: careless, options: options).run()
    #expect(exploration.findings.map(\.code) == [.lateAnswer])
  }

  /// Shows every answer, also that to an earlier search.
  private final class CarelessSearch {
    let track = StateTrack("search")

    func receive(_ message: SearchMessage) {
      track.received(message) {
        switch message {
        case .searched: track.moved(to: RecordedSearch.State.loading)
        case .found(let items, _): track.moved(to: RecordedSearch.State.ready(items))
        case .failed: track.moved(to: RecordedSearch.State.failed)
        }
      }
    }
  }

  @Test func `the model before it was recorded does the same`() async {
    let search = PlainSearch(loader: Loader())
    await search.search("swan")
    guard case .ready(["swan"]) = search.state else {
      Issue.record("It is \(search.state).")
      return
    }
  }
}
