import StatyTesting
import XCTest

/// The same expectations in XCTest.
final class XCTestTests: XCTestCase {
  func testAnAlertEntersWhenTheIndicatorHasExited() throws {
    let checkout = try TestScenario(policy: .queue)
    let loading = checkout.request("loading")
    let alert = checkout.request("alert")
    checkout.complete(loading, .entered)
    checkout.complete(loading, .exited)
    checkout.expectOrder(
      .entering(loading), .entered(loading), .exiting(loading), .exited(loading),
      .entering(alert))
    checkout.expectNoFindings()
  }

  @MainActor func testPlainAsyncCodeHasOneOutcome() async {
    expectOneOutcome { world in
      var text = ""
      world.user("load") { text = await world.answer("name", "me") }
      world.user("look") {}
      world.shows { text }
    }
  }

  func testADeadlinePassesAtItsTime() throws {
    final class Screen {}
    let checkout = try TestScenario("queue") { context in
      context.subject(
        of: StateController(
          policy: .queue, deadlines: Deadlines(entering: .seconds(2), recovery: .skip),
          timer: context.scheduler),
        on: Screen())
    }
    let loading = checkout.request("loading")
    checkout.advance(by: .milliseconds(1_999))
    checkout.expectOrder(.entering(loading))
    checkout.advance(by: .milliseconds(1))
    checkout.expectOrder(.entering(loading), .exiting(loading), .discarded(loading, "timed-out"))
  }

  func testALiveControllerUsesAClockThatTheTestAdvances() {
    final class Screen {}
    final class Silent: ScreenState {
      let name: StateName = "silent"
      func enter(on target: Screen, visit: Visit) {}
      func exit(from target: Screen, visit: Visit) {}
    }
    let (clock, screen) = (ManualClock(), Screen())
    let controller = StateController<Screen>(
      policy: .queue, deadlines: Deadlines(entering: .seconds(2), recovery: .skip), timer: clock)
    controller.bind(to: screen)
    controller.transition(to: Silent())
    clock.advance(by: .milliseconds(1_999))
    XCTAssertEqual(clock.scheduledCount, 1)
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(clock.scheduledCount, 0)
  }

  // Apple's XCTest has another method for this.
  #if !canImport(Darwin)
    private var caught: [(text: String, line: Int)]?

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      guard caught == nil else {
        caught?.append((description, lineNumber))
        return
      }
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }

    func testAFailureIsReportedAtItsLine() throws {
      let checkout = try TestScenario(policy: .queue)
      let loading = checkout.request("loading")
      caught = []
      checkout.expectOrder(.entered(loading))
      let found = caught ?? []
      caught = nil
      XCTAssertEqual(found.map(\.line), [#line - 3])
      XCTAssertEqual(found.first?.text.contains("Another order than expected"), true)
    }
  #endif
}
