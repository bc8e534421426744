#if canImport(UIKit)
  import Staty

  /// Reports rejected requests.
  @MainActor final class RefusalWatch: TransitionObserver {
    var onRefusal: ((StateName, Refusal) -> Void)?

    func observe(_ event: borrowing TransitionEvent) {
      guard case .discard(.rejected(let refusal)) = event.detail, let state = event.state else {
        return
      }
      onRefusal?(state, refusal)
    }
  }
#endif
