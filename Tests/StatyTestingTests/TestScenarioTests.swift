import StatySpecimens
import StatyTesting
import Testing

@Suite struct TestScenarioTests {
  @Test func `an alert comes in when the indicator has gone`() throws {
    let checkout = try TestScenario(policy: .queue)
    let loading = checkout.request("loading")
    let alert = checkout.request("alert")
    checkout.complete(loading, .entered)
    checkout.complete(loading, .exited)
    checkout.complete(alert, .entered)
    checkout.expectOrder(
      .entering(loading), .entered(loading), .exiting(loading), .exited(loading),
      .entering(alert), .entered(alert))
    checkout.expectNoViolations()
  }

  @Test func `a state that asks for another while it is told is asked inside`() throws {
    let checkout = try TestScenario(policy: .queue)
    let loading = checkout.request("loading", enters: .atOnce, exits: .atOnce)
    let alert = checkout.request("alert")
    let error = checkout.request("error", inside: .exiting, of: loading)
    checkout.settle()
    #expect(checkout.order.last == .entered(error))
    checkout.expectOrder(
      .entering(loading), .entered(loading), .exiting(loading), .exited(loading),
      .entering(alert), .entered(alert), .exiting(alert), .exited(alert), .entering(error),
      .entered(error))
  }

  @Test func `every kind of line has its step`() throws {
    let checkout = try TestScenario(policy: .latest)
    let alert = checkout.request("alert", enters: .atOnce)
    checkout.leave(alert)
    checkout.completeAgain(alert, .exited)
    let loading = checkout.request("loading")
    let empty = checkout.request("empty")
    let content = checkout.request("content", again: alert)
    checkout.miss(loading, .entered, recovery: .skip)
    checkout.complete(loading, .exited, ifPossible: true)
    checkout.complete(empty, .entered, ifPossible: true)
    checkout.complete(content, .entered)
    checkout.cancel(content)
    checkout.cancel()
    checkout.tearDown()
    checkout.advance()
    checkout.expectOrder(
      .entering(alert), .entered(alert), .exited(alert), .entering(loading),
      .discarded(empty, "replaced"), .exiting(loading), .discarded(loading),
      .entering(content), .entered(content), .exiting(content),
      .discarded(content, "torn-down"))
  }

  @Test func `a policy of one's own, and one with routes, can be tested`() throws {
    let routes = RouteTable([Route(from: .beginning, to: "list")])
    let shop = try TestScenario(policy: RoutedPolicy(QueuePolicy(), routes: routes))
    let list = shop.request("list", enters: .atOnce)
    let detail = shop.request("detail")
    shop.expectOrder(.entering(list), .entered(list), .discarded(detail, "rejected"))
  }

  @Test func `a controller that is registered can be tested by its name`() throws {
    let checkout = try TestScenario("staty-2019", in: .withSpecimens)
    let loading = checkout.request("loading")
    // It shows states in a later turn; what waits for that waits.
    checkout.complete(loading, .entered)
    checkout.expectOrder(.entering(loading), .entered(loading))
    #expect(throws: RegistryError.self) { try TestScenario("staty-2099", in: .withSpecimens) }
  }

  @Test func `what was put off runs when it is said, one after the other`() throws {
    let checkout = try TestScenario("staty-2019", in: .withSpecimens)
    let loading = checkout.request("loading")
    checkout.expectOrder()
    checkout.advance()
    checkout.expectOrder(.entering(loading))
    checkout.advance()
    checkout.expectOrder(.entering(loading))
  }

  @Test func `the history is a line an event, below what it happened in`() throws {
    let checkout = try TestScenario(policy: .queue)
    let loading = checkout.request("loading")
    checkout.request("alert")
    checkout.request("alert")
    checkout.complete(loading, .entered)
    #expect(
      checkout.history == """
        enqueued loading
          entering loading
        enqueued alert
        enqueued alert (2)
        entered loading
          exiting loading

        """)
    checkout.expectSnapshot("two-alerts")
  }
}
