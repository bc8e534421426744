#if canImport(UIKit)
  public import Staty

  /// Shows and hides a loading indicator.
  @MainActor public protocol LoadingStateStrategy: AnyObject {
    /// Shows the indicator.
    func show()

    /// Hides the indicator.
    ///
    /// - Parameter completion: call this when it is hidden.
    func hide(completion: @escaping () -> Void)
  }

  /// A target on which loading can be shown.
  ///
  /// A view controller or view that conforms needs no implementation: it gets an activity
  /// indicator.
  @MainActor public protocol LoadingStateStrategyProvider: AnyObject {
    /// Returns the strategy for one visit of a loading state.
    func loadingStateStrategy() -> any LoadingStateStrategy
  }

  /// A state that shows a loading indicator until another state is requested.
  @MainActor public final class LoadingState<Target: LoadingStateStrategyProvider>: ScreenState {
    public let name: StateName
    private var strategy: (any LoadingStateStrategy)?

    /// Creates a loading state.
    ///
    /// - Parameter name: the name of the state in recordings.
    public init(name: StateName = "loading") {
      self.name = name
    }

    // The same strategy shows and hides. The target may return another one later.
    public func enter(on target: Target, visit: Visit) {
      let strategy = target.loadingStateStrategy()
      self.strategy = strategy
      strategy.show()
      visit.entered()
    }

    public func exit(from target: Target, visit: Visit) {
      guard let strategy = strategy.take() else { return visit.exited() }
      // Retained until it has hidden.
      strategy.hide { withExtendedLifetime(strategy) { visit.exited() } }
    }
  }
#endif
