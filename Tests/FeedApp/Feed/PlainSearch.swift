/// A search with an asynchronous function, before it is recorded.
@MainActor public final class PlainSearch {
  public enum State {
    case idle, loading, failed
    case ready([String])
  }

  public private(set) var state = State.idle
  private let loader: any FeedLoader

  public init(loader: any FeedLoader) {
    self.loader = loader
  }

  public func search(_ text: String) async {
    state = .loading
    do {
      state = .ready(try await loader.items(matching: text))
    } catch {
      state = .failed
    }
  }
}
