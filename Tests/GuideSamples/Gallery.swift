@MainActor final class Composer {
  private(set) var field = ""
  init(_ server: FakeServer) {}
  func write(_ text: String) {}
  func send() async {}
  func appear() {}
}
struct FakeServer { let world: World }
