#if canImport(UIKit)
  public import Staty

  /// Shows a message until the user closes it.
  @MainActor public protocol AlertStateStrategy: AnyObject {
    /// Shows the message.
    ///
    /// - Parameters:
    ///   - onShow: call it when the alert is shown.
    ///   - onClose: call it when the alert is closed, by the user or by code.
    func show(_ message: String, onShow: @escaping () -> Void, onClose: @escaping () -> Void)

    /// Closes the message by code. If it is not shown yet, it is not shown, or closes when it is.
    func close()
  }

  /// A target on which messages can be shown.
  ///
  /// A view controller that conforms needs no implementation: it gets the native alert.
  @MainActor public protocol AlertStateStrategyProvider: AnyObject {
    /// Returns the strategy for one visit of an alert state.
    func alertStateStrategy() -> any AlertStateStrategy
  }

  /// An alert with a message, which exits when the user closes it.
  ///
  /// Other requests, and a cancellation of the alert, wait until the user closes it, unless it
  /// ``yields``. To close it from code, call ``close()``.
  @MainActor public final class AlertState<Target: AlertStateStrategyProvider>: ScreenState {
    public let name: StateName
    /// Whether the alert closes when it is told to exit, because another state is pending or
    /// because the alert was cancelled.
    public let yields: Bool
    private let message: String
    /// Retained while the alert is shown, so that a strategy does not have to retain itself.
    private var strategy: (any AlertStateStrategy)?
    private var hasEntered = false

    /// Creates an alert.
    ///
    /// - Parameters:
    ///   - message: the text, which is never recorded.
    ///   - yields: whether the alert closes when it is told to exit.
    ///   - name: the name of the state in recordings.
    public init(_ message: String, yields: Bool = false, name: StateName = "alert") {
      self.message = message
      self.yields = yields
      self.name = name
    }

    public var awaitsUser: Bool { !yields }

    /// Closes the alert from code.
    ///
    /// Does nothing if it is not shown.
    public func close() { strategy?.close() }

    public func enter(on target: Target, visit: Visit) {
      let strategy = target.alertStateStrategy()
      self.strategy = strategy
      hasEntered = false
      // An earlier visit of this state may still report.
      let isCurrent = { [weak self, weak strategy] in self?.strategy === strategy }
      let onShow = { [weak self] in
        if isCurrent() { self?.hasEntered = true }
        visit.entered()
      }
      strategy.show(message, onShow: onShow) { [weak self] in
        if isCurrent() { self?.strategy = nil }
        visit.exited()
      }
    }

    public func exit(from target: Target, visit: Visit) {
      // A deadline has skipped it: what comes now would lie over the next state.
      if yields || !hasEntered { close() }
    }
  }
#endif
