public import Staty

/// What reaches the feed: what the user does, and what the server answers.
public enum FeedMessage: RecordedMessage {
  case searched(String)
  case found([String], for: String)
  case failed(for: String)
}

/// Where the feed gets its items from.
public protocol FeedLoader: Sendable {
  func items(matching text: String) async throws -> [String]
}

/// A screen with a search field and a list below it.
@MainActor public final class FeedModel {
  public enum State: Hashable {
    case idle, loading, empty, failed
    case ready([String])
  }

  public let track = StateTrack("feed")
  public private(set) var state = State.idle {
    didSet { track.moved(to: state, showing: state) }
  }

  private let loader: any FeedLoader
  /// The text whose items are awaited.
  private var awaited: String?
  /// Whether an answer to an earlier search is ignored.
  private let isFixed: Bool

  public init(loader: any FeedLoader, isFixed: Bool = false) {
    self.loader = loader
    self.isFixed = isFixed
  }

  public func send(_ message: FeedMessage) {
    track.received(message) { handle(message) }
  }

  private func handle(_ message: FeedMessage) {
    switch message {
    case .searched(let text):
      awaited = text
      state = .loading
      load(text)
    case .found(let items, let text):
      // The bug, unless `isFixed`: the answer to an earlier search may come last.
      if isFixed, text != awaited { return }
      awaited = nil
      state = items.isEmpty ? .empty : .ready(items)
    case .failed(let text):
      if isFixed, text != awaited { return }
      awaited = nil
      state = .failed
    }
  }

  private func load(_ text: String) {
    Task {
      do {
        send(.found(try await loader.items(matching: text), for: text))
      } catch {
        send(.failed(for: text))
      }
    }
  }
}
