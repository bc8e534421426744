extension ControllerRegistry {
  static var session: ControllerRegistry { ControllerRegistry() }
  static var search: ControllerRegistry { ControllerRegistry() }
}
nonisolated(unsafe) let context: ReplayContext! = nil
enum FeedMessage: RecordedMessage { case loaded }
struct Item: Hashable { let id: Int }
@MainActor final class Feed {
  let track = StateTrack("feed")
  var items: [Item] = []
  func send(_ message: FeedMessage) {}
}
@MainActor let feed = Feed()
enum CartMessage: RecordedMessage { case added }
struct Line { let price: Int }
@MainActor final class Cart {
  let track = StateTrack("cart")
  var (lines, total, shown, searched, isLoading) = ([Line](), 0, "", "", false)
  func send(_ message: CartMessage) {}
}
@MainActor let cart = Cart()
protocol TokenServer { func refresh(_ user: String, _ done: @escaping (String) -> Void) }
