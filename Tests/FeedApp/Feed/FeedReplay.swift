public import StatyReplay

extension ControllerRegistry {
  /// How a recorded feed is made again; `feed-fixed` is the feed without the bug.
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

/// Answers later than any replay lasts: what was answered then is in the recording.
private struct SilentLoader: FeedLoader {
  func items(matching text: String) async throws -> [String] {
    try await Task.sleep(for: .seconds(3_600))
    return []
  }
}
