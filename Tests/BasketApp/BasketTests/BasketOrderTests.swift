import Basket
import StatyTesting
import Testing

/// The basket in every order of the user and the bank, as plain asynchronous code and with its
/// reducer.
@MainActor @Suite struct BasketOrderTests {
  private func plain(_ world: World, isFixed: Bool) {
    let basket = PlainBasket(bank: SlowBank(world: world), isFixed: isFixed)
    world.user("add milk") { basket.add("milk") }
    world.user("pay") { await basket.pay() }
    // The fixed screen disables its buttons.
    world.user("add bread", when: { !isFixed || !basket.isPaying }) { basket.add("bread") }
    world.shows("items") { basket.items }
    world.shows("paid") { basket.paid }
  }

  @Test func `what is added while the bank is asked is lost`() {
    withKnownIssue {
      let found = expectOneOutcome { plain($0, isFixed: false) }
      #expect(
        found.outcomes.map(\.text) == [
          #"items: ["bread"]; paid: ["milk"]"#, #"items: []; paid: ["milk"]"#,
        ])
      #expect(
        found.outcomes.last?.conditions == [
          "the answer of 'pay' to 'pay' is late: behind 'add bread'"
        ])
    }
  }

  @Test func `a screen that disables its buttons loses nothing`() {
    expectOneOutcome { plain($0, isFixed: true) }
  }

  @Test(arguments: [false, true]) func `the basket with a reducer, unchanged`(isFixed: Bool) {
    func search() -> WorldOutcomes {
      expectOneOutcome { world in
        let screen = BasketScreen(bank: SlowBank(world: world), isFixed: isFixed)
        let store = screen.store
        world.user("add milk") { store.send(.added("milk")) }
        world.user("pay") { store.send(.payTapped) }
        world.user("add bread", when: { !isFixed || store.state.phase != .paying }) {
          store.send(.added("bread"))
        }
        world.shows { store.state.items }
      }
    }
    if isFixed {
      #expect(search().outcomes.map(\.text) == [#"["bread"]"#])
    } else {
      withKnownIssue { #expect(search().outcomes.map(\.text) == [#"["bread"]"#, "[]"]) }
    }
  }
}

private struct SlowBank: Bank {
  let world: World
  func pay(for items: [String]) async -> Bool { await world.answer("pay", true) }
}
