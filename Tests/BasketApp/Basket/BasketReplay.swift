public import StatyReplay

extension ControllerRegistry {
  /// Creates recorded baskets for a replay; `basket-fixed` is the basket without the bug.
  @MainActor public static var basket: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.registerBasket("basket", isFixed: false)
    registry.registerBasket("basket-fixed", isFixed: true)
    return registry
  }

  /// Registers a basket under a name.
  @MainActor public mutating func registerBasket(_ name: String, isFixed: Bool) {
    register(name) { context in
      let screen = BasketScreen(bank: SilentBank(), isFixed: isFixed)
      return context.subject(of: screen.track) { (action: BasketAction) in
        screen.store.send(action)
      }
    }
  }
}

/// Never answers during a replay, because the recorded answers are actions.
private struct SilentBank: Bank {
  func pay(for items: [String]) async -> Bool {
    try? await Task.sleep(for: .seconds(3_600))
    return false
  }
}
