#if canImport(UIKit)
  public import Staty

  /// Shows a message until the user has seen it.
  @MainActor public protocol AlertStateStrategy: AnyObject {
    /// Shows the message.
    ///
    /// - Parameters:
    ///   - onShow: call it when the alert is shown.
    ///   - onClose: call it when the alert is closed, by the user or by code.
    func show(_ message: String, onShow: @escaping () -> Void, onClose: @escaping () -> Void)

    /// Closes the message without the user; one that is not there yet, as soon as it is.
    func close()
  }

  /// A target on which messages can be shown.
  ///
  /// View controllers that declare it need not implement it: they get the native alert.
  @MainActor public protocol AlertStateStrategyProvider: AnyObject {
    /// The strategy for one visit of an alert state.
    func alertStateStrategy() -> any AlertStateStrategy
  }

  /// A message; exits by itself when the user closes it.
  ///
  /// Requests wait until the user closes it, and so does its cancellation, unless it ``yields``. Close it from
  /// code with ``close()``.
  @MainActor public final class AlertState<Target: AlertStateStrategyProvider>: ScreenState {
    public let name: StateName
    /// Whether it closes when it is told to exit: because another state is pending, or because it was
    /// cancelled.
    public let yields: Bool
    private let message: String
    /// Kept while it is shown, so that a strategy need not keep itself.
    private var strategy: (any AlertStateStrategy)?

    /// A message that goes by this name in recordings, which never have its text.
    public init(_ message: String, yields: Bool = false, name: StateName = "alert") {
      self.message = message
      self.yields = yields
      self.name = name
    }

    /// Closes the message in the user's place; does nothing if it is not shown.
    public func close() { strategy?.close() }

    public func enter(on target: Target, visit: Visit) {
      let strategy = target.alertStateStrategy()
      self.strategy = strategy
      strategy.show(message, onShow: visit.entered) { [weak self] in
        self?.strategy = nil
        visit.exited()
      }
    }

    public func exit(from target: Target, visit: Visit) {
      if yields { close() }
    }
  }
#endif
