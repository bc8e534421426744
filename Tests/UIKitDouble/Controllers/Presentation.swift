/// The work of `present` and `dismiss`, with their warnings.
@MainActor enum Presentation {
  /// The duration of an animated presentation or dismissal.
  static let duration: TimeInterval = 0.5

  static func present(
    _ controller: UIViewController, from asked: UIViewController, animated: Bool,
    _ completion: (() -> Void)?
  ) {
    let presenter =
      controller.modalPresentationStyle.needsContext ? asked.context : asked.outermost
    let attempt =
      "Attempt to present \(UIKitDouble.name(controller)) on \(UIKitDouble.name(presenter))"
    if let refusal = objection(to: controller) {
      return UIKitDouble.raise("NSInvalidArgumentException", refusal)
    }
    let from = " (from \(UIKitDouble.name(asked)))"
    if let other = presenter.presented {
      UIKitDouble.warn(attempt + from + " which is already presenting \(UIKitDouble.name(other)).")
    } else if presenter.isComing || presenter.isGoing {
      UIKitDouble.warn(attempt + from + " while a presentation is in progress!")
    } else if asked.view.window == nil {
      UIKitDouble.warn(attempt + from + " whose view is not in the window hierarchy.")
    } else {
      begin(controller, on: presenter, animated, completion)
    }
  }

  private static func objection(to controller: UIViewController) -> String? {
    let name = UIKitDouble.name(controller)
    if let presenter = controller.presentingViewController {
      return "Application tried to present modally a view controller \(name) that is already being "
        + "presented by \(UIKitDouble.name(presenter))."
    }
    if let parent = controller.parent {
      return
        "Application tried to present modally a view controller \(name) that has a parent view "
        + "controller \(UIKitDouble.name(parent))."
    }
    return nil
  }

  private static func begin(
    _ controller: UIViewController, on presenter: UIViewController, _ animated: Bool,
    _ completion: (() -> Void)?
  ) {
    guard let window = presenter.view.window else { return }
    presenter.presented = controller
    controller.presentingViewController = presenter
    controller.isComing = true
    let presentation = controller.presentationController
    presentation?.presentingViewController = presenter
    // A presentation controller that was created before the style changed keeps the old style.
    let hides = presentation?.presentationStyle.hidesPresenter ?? false
    let transition = TransitionCoordinator(animated: animated, from: presenter, to: controller)
    controller.view.frame = window.bounds
    if hides { presenter.beginAppearanceTransition(false, animated: animated) }
    controller.beginAppearanceTransition(true, animated: animated)
    window.addSubview(controller.view)
    MainQueue.shared.schedule(after: animated ? duration : 0) {
      transition.close()
      if hides {
        presenter.view.removeFromSuperview()
        presenter.endAppearanceTransition()
      }
      controller.endAppearanceTransition()
      controller.isComing = false
      transition.end()
      completion?()
    }
  }

  static func dismiss(
    from asked: UIViewController, animated: Bool, _ completion: (() -> Void)?
  ) {
    let outermost = asked.outermost
    guard
      let presenter = outermost.presented == nil ? outermost.presentingViewController : outermost,
      let controller = presenter.presented
    else { return }
    if controller.isComing || controller.isGoing {
      return UIKitDouble.warn(
        "Attempt to dismiss from view controller \(UIKitDouble.name(presenter)) while a "
          + "presentation or dismiss is in progress!")
    }
    end(controller, on: presenter, animated, completion)
  }

  static func end(
    _ controller: UIViewController, on presenter: UIViewController, _ animated: Bool,
    beforeLettingGo: (() -> Void)? = nil, _ completion: (() -> Void)?
  ) {
    let dismissal = Dismissal(of: controller, by: presenter, animated: animated)
    MainQueue.shared.schedule(after: animated ? duration : 0) {
      dismissal.finish(beforeLettingGo, completion)
    }
  }
}

/// A dismissal that is under way.
@MainActor struct Dismissal {
  let transition: TransitionCoordinator
  private let presenter: UIViewController
  private let all: [UIViewController]
  private let seen: [UIViewController]

  /// Begins to dismiss a view controller and all above it.
  init(
    of controller: UIViewController, by presenter: UIViewController, animated: Bool,
    isInteractive: Bool = false
  ) {
    let all = Array(sequence(first: controller, next: \.presented))
    let isHidden = all.contains {
      $0.presentationController?.presentationStyle.hidesPresenter ?? false
    }
    transition = TransitionCoordinator(
      animated: animated, isInteractive: isInteractive, from: controller, to: presenter,
      Array(all.dropFirst()))
    let seen = all.filter { $0.appearance == .shown }
    (self.presenter, self.all, self.seen) = (presenter, all, seen)
    for one in all { one.isGoing = true }
    for one in seen { one.beginAppearanceTransition(false, animated: animated) }
    if isHidden, presenter.appearance == .hidden { presenter.comeBack(below: all, animated) }
  }

  func finish(_ beforeLettingGo: (() -> Void)?, _ completion: (() -> Void)?) {
    transition.close()
    for one in all.reversed() { one.view.removeFromSuperview() }
    for one in seen { one.endAppearanceTransition() }
    if presenter.appearance == .appearing { presenter.endAppearanceTransition() }
    beforeLettingGo?()
    for one in all {
      one.isGoing = false
      one.presentation = nil
      one.presentingViewController?.presented = nil
      one.presentingViewController = nil
    }
    transition.end()
    completion?()
  }

  /// The user has let go too early: all appear again.
  func turnBack() {
    for one in all { one.isGoing = false }
    for one in seen { one.beginAppearanceTransition(true, animated: true) }
  }

  /// Undoes a cancelled dismissal.
  func takeBack() {
    transition.close()
    for one in seen { one.endAppearanceTransition() }
    transition.end()
  }
}

extension UIViewController {
  /// The outermost ancestor, which presents for the controllers inside it.
  var outermost: UIViewController { parent?.outermost ?? self }

  /// The nearest one that defines a context, or the outermost.
  fileprivate var context: UIViewController {
    definesPresentationContext ? self : parent?.context ?? self
  }

  /// Appears below the dismissed controllers.
  ///
  /// The lower ones may be hidden themselves.
  fileprivate func comeBack(below all: [UIViewController], _ animated: Bool) {
    beginAppearanceTransition(true, animated: animated)
    let window = all.lazy.compactMap(\.view.window).first
    window?.insertSubview(view, at: 0)
  }
}
