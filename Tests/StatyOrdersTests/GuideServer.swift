import StatyTesting

protocol TokenServer: Sendable {
  func token() async -> String
}

struct FakeServer: TokenServer {
  let world: World
  func token() async -> String { await world.answer("token", "abc") }
}
