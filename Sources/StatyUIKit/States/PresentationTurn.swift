#if canImport(UIKit)
  import UIKit

  /// Waits until UIKit carries out a presentation instead of dropping it.
  ///
  /// UIKit carries it out if the presenter's view is in a window, nothing is being presented or
  /// dismissed there, and the presenter presents nothing yet. So the topmost view controller must
  /// present.
  @MainActor final class PresentationTurn {
    private weak var presenter: UIViewController?
    private let needsWindow: Bool
    private var go: ((UIViewController) -> Void)?

    /// Calls a closure when a presentation is possible, with the view controller that must present;
    /// now, if it is possible now.
    ///
    /// If the presenter is released first, the closure is not called.
    @discardableResult
    static func wait(
      over presenter: UIViewController, _ go: @escaping (UIViewController) -> Void
    ) -> PresentationTurn {
      let turn = PresentationTurn(presenter, needsWindow: true, go)
      turn.attempt()
      return turn
    }

    /// Calls the closure no more, if it has not been called.
    func cancel() { go = nil }

    /// Calls a closure when nothing is being presented or dismissed there, in a window or not; now,
    /// if nothing is.
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
      guard go != nil, let presenter else { return }
      let chain = Array(sequence(first: presenter, next: \.presentedViewController))
      let top = chain[chain.count - 1]
      if let busy = chain.first(where: { $0.isMovingOnOrOff || $0.transitionCoordinator != nil }) {
        again(after: busy.transitionCoordinator ?? presenter.transitionCoordinator)
      } else if needsWindow, top.isContextMenu, let presenter = top.presentingViewController {
        // What a menu presents is dismissed with it.
        presenter.dismiss(animated: true) { self.attempt() }
      } else if needsWindow, top.view.window == nil {
        againInWindow(top)
      } else {
        go.take()?(top)
      }
    }

    private func again(after coordinator: (any UIViewControllerTransitionCoordinator)?) {
      guard let coordinator else { return DispatchQueue.main.async { self.attempt() } }
      coordinator.afterwards { self.attempt() }
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
    /// Whether this is an open menu, which UIKit presents like a view controller of the app.
    ///
    /// It has no public class.
    var isContextMenu: Bool { String(describing: type(of: self)).hasPrefix("_UIContextMenu") }

    /// Whether this view controller, or one that contains it, is being presented or dismissed.
    ///
    /// UIKit documents these properties only for appearance callbacks, but they keep their values
    /// until the transition has ended. An animated transition also has a coordinator, as
    /// documented. A transition without animation may be missed outside of callbacks.
    fileprivate var isMovingOnOrOff: Bool {
      isBeingPresented || isBeingDismissed || (parent?.isMovingOnOrOff ?? false)
    }
  }

  /// An invisible view that reports when it is added to a window.
  @MainActor private final class WindowSentinel: UIView {
    var onWindow: (() -> Void)?

    override func didMoveToWindow() {
      super.didMoveToWindow()
      if window != nil { onWindow.take()?() }
    }
  }
#endif
