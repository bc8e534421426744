#if canImport(UIKit)
  public import UIKit

  /// Shows a native alert with one button.
  ///
  /// UIKit drops a presentation that is requested while another is under way, without a callback. So the alert
  /// waits for its turn. UIKit does not say either when other code dismisses an alert: that is noticed when
  /// the alert is released.
  @MainActor public final class NativeAlertStrategy: AlertStateStrategy {
    private weak var presenter: UIViewController?
    private let title: String?
    private let button: String
    private weak var shown: UIAlertController?
    private weak var closing: Closing?
    private var closesOnArrival = false

    /// An alert over this controller, which it does not keep alive.
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
      PresentationTurn.wait(over: presenter) { top in
        top.present(alert, animated: true) { [weak self, weak alert] in
          self?.shown = alert
          onShow()
          if let self, closesOnArrival { close() }
        }
      }
    }

    public func close() {
      guard let shown else { return closesOnArrival = true }
      PresentationTurn.rest(over: shown) { [weak shown, weak closing] in
        // The user may have been faster.
        guard let closing, let presenter = shown?.presentingViewController else { return }
        presenter.dismiss(animated: true) { closing.happen() }
      }
    }
  }

  /// Calls once: when it happens, or when the alert that keeps it has gone without.
  @MainActor private final class Closing {
    private var onClose: (@MainActor () -> Void)?

    init(_ onClose: @escaping () -> Void) {
      self.onClose = { onClose() }
    }

    func happen() { onClose.take()?() }

    // In a turn of its own: an alert can be released on any thread, in the middle of other work.
    deinit {
      guard let onClose else { return }
      Task { @MainActor in onClose() }
    }
  }

  extension AlertStateStrategyProvider where Self: UIViewController {
    /// The default: a native alert over the controller.
    public func alertStateStrategy() -> any AlertStateStrategy { NativeAlertStrategy(over: self) }
  }
#endif
