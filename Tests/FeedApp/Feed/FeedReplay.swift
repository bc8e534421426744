public import StatyReplay

extension ControllerRegistry {
  /// Creates recorded feeds for a replay; `feed-fixed` is the feed without the bug.
  @MainActor public static var feed: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.registerFeed("feed", isCareful: false)
    registry.registerFeed("feed-fixed", isCareful: true)
    return registry
  }

  /// Registers a feed under a name.
  @MainActor public mutating func registerFeed(_ name: String, isCareful: Bool) {
    register(name) { context in
      let model = FeedModel(loader: SilentLoader(), isCareful: isCareful)
      return context.subject(of: model.track) { (message: FeedMessage) in model.send(message) }
    }
  }
}

/// Never answers during a replay, because the recorded answers are messages.
private struct SilentLoader: FeedLoader {
  func items(matching text: String) async throws -> [String] {
    try await Task.sleep(for: .seconds(3_600))
    return []
  }
}
