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
    checkout.expectNoFindings()
  }

  @Test func `a request inside of an exit is made inside of that exit`() throws {
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

  @Test func `what answers a skipped message is skipped, too`() throws {
    enum Message: RecordedMessage { case refresh, refreshed, more }
    let feed = try TestScenario("feed", discipline: .moves) { context in
      let track = StateTrack("feed", 0)
      return context.subject(of: track) { (message: Message) in
        // It has what it needs, and asks for nothing.
        track.received(message) { if case .more = message { track.moved(to: 1) } }
      }
    }
    let asked = feed.receive(Message.refresh)
    let answer = feed.receive(Message.refreshed, answering: asked, ifPossible: true)
    feed.receive(Message.more, answering: answer)
    feed.expectMoves()
  }

  @Test func `an answer that is received if possible comes only where something was asked`() throws
  {
    enum Message: RecordedMessage { case load, clear, loaded }
    enum State { case empty, loading, ready }
    let list = try TestScenario("list", discipline: .moves) { context in
      let track = StateTrack("list", State.empty)
      var isCleared = false
      return context.subject(of: track) { (message: Message) in
        track.received(message) {
          switch message {
          case .load where isCleared: track.moved(to: State.loading)
          case .load: context.asked("items")
          case .clear: isCleared = true
          case .loaded: track.moved(to: State.ready)
          }
        }
      }
    }
    let first = list.receive(Message.load)
    list.receive(Message.loaded, answering: first, ifPossible: true)
    list.receive(Message.clear)
    let second = list.receive(Message.load)
    list.receive(Message.loaded, answering: second, ifPossible: true)
    list.expectMoves("ready", "loading")
    list.receive(Message.loaded, answering: second)
    list.expectMoves("ready", "loading", "ready")
  }

  @Test func `each kind of line has its step`() throws {
    let checkout = try TestScenario(policy: .latest)
    let alert = checkout.request("alert", enters: .atOnce)
    checkout.exitByItself(alert)
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

  @Test func `a policy with routes can be tested`() throws {
    let routes = RouteTable([Route(from: .beginning, to: "list")])
    let shop = try TestScenario(policy: RoutedPolicy(QueuePolicy(), routes: routes))
    let list = shop.request("list", enters: .atOnce)
    let detail = shop.request("detail")
    shop.expectOrder(.entering(list), .entered(list), .discarded(detail, "rejected"))
  }

  @Test func `a registered controller can be tested by its name`() throws {
    let checkout = try TestScenario("staty-2019", in: .withSpecimens)
    let loading = checkout.request("loading")
    // This controller shows states in a later turn. `complete` waits for that.
    checkout.complete(loading, .entered)
    checkout.expectOrder(.entering(loading), .entered(loading))
    #expect(throws: RegistryError.self) { try TestScenario("staty-2099", in: .withSpecimens) }
  }

  @Test func `later steps run one by one when the test advances`() throws {
    let checkout = try TestScenario("staty-2019", in: .withSpecimens)
    let loading = checkout.request("loading")
    checkout.expectOrder()
    checkout.advance()
    checkout.expectOrder(.entering(loading))
    checkout.advance()
    checkout.expectOrder(.entering(loading))
  }

  @Test func `later steps run when they are due, in any order of scheduling`() throws {
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

  @Test func `a controller that schedules a step in each step fails with a message`()
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
    #expect(found.count == 1 && found.first?.text.contains("went on without end") == true)
  }

  @Test func `the history has one line for each event, indented below its cause`() throws {
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

/// A state of a controller that only schedules steps.
private final class Page {
  let script: ReplayState
  init(_ script: ReplayState) { self.script = script }
}

/// Schedules a step that schedules itself again.
private final class Wheel {
  private let context: ReplayContext
  init(_ context: ReplayContext) { self.context = context }

  func turn() {
    context.scheduler.async(context.probe.deferred { [self] in turn() })
  }
}
