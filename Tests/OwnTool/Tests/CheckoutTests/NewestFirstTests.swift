import Checkout
import StatyTesting
import Testing

@Suite struct NewestFirstTests {
  @Test func `in every order, no state is told to exit early and all states enter`() {
    var options = Explorer.Options()
    // Without `outOfOrder`, because this policy has another order on purpose.
    options.codes = [
      .exitBeforeEnter, .overlap, .doubleEnter, .doubleExit, .neverEntered, .enteredDiscarded,
    ]
    explore(policy: StagedPolicy<NewestFirst>(), options: options) { scenario in
      for name in ["cart", "payment", "receipt"] as [StateName] {
        scenario.request(name) { $0.exitsByItself = true }
      }
      scenario.cancel(.all)
    }
  }

  @Test func `the newest request enters next`() throws {
    let pages = try TestScenario(policy: StagedPolicy<NewestFirst>())
    let cart = pages.request("cart")
    let payment = pages.request("payment")
    let receipt = pages.request("receipt")
    pages.settle()
    pages.expectOrder(
      .entering(cart), .entered(cart), .exiting(cart), .exited(cart),
      .entering(receipt), .entered(receipt), .exiting(receipt), .exited(receipt),
      .entering(payment), .entered(payment))
  }
}
