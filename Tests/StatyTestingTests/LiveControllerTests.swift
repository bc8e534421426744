import StatyTesting
import Testing

/// Live controllers, tested like an app's own class.
@Suite struct LiveControllerTests {
  private final class Screen {}

  private static func scenario<Policy: TransitionPolicy>(
    _ policy: Policy, deadlines: Deadlines = .none
  ) throws -> TestScenario {
    try TestScenario(Policy.name.description, discipline: Policy.discipline) { context in
      context.subject(
        of: StateController(policy: policy, deadlines: deadlines, timer: context.scheduler),
        on: Screen())
    }
  }

  /// Takes the same steps in a scenario of any controller.
  private static func play(_ checkout: TestScenario) -> [String] {
    let loading = checkout.request("loading")
    let content = checkout.request("content", priority: 1)
    let alert = checkout.request("alert", enters: .atOnce, exits: .atOnce)
    checkout.request("error", inside: .entering, of: alert)
    checkout.complete(loading, .entered, ifPossible: true)
    checkout.complete(loading, .exited, ifPossible: true)
    checkout.complete(content, .entered, ifPossible: true)
    checkout.cancel(alert, ifPossible: true)
    checkout.settle()
    checkout.expectNoFindings()
    return checkout.history.split(separator: "\n").map(String.init)
  }

  @Test func `a live controller has the same events as its policy alone`() throws {
    func compare(_ policy: some TransitionPolicy) throws {
      let live = Self.play(try Self.scenario(policy))
      let plain = Self.play(try TestScenario(policy: policy))
      #expect(live == plain)
      #expect(live.count > 6)
    }
    try compare(.queue)
    try compare(.latest)
    try compare(.immediate)
    try compare(.reject)
    try compare(.priority)
    try compare(.coalesce)
  }

  @Test func `a live controller's deadlines pass at their times`() throws {
    let checkout = try Self.scenario(
      .queue,
      deadlines: Deadlines(entering: .seconds(1), exiting: .milliseconds(300), recovery: .skip))
    let loading = checkout.request("loading")
    let alert = checkout.request("alert")
    checkout.advance(by: .milliseconds(999))
    checkout.expectOrder(.entering(loading))
    checkout.advance(by: .milliseconds(1))
    checkout.expectOrder(
      .entering(loading), .exiting(loading), .discarded(loading, "timed-out"), .entering(alert))
    checkout.complete(alert, .entered)
    let content = checkout.request("content")
    // The deadline for the enter is over. The one for the exit runs.
    checkout.advance(by: .milliseconds(299))
    #expect(checkout.order.last == .exiting(alert))
    checkout.advance(by: .seconds(3_600))
    checkout.expectOrder(
      .entering(loading), .exiting(loading), .discarded(loading, "timed-out"), .entering(alert),
      .entered(alert), .exiting(alert), .discarded(alert, "timed-out"), .entering(content),
      .exiting(content), .discarded(content, "timed-out"))
  }

  @Test func `a live controller's deadlines pass when the test advances`() throws {
    let checkout = try Self.scenario(
      .queue, deadlines: Deadlines(entering: .seconds(1), recovery: .skip))
    let loading = checkout.request("loading")
    let alert = checkout.request("alert")
    checkout.expectOrder(.entering(loading))
    checkout.advance()
    checkout.expectOrder(
      .entering(loading), .exiting(loading), .discarded(loading, "timed-out"), .entering(alert))
  }
}
