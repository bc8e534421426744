public import StatyReplay

extension ControllerRegistry {
  /// Creates recorded feeds for a replay; `feed-fixed` is the feed without the bug.
  @MainActor public static var feed: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.registerFeed("feed", isFixed: false)
    registry.registerFeed("feed-fixed", isFixed: true)
    return registry
  }

  /// Registers a feed under a name.
  @MainActor public mutating func registerFeed(_ name: String, isFixed: Bool) {
    register(name) { context in
      let model = FeedModel(loader: SilentLoader(), isFixed: isFixed)
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
