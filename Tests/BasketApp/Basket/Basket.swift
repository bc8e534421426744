public import Staty

/// What happens to a basket: what the user does, and what the bank answers.
public enum BasketAction: RecordedMessage {
  case added(String)
  case payTapped
  case paid
  case declined
}

/// Charges the user.
@MainActor public protocol Bank {
  func pay(for items: [String]) async -> Bool
}

/// The basket of a store.
public struct Basket: Reducer {
  public enum Phase: String, StateKey, CaseIterable {
    case empty, filled, paying, paid
  }

  public struct State: Hashable {
    public var items: [String] = []
    public var phase = Phase.empty
  }

  public static var routes: Routes<Phase> {
    Routes {
      Start { To(.empty) }
      From(.empty) { To(.filled) }
      From(.filled) { To(.paying) }
      From(.paying) {
        To(.paid)
        To(.filled)
      }
      From(.paid) { To(.filled) }
    }
  }

  let bank: any Bank
  /// Whether nothing can be added while the bank is asked.
  var isFixed = false

  public func reduce(_ state: inout State, _ action: BasketAction) -> Effect<BasketAction>? {
    switch action {
    case .added(let item):
      // The bug, unless `isFixed`: the bank charges for the items of before, and then all go.
      if isFixed, state.phase == .paying { return nil }
      state.items.append(item)
      state.phase = .filled
      return nil
    case .payTapped:
      guard state.phase == .filled else { return nil }
      state.phase = .paying
      let (bank, items) = (bank, state.items)
      return { send in send(await bank.pay(for: items) ? .paid : .declined) }
    case .paid:
      state = State(items: [], phase: .paid)
      return nil
    case .declined:
      state.phase = .filled
      return nil
    }
  }
}

/// The screen with the basket.
@MainActor public final class BasketScreen {
  public let track = StateTrack("basket", .empty, routes: Basket.routes)
  public let store: Store<Basket.State, BasketAction>

  public init(bank: any Bank, isFixed: Bool = false) {
    let basket = Basket(bank: bank, isFixed: isFixed)
    store = Store(Basket.State(), Recorded(basket, track, \.phase))
  }
}
