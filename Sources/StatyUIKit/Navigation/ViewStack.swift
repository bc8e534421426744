#if canImport(UIKit)
  public import Staty
  import UIKit

  /// The views that are shown, lowest first, and how each came in.
  @MainActor public final class ViewStack<ViewType: StateKey> {
    struct Entry {
      let view: ViewType
      let controller: UIViewController
      let presentation: ViewPresentation
      /// What it was pushed on.
      weak var navigation: UINavigationController?
    }

    private struct Known {
      weak var controller: UIViewController?
      var visit: Visit
    }

    let root: UIViewController
    private(set) var entries: [Entry] = []
    private let presentation: (ViewType) -> ViewPresentation
    private let makeView: (ViewType, Any?) -> UIViewController
    private let watch = UserWatch()
    /// The visits by which controllers came in last, also of those that have left.
    private var known: [Known] = []
    private var isMoving = false
    /// Where the user went back to, while that is asked for.
    private var arrival: ViewType?

    /// Asks for the view that a user went to, which is shown already.
    var onUserMove: (ViewType) -> Void = { _ in }

    init(
      root: UIViewController, presentation: @escaping (ViewType) -> ViewPresentation,
      makeView: @escaping (ViewType, Any?) -> UIViewController
    ) {
      self.root = root
      self.presentation = presentation
      self.makeView = makeView
      watch.onMove = { [weak self] in self?.noticeUserMoves(pulledDown: $0) }
    }

    private var top: UIViewController { entries.last?.controller ?? root }

    /// The visit by which a controller came in, or whoever it is inside of.
    func visit(of controller: UIViewController) -> Visit? {
      known.last { $0.controller === controller }?.visit ?? controller.parent.flatMap(visit(of:))
    }

    func show(_ view: ViewType, _ context: Any?, _ visit: Visit) {
      if arrival.take() == view { return arrive(visit) }
      isMoving = true
      // While a user pulls a sheet down, nobody knows what will be there in the end.
      PresentationTurn.rest(over: root) { self.go(to: view, context, visit) }
    }

    private func go(to view: ViewType, _ context: Any?, _ visit: Visit) {
      if dropGone(), entries.last?.view == view { return arrive(visit) }
      if let place = entries.dropLast().lastIndex(where: { $0.view == view }) {
        goBack(to: place) { self.arrive(visit) }
      } else {
        goForward(to: view, context) { self.arrive(visit) }
      }
    }

    private func arrive(_ visit: Visit) {
      isMoving = false
      known.removeAll { $0.controller == nil || $0.controller === top }
      known.append(Known(controller: top, visit: visit))
      visit.entered()
    }
  }

  // MARK: Forwards

  extension ViewStack {
    private func goForward(to view: ViewType, _ context: Any?, _ done: @escaping () -> Void) {
      let (present, presentation) = (top, presentation(view))
      let controller = makeView(view, context)
      let isFirst = entries.isEmpty
      var entry = Entry(view: view, controller: controller, presentation: presentation)
      switch presentation {
      case .push:
        guard let navigation = navigation(of: present) else {
          preconditionFailure(
            "There is nothing to push \(view) on. Give the transition controller a navigation "
              + "controller as its root, or another presentation of this view.")
        }
        entry.navigation = navigation
        if navigation.delegate == nil { navigation.delegate = watch }
        uncover(navigation) {
          self.entries.append(entry)
          self.whenSettled(navigation) {
            navigation.pushViewController(controller, animated: !isFirst)
            self.whenSettled(navigation, done)
          }
        }
        return
      case .modal(let style):
        controller.modalPresentationStyle = style
        if controller.presentationController?.delegate == nil {
          controller.presentationController?.delegate = watch
        }
        PresentationTurn.wait(over: present) {
          $0.present(controller, animated: true, completion: done)
        }
      case .child:
        present.addChild(controller)
        controller.view.frame = present.view.bounds
        controller.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        present.view.addSubview(controller.view)
        controller.didMove(toParent: present)
        entries.append(entry)
        return done()
      case .custom(let transition):
        transition.show(controller, over: present, completion: done)
      }
      entries.append(entry)
    }

    private func navigation(of controller: UIViewController) -> UINavigationController? {
      controller as? UINavigationController ?? controller.navigationController
        ?? root as? UINavigationController
    }

    /// Takes away what was presented over this, and has no navigation of its own to push on.
    private func uncover(_ navigation: UINavigationController, _ body: @escaping () -> Void) {
      guard top !== navigation, top.navigationController !== navigation else { return body() }
      goBack(to: entries.lastIndex { $0.navigation === navigation } ?? -1, body)
    }

    /// Does something when no push or pop is under way there; now, if none is.
    private func whenSettled(_ navigation: UINavigationController, _ body: @escaping () -> Void) {
      guard let coordinator = navigation.transitionCoordinator else { return body() }
      coordinator.animate(alongsideTransition: nil) { _ in
        DispatchQueue.main.async { self.whenSettled(navigation, body) }
      }
    }
  }

  // MARK: Backwards

  extension ViewStack {
    private func goBack(to place: Int, _ done: @escaping () -> Void) {
      guard entries.count - 1 > place, let last = entries.last else { return done() }
      let goOn = { self.goBack(to: place, done) }
      switch last.presentation {
      case .push: pop(to: place, goOn)
      case .modal:
        entries.removeLast()
        PresentationTurn.rest(over: root) {
          // Somebody else may have taken it away, also while it was waited for.
          guard let presenter = last.controller.presentingViewController else { return goOn() }
          presenter.dismiss(animated: true, completion: goOn)
        }
      case .child:
        entries.removeLast()
        last.controller.willMove(toParent: nil)
        last.controller.view.removeFromSuperview()
        last.controller.removeFromParent()
        goOn()
      case .custom(let transition):
        entries.removeLast()
        transition.hide(last.controller, completion: goOn)
      }
    }

    /// Pops in one move all that lie on each other and were pushed on the same.
    private func pop(to place: Int, _ goOn: @escaping () -> Void) {
      guard let navigation = entries.last?.navigation else {
        entries.removeLast()
        return goOn()
      }
      var going: [UIViewController] = []
      while entries.count - 1 > place, let last = entries.last, last.navigation === navigation,
        case .push = last.presentation
      {
        going.append(last.controller)
        entries.removeLast()
      }
      whenSettled(navigation) {
        let staying = navigation.viewControllers.filter { !going.contains($0) }
        navigation.setViewControllers(staying, animated: true)
        self.whenSettled(navigation, goOn)
      }
    }
  }

  // MARK: What users do by themselves

  extension ViewStack {
    /// Takes note of views that a user has left: by the back button, or by pulling a sheet down.
    ///
    /// - Parameter sheet: a sheet that has been pulled down, and may not be let go of yet.
    func noticeUserMoves(pulledDown sheet: UIViewController? = nil) {
      guard !isMoving, let left = entries.last.flatMap({ visit(of: $0.controller) }),
        dropGone(sheet), let present = entries.last
      else { return }
      left.exited()
      arrival = present.view
      onUserMove(present.view)
      arrival = nil
    }

    /// Forgets the views that are no longer shown.
    ///
    /// - Returns: whether the topmost was among them.
    private func dropGone(_ sheet: UIViewController? = nil) -> Bool {
      let last = entries.last?.controller
      let sheets = entries.filter { $0.isDismissed || $0.controller === sheet }.map(\.controller)
      entries.removeAll { $0.hasGone(with: sheets) }
      return entries.last?.controller !== last
    }
  }

  extension ViewStack.Entry {
    @MainActor fileprivate var isDismissed: Bool {
      if case .modal = presentation { controller.presentingViewController == nil } else { false }
    }

    /// Whether it is no longer shown, by itself or because it lay in one of these sheets.
    @MainActor fileprivate func hasGone(with sheets: [UIViewController]) -> Bool {
      let isInSheet = sequence(first: controller, next: \.parent).contains(where: sheets.contains)
      return switch presentation {
      case .push: isInSheet || !(navigation?.viewControllers.contains(controller) ?? false)
      case .modal: isInSheet
      case .child: isInSheet || controller.parent == nil
      case .custom: isInSheet
      }
    }
  }

  /// Is told when a user has gone back, and when he has pulled a sheet down.
  @MainActor
  private final class UserWatch: NSObject, UINavigationControllerDelegate,
    UIAdaptivePresentationControllerDelegate
  {
    /// With the sheet, if it was one.
    var onMove: (UIViewController?) -> Void = { _ in }

    func navigationController(
      _ navigationController: UINavigationController, didShow viewController: UIViewController,
      animated: Bool
    ) {
      onMove(nil)
    }

    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
      onMove(presentationController.presentedViewController)
    }
  }
#endif
