public import Staty

/// What reaches the search.
public enum SearchMessage: RecordedMessage {
  case searched(String)
  case found([String])
  case failed
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
  private let loader: any FeedLoader

  public init(loader: any FeedLoader) {
    self.loader = loader
  }

  public func search(_ text: String) async {
    let question = receive(.searched(text))
    do {
      receive(.found(try await loader.items(matching: text)), answering: question)
    } catch {
      receive(.failed, answering: question)
    }
  }

  /// Handles a message without waiting; a replay calls it, too.
  @discardableResult
  public func receive(
    _ message: SearchMessage, answering question: MessageOrigin? = nil
  ) -> MessageOrigin? {
    track.received(message, answering: question) {
      switch message {
      case .searched: state = .loading
      case .found(let items): state = .ready(items)
      case .failed: state = .failed
      }
      return .current
    }
  }
}
