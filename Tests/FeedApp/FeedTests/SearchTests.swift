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
    let registry = Self.registry { $1 }
    #expect(try replay(path, in: registry) == .reproduced(decisions: 4))
    #expect(explore(history: path, in: registry).map(\.verdict) == [.passed])
    // The answers say what they answer, so a late one is found, whatever its name.
    let careless = Self.registry { search, message in
      switch message {
      case .searched: message
      case .found(let items, _): .found(items, for: search.text)
      case .failed: .failed(for: search.text)
      }
    }
    var options = Explorer.Options()
    options.codes = [.staleAnswer]
    let scenario = try Scenario(ofHistoryAt: path, session: 1, registry: careless)
    #expect(scenario.messages.map(\.origin) == [nil, 1, nil, 3])
    let exploration = try Explorer(scenario, registry: careless, options: options).run()
    #expect(exploration.findings.map(\.code) == [.staleAnswer])
  }

  /// A registry of searches.
  ///
  /// - Parameter changed: what a search is told in place of a recorded message.
  private static func registry(
    _ changed: @escaping @MainActor (RecordedSearch, SearchMessage) -> SearchMessage
  ) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("search") { context in
      let search = RecordedSearch(loader: Loader())
      return context.subject(of: search.track) { (message: SearchMessage) in
        search.receive(changed(search, message))
      }
    }
    return registry
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
