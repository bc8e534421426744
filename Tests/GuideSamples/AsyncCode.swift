@MainActor final class Form {
  var isValid: Bool { true }
  func signIn() async {}
}
@MainActor let form = Form()
nonisolated(unsafe) let world: World! = nil
enum SearchMessage: RecordedMessage { case search(String), clear }
struct FakeSearchServer: Sendable { let world: World }
@MainActor final class Search {
  init(server: FakeSearchServer) {}
  func search(_ text: String) async {}
}
@MainActor var registry = ControllerRegistry()
