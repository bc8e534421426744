import StatyTesting
import Testing

@testable import StatyOrders

@MainActor struct ControlTests {
  @Test func `the runtime is understood`() {
    #expect(Control.begin() == nil)
    #expect(Control.begin() != nil)
    Control.end()
  }
}
