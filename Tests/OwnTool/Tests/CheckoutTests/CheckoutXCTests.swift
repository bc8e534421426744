import StatyTesting
import XCTest

/// The same in the other library: red and green together with what is written.
final class CheckoutXCTests: XCTestCase {
  @MainActor func testPaymentIsNotToldToLeaveBeforeItIsIn() async throws {
    let checkout = try TestScenario("checkout", in: .underTest)
    checkout.request("cart")
    checkout.request("payment")
    checkout.settle()
    checkout.expectNoFindings()
  }
}
