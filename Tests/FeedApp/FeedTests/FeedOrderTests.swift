import Feed
import StatyTesting
import Testing

/// The feed and the search in every order of searches and answers, unchanged.
@MainActor @Suite struct FeedOrderTests {
  private struct SlowLoader: FeedLoader {
    let world: World
    func items(matching text: String) async throws -> [String] {
      try await world.answer("items for \(text)", Result<_, any Error>.success([text]))
    }
  }

  private func feed(_ world: World, isFixed: Bool) {
    let feed = FeedModel(loader: SlowLoader(world: world), isFixed: isFixed)
    world.user("search s") { feed.send(.searched("s")) }
    world.user("search sw") { feed.send(.searched("sw")) }
    world.shows { "\(feed.state)" }
  }

  @Test func `a late answer overwrites a newer one`() {
    withKnownIssue {
      let found = expectOneOutcome { feed($0, isFixed: false) }
      #expect(found.outcomes.map(\.text) == [#"ready(["sw"])"#, #"ready(["s"])"#])
      #expect(
        found.outcomes.last?.conditions == [
          "the answer of 'items for s' to 'search s' is late: behind 'search sw' and "
            + "the answer of 'items for sw' to 'search sw'"
        ])
    } matching: {
      $0.comments.contains { $0.rawValue.contains("have 2 outcomes") }
    }
  }

  @Test func `a fixed feed shows what was searched last`() {
    expectOneOutcome { feed($0, isFixed: true) }
  }

  @Test func `the plain search has the same bug`() {
    withKnownIssue {
      expectOneOutcome { world in
        let search = PlainSearch(loader: SlowLoader(world: world))
        world.user("search s") { await search.search("s") }
        world.user("search sw") { await search.search("sw") }
        world.shows { "\(search.state)" }
      }
    }
  }

  @Test func `the recorded search ignores the answer to an earlier search`() {
    expectOneOutcome { world in
      let search = RecordedSearch(loader: SlowLoader(world: world))
      world.user("search s") { await search.search("s") }
      world.user("search sw") { await search.search("sw") }
      world.shows { "\(search.state)" }
    }
  }
}
