import StatyTesting
import XCTest

/// The same expectations in a test of the other library.
final class XCTestTests: XCTestCase {
  func testAnAlertComesInWhenTheIndicatorHasGone() throws {
    let checkout = try TestScenario(policy: .queue)
    let loading = checkout.request("loading")
    let alert = checkout.request("alert")
    checkout.complete(loading, .entered)
    checkout.complete(loading, .exited)
    checkout.expectOrder(
      .entering(loading), .entered(loading), .exiting(loading), .exited(loading),
      .entering(alert))
    checkout.expectNoViolations()
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
