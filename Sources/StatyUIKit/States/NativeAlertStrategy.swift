#if canImport(UIKit)
  public import UIKit

  /// Shows a native alert with one button.
  ///
  /// UIKit drops a presentation that is asked for while another is under way, and calls nobody. So
  /// the alert waits for its turn.
  @MainActor public final class NativeAlertStrategy: AlertStateStrategy {
    private weak var presenter: UIViewController?
    private let title: String?
    private let button: String

    /// An alert over this controller, which it does not keep alive.
    public init(over presenter: UIViewController, title: String? = nil, button: String = "OK") {
      self.presenter = presenter
      self.title = title
      self.button = button
    }

    public func show(
      _ message: String, onShow: @escaping () -> Void, onClose: @escaping () -> Void
    ) {
      guard let presenter else { return }
      let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
      alert.addAction(UIAlertAction(title: button, style: .default) { _ in onClose() })
      PresentationTurn.wait(over: presenter) { top in
        top.present(alert, animated: true, completion: onShow)
      }
    }
  }

  extension AlertStateStrategyProvider where Self: UIViewController {
    /// The default: a native alert over the controller.
    public func alertStateStrategy() -> any AlertStateStrategy { NativeAlertStrategy(over: self) }
  }
#endif
