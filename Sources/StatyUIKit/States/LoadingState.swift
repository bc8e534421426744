#if canImport(UIKit)
  public import Staty

  /// Shows and hides that something is loading.
  @MainActor public protocol LoadingStateStrategy: AnyObject {
    /// Shows it.
    func show()

    /// Hides it, and says when that is done, however long it takes.
    func hide(completion: @escaping () -> Void)
  }

  /// A target on which loading can be shown.
  ///
  /// View controllers and views that declare it need not implement it: they get an indicator.
  @MainActor public protocol LoadingStateStrategyProvider: AnyObject {
    /// The strategy for one visit of a loading state.
    func loadingStateStrategy() -> any LoadingStateStrategy
  }

  /// Something is loading; stays until another state is asked for.
  @MainActor public final class LoadingState<Target: LoadingStateStrategyProvider>: ScreenState {
    public let name: StateName
    private var strategy: (any LoadingStateStrategy)?

    /// A loading state that goes by this name in recordings.
    public init(name: StateName = "loading") {
      self.name = name
    }

    // The same strategy shows and hides: the target is asked once, since it may answer differently later.
    public func enter(on target: Target, visit: Visit) {
      let strategy = target.loadingStateStrategy()
      self.strategy = strategy
      strategy.show()
      visit.entered()
    }

    public func exit(from target: Target, visit: Visit) {
      guard let strategy = strategy.take() else { return visit.exited() }
      strategy.hide(completion: visit.exited)
    }
  }
#endif
