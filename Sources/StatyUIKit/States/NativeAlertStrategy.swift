#if canImport(UIKit)
  public import UIKit

  /// Shows a native alert with one button.
  ///
  /// UIKit drops a presentation that is requested while another is in progress, without a callback.
  /// So the alert waits for its turn. UIKit has no callback either when other code dismisses an
  /// alert; the strategy notices that when the alert is released.
  @MainActor public final class NativeAlertStrategy: AlertStateStrategy {
    private weak var presenter: UIViewController?
    private let title: String?
    private let button: String
    private weak var shown: UIAlertController?
    private weak var closing: Closing?
    private weak var turn: PresentationTurn?
    private var closesOnArrival = false

    /// Creates an alert over a view controller, which is held weakly.
    public init(over presenter: UIViewController, title: String? = nil, button: String = "OK") {
      self.presenter = presenter
      self.title = title
      self.button = button
    }

    public func show(
      _ message: String, onShow: @escaping () -> Void, onClose: @escaping () -> Void
    ) {
      // There is nothing to show it on.
      guard let presenter else { return onClose() }
      closesOnArrival = false
      let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
      let closing = Closing(onClose)
      self.closing = closing
      alert.addAction(UIAlertAction(title: button, style: .default) { _ in closing.happen() })
      turn = PresentationTurn.wait(over: presenter) { [self] top in
        ShownAlerts.note(alert)
        top.present(alert, animated: true) { [weak alert] in
          self.shown = alert
          onShow()
          if self.closesOnArrival { self.close() }
        }
      }
    }

    public func close() {
      guard let shown else {
        // Without its turn the alert is released, and is closed by that.
        closesOnArrival = true
        turn?.cancel()
        return
      }
      PresentationTurn.rest(over: shown) { [weak shown, weak closing] in
        // The user may have been faster.
        guard let closing, let shown, let presenter = shown.presentingViewController else { return }
        let above = ShownAlerts.above(shown)
        presenter.dismiss(animated: true) {
          ShownAlerts.present(above[...], on: presenter)
          closing.happen()
        }
      }
    }
  }

  /// Calls a closure once: when the alert is closed, or when the alert is released without that.
  @MainActor private final class Closing {
    private var onClose: (@MainActor () -> Void)?

    init(_ onClose: @escaping () -> Void) {
      self.onClose = { onClose() }
    }

    func happen() { onClose.take()?() }

    // In a task, because an alert can be released on any thread, during other work.
    deinit {
      guard let onClose else { return }
      Task { @MainActor in onClose() }
    }
  }

  /// The alerts that strategies have shown.
  @MainActor private enum ShownAlerts {
    private struct Shown {
      weak var alert: UIAlertController?
    }

    private static var all: [Shown] = []

    static func note(_ alert: UIAlertController) {
      all.removeAll { $0.alert == nil }
      all.append(Shown(alert: alert))
    }

    /// Those above an alert, which UIKit dismisses with it.
    ///
    /// What an app presents itself it may dismiss in the meantime.
    static func above(_ alert: UIViewController) -> [UIViewController] {
      sequence(first: alert, next: \.presentedViewController).dropFirst()
        .filter { one in all.contains { $0.alert === one } }
    }

    /// Presents them again, one above the other.
    static func present(_ all: ArraySlice<UIViewController>, on presenter: UIViewController) {
      guard let lowest = all.first else { return }
      presenter.present(lowest, animated: true) { present(all.dropFirst(), on: lowest) }
    }
  }

  extension AlertStateStrategyProvider where Self: UIViewController {
    /// By default a native alert over the view controller.
    public func alertStateStrategy() -> any AlertStateStrategy { NativeAlertStrategy(over: self) }
  }
#endif
