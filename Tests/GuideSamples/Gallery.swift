@MainActor final class Composer {
  private(set) var field = ""
  init(_ server: FakeServer, _ version: Version) {}
  func write(_ text: String) {}
  func send() async {}
  func appear() {}
}
enum Version { case reported, fixed }
struct FakeServer { let world: World }
