@MainActor final class List {
  var items: [Int] = []
  func load() async {}
  func delete(_ index: Int) async {}
}
@MainActor let list = List()
nonisolated(unsafe) let world: World! = nil
enum SearchMessage: RecordedMessage { case search(String), clear }
struct FakeSearchServer: Sendable { let world: World }
@MainActor final class Search {
  init(server: FakeSearchServer) {}
  func search(_ text: String) async {}
}
@MainActor var registry = ControllerRegistry()
