import Staty
import Testing

/// What is held of a controller or probe after it has gone is harmless.
@Suite struct OutlivingTests {
  private final class Page {}

  @Test func `a controller's events can be held longer than the controller`() {
    var controller: StateController<Page>? = StateController<Page>(policy: .latest)
    let events = controller!.events
    controller = nil
    #expect(events.snapshot.policy == "latest")
    #expect(events.snapshot.standing.standing.isEmpty)
    #expect(events.payload(of: VisitNumber(1)) == nil)
  }

  @Test func `a probe's events can be held longer than the probe`() {
    var probe: ControllerProbe? = ControllerProbe("hand-made", fidelity: .ordered)
    let events = probe!.events
    probe = nil
    #expect(events.snapshot.policy == "hand-made")
    #expect(events.snapshot.fidelity == .ordered)
    #expect(events.payload(of: VisitNumber(1)) == nil)
  }

}

@Suite struct ManyRoutesTests {
  @Test func `forty states may lead to one, and a condition among them is kept`() {
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
