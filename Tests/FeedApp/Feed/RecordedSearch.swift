public import Staty

/// What reaches the search.
public enum SearchMessage: RecordedMessage {
  case searched(String)
  case found([String], for: String)
  case failed(for: String)
}

/// The same search, recorded.
@MainActor public final class RecordedSearch {
  public enum State {
    case idle, loading, failed
    case ready([String])
  }

  public let track = StateTrack("search")
  public private(set) var state = State.idle {
    didSet { track.moved(to: state) }
  }
  /// The text whose items are awaited.
  public private(set) var awaited: String?
  private let loader: any FeedLoader

  public init(loader: any FeedLoader) {
    self.loader = loader
  }

  public func search(_ text: String) async {
    let question = receive(.searched(text))
    do {
      receive(.found(try await loader.items(matching: text), for: text), answering: question)
    } catch {
      receive(.failed(for: text), answering: question)
    }
  }

  /// Handles a message without waiting; a replay calls it, too.
  @discardableResult
  public func receive(
    _ message: SearchMessage, answering question: MessageOrigin? = nil
  ) -> MessageOrigin? {
    track.received(message, answering: question) {
      switch message {
      case .searched(let text):
        awaited = text
        state = .loading
      case .found(let items, let text) where text == awaited:
        awaited = nil
        state = .ready(items)
      case .failed(let text) where text == awaited:
        awaited = nil
        state = .failed
      case .found, .failed: break  // the answer to an earlier search
      }
      return .current
    }
  }
}
