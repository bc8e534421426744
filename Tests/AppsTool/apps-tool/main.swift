import Basket
import Feed
import Gallery
import StatyCommand
import StatyRecorder
import StatyReplay

// `apps-tool record APP FILE` uses an app and records its bug; everything else is the tool that
// knows the models of all apps.

/// A server that answers the short search last, because that matches much.
@MainActor final class Server: FeedLoader {
  private(set) var hasAnswered = false

  func items(matching text: String) async throws -> [String] {
    if text.count > 2 { return [] }
    while !hasAnswered { await Task.yield() }
    return ["swan", "sweet"]
  }

  /// Lets the answer to the short search come.
  func goOn() { hasAnswered = true }
}

/// A bank that takes a while.
struct PatientBank: Bank {
  func pay(for items: [String]) async -> Bool {
    await Task.yield()
    return true
  }
}

/// Photos that take a while, and come in the order in which they were asked for.
@MainActor final class Photos: PhotoLoader {
  private var (asked, loaded) = (0, 0)

  func load(_ photo: String) async {
    asked += 1
    let number = asked
    repeat { await Task.yield() } while loaded < number - 1
    loaded = number
  }
}

@MainActor func use(_ app: String) async {
  switch app {
  case "feed":
    let server = Server()
    let feed = FeedModel(loader: server)
    feed.send(.searched("sw"))
    feed.send(.searched("swx"))
    while true {
      if case .empty = feed.state { server.goOn() }
      if case .ready = feed.state { return }
      await Task.yield()
    }
  case "basket":
    let screen = BasketScreen(bank: PatientBank())
    screen.store.send(.added("tea"))
    screen.store.send(.payTapped)
    screen.store.send(.added("cup"))
    while screen.store.state.phase != .paid { await Task.yield() }
  default:
    let gallery = Gallery(loader: Photos())
    for _ in 0..<2 { gallery.send(.tapped("swan")) }
    while gallery.path.count < 2 { await Task.yield() }
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "record", arguments.count == 3 {
  // On Linux, the main actor goes on in another thread after the first suspension.
  await Task.yield()
  let recorder = try HistoryRecorder(at: arguments[2])
  recorder.recordTracks()
  await use(arguments[1])
  recorder.close()
} else {
  var registry = ControllerRegistry.feed
  registry.registerBasket("basket", isFixed: false)
  registry.registerBasket("basket-fixed", isFixed: true)
  registry.registerGallery("gallery", isFixed: false)
  registry.registerGallery("gallery-fixed", isFixed: true)
  StatyTool(registry: registry, name: "apps-tool").main()
}
