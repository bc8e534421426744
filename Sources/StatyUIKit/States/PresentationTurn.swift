#if canImport(UIKit)
  import UIKit

  /// Waits until UIKit would carry out a presentation instead of dropping it.
  ///
  /// It does while the presenter's view is in a window, nothing is being presented or dismissed there,
  /// and by a controller that presents nothing yet: the topmost.
  @MainActor final class PresentationTurn {
    private weak var presenter: UIViewController?
    private let needsWindow: Bool
    private var go: ((UIViewController) -> Void)?

    /// Calls when it is time, with the controller to present on; now, if it is time now.
    ///
    /// Never, if the presenter goes away before.
    static func wait(over presenter: UIViewController, _ go: @escaping (UIViewController) -> Void) {
      PresentationTurn(presenter, needsWindow: true, go).attempt()
    }

    /// Calls when nothing is being presented or dismissed there, in a window or not; now, if nothing
    /// is.
    static func rest(over presenter: UIViewController, _ go: @escaping () -> Void) {
      PresentationTurn(presenter, needsWindow: false) { _ in go() }.attempt()
    }

    private init(
      _ presenter: UIViewController, needsWindow: Bool, _ go: @escaping (UIViewController) -> Void
    ) {
      self.presenter = presenter
      self.needsWindow = needsWindow
      self.go = go
    }

    private func attempt() {
      guard let presenter else { return }
      let chain = Array(sequence(first: presenter, next: \.presentedViewController))
      let top = chain[chain.count - 1]
      if let busy = chain.first(where: { $0.isMovingOnOrOff || $0.transitionCoordinator != nil }) {
        again(after: busy.transitionCoordinator ?? presenter.transitionCoordinator)
      } else if needsWindow, top.view.window == nil {
        againInWindow(top)
      } else {
        go.take()?(top)
      }
    }

    private func again(after coordinator: (any UIViewControllerTransitionCoordinator)?) {
      guard let coordinator else { return inNextTurn() }
      coordinator.afterwards { self.attempt() }
    }

    private func inNextTurn() {
      DispatchQueue.main.async { self.attempt() }
    }

    private func againInWindow(_ controller: UIViewController) {
      let sentinel = WindowSentinel()
      sentinel.isHidden = true
      sentinel.onWindow = { [weak sentinel] in
        DispatchQueue.main.async {
          sentinel?.removeFromSuperview()
          self.attempt()
        }
      }
      controller.view.addSubview(sentinel)
    }
  }

  extension UIViewController {
    /// Whether it, or a controller that contains it, is being presented or dismissed.
    ///
    /// UIKit documents the answer only for appearance callbacks, and gives it until the transition is over. An
    /// animated transition also has a coordinator, as documented. A transition without animation may be missed
    /// outside of callbacks.
    fileprivate var isMovingOnOrOff: Bool {
      isBeingPresented || isBeingDismissed || (parent?.isMovingOnOrOff ?? false)
    }
  }

  /// An invisible view that says when it comes into a window.
  @MainActor private final class WindowSentinel: UIView {
    var onWindow: (() -> Void)?

    override func didMoveToWindow() {
      super.didMoveToWindow()
      if window != nil { onWindow.take()?() }
    }
  }
#endif
