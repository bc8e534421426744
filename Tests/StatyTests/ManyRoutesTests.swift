import Staty
import Testing

@Suite struct ManyRoutesTests {
  @Test func `forty states can lead to one, and a condition among them works`() {
    let names = (0..<40).map { "state \($0)" }
    let routes = Routes<String>(states: names + ["home", "away"]) {
      for name in names {
        From(name) { To("home") }
      }
      From("away") { To("home").when("the key is there") { false } }
    }
    let table = routes.table
    #expect(table.routes(to: "home").count > 40)
    #expect(table.refusal(from: "state 39", to: "home", answers: 0) == nil)
    #expect(
      table.refusal(from: "away", to: "home", answers: 0)
        == .guarded(from: "away", guard: "the key is there"))
    #expect(table.refusal(from: "away", to: "home", answers: 1) == nil)
  }
}
