protocol TokenServer: Sendable {
  func token() async -> String
}
struct FakeServer: TokenServer {
  let world: World
  func token() async -> String { "" }
}
enum SearchMessage: RecordedMessage { case search(String), clear }
struct FakeSearchServer: Sendable { let world: World }
@MainActor final class Search {
  init(server: FakeSearchServer) {}
  func search(_ text: String) async {}
}
@MainActor var registry = ControllerRegistry()
