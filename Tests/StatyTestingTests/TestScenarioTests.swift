import StatySpecimens
import StatyTesting
import Testing

@Suite struct TestScenarioTests {
  @Test func `an alert enters when the indicator has exited`() throws {
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

  @Test func `what was put off runs when it is due, earlier or later put off`() throws {
    let pager = try TestScenario("pager") { context in
      context.subject(makeState: { Page($0) }) { page, _ in
        context.probe.requested(page, named: page.script.name) {
          let delay: Duration = page.script.name == "slow" ? .milliseconds(500) : .milliseconds(20)
          let step = context.probe.deferred {
            context.probe.telling(.enter, page) { page.script.enter() }
          }
          _ = context.scheduler.schedule(after: delay, step)
        }
      }
    }
    let slow = pager.request("slow")
    pager.advance(by: .milliseconds(490))
    let quick = pager.request("quick")
    pager.expectOrder()
    pager.advance(by: .zero)
    pager.expectOrder()
    pager.advance(by: .milliseconds(10))
    pager.expectOrder(.entering(slow))
    pager.advance(by: .milliseconds(9))
    pager.expectOrder(.entering(slow))
    pager.advance(by: .milliseconds(1))
    pager.expectOrder(.entering(slow), .entering(quick))
    let found = failures { pager.advance(by: .milliseconds(-1)) }
    #expect(found.map(\.line) == [#line - 1])
  }

  @Test func `a controller that puts off a step in each step comes to no end, and that is told`()
    throws
  {
    let restless = try TestScenario("restless") { context in
      let wheel = Wheel(context)
      return context.subject(makeState: { Page($0) }) { page, _ in
        context.probe.requested(page, named: page.script.name) { wheel.turn() }
      }
    }
    restless.request("page")
    let found = failures { restless.advance(by: .seconds(1)) }
    #expect(found.count == 1 && found.first?.text.contains("goes on and on by itself") == true)
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

/// A state of a controller that is no more than its scheduler.
private final class Page {
  let script: ReplayState
  init(_ script: ReplayState) { self.script = script }
}

/// Puts off a step, and in it the same step again.
private final class Wheel {
  private let context: ReplayContext
  init(_ context: ReplayContext) { self.context = context }

  func turn() {
    context.scheduler.async(context.probe.deferred { [self] in turn() })
  }
}
