enum FeedState: Hashable { case idle, loading, ready([String]) }
struct Ride: Hashable {}
@MainActor final class Server { func items() async -> [String] { [] } }
@MainActor let server = Server()
@MainActor final class Loader { func load(_ done: @escaping @MainActor ([String]) -> Void) {} }
@MainActor let loader = Loader()
@MainActor class Model {
  let track = StateTrack("feed", FeedState.idle)
  var state = FeedState.idle
}
