import Checkout
import StatyTesting
import Testing

@Suite struct NewestFirstTests {
  @Test func `whatever comes when, nobody is told to leave early and everybody is let in`() {
    var options = Explorer.Options()
    // Not in the order of the requests: that is what it is for.
    options.codes = [.exitBeforeEnter, .overlap, .doubleEnter, .doubleExit, .neverEntered]
    explore(policy: StagedPolicy<NewestFirst>(), options: options) { scenario in
      for name in ["cart", "payment", "receipt"] as [StateName] {
        scenario.ask(name) { $0.leaves = true }
      }
      scenario.cancel(.all)
    }
  }

  @Test func `who asked last comes next`() throws {
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
