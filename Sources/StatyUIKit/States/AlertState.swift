#if canImport(UIKit)
  public import Staty

  /// Shows a message until the user has seen it.
  @MainActor public protocol AlertStateStrategy: AnyObject {
    /// Shows the message.
    ///
    /// - Parameters:
    ///   - onShow: to be called when it is there.
    ///   - onClose: to be called when the user has closed it and it has gone.
    func show(_ message: String, onShow: @escaping () -> Void, onClose: @escaping () -> Void)
  }

  /// A target on which messages can be shown.
  ///
  /// View controllers that declare it need not implement it: they get the native alert.
  @MainActor public protocol AlertStateStrategyProvider: AnyObject {
    /// The strategy for one coming in of an alert state.
    func alertStateStrategy() -> any AlertStateStrategy
  }

  /// A message; leaves by itself, when the user closes it.
  ///
  /// What is asked for meanwhile waits for the user. Nobody else closes it: a controller that tells it
  /// to leave, because another state waits or because it was cancelled, is answered when the user does.
  @MainActor public final class AlertState<Target: AlertStateStrategyProvider>: ScreenState {
    public let name: StateName
    private let message: String
    /// Kept while it is shown, so that a strategy need not keep itself.
    private var strategy: (any AlertStateStrategy)?

    /// A message that goes by this name in recordings, which never have its text.
    public init(_ message: String, name: StateName = "alert") {
      self.message = message
      self.name = name
    }

    public func enter(on target: Target, visit: Visit) {
      let strategy = target.alertStateStrategy()
      self.strategy = strategy
      strategy.show(message, onShow: visit.entered) { [weak self] in
        self?.strategy = nil
        visit.exited()
      }
    }

    public func exit(from target: Target, visit: Visit) {}
  }
#endif
