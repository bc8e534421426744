#if canImport(UIKit)
  import Staty
  import UIKit

  extension ViewStack {
    /// Shows a new view on top.
    ///
    /// - Parameter isTopGone: whether the view on which it was to be shown has been removed since the
    ///   request.
    func goForward(
      to view: ViewType, _ context: Any?, _ visit: Visit, isTopGone: Bool,
      _ done: @escaping () -> Void
    ) {
      guard let present = top else { return done() }
      let entry = Entry(
        view: view, controller: nil, presentation: presentation(view), navigation: nil,
        visit: visit)
      let controller = makeView(view, context)
      switch entry.presentation {
      case .push: return push(controller, entry, from: present, isTopGone: isTopGone, done)
      case .modal(let style): self.present(controller, style, over: present, done)
      case .child:
        add(controller, to: present)
        append(entry, controller)
        return done()
      case .custom(let transition):
        // Added before, because the completion may be called at once.
        append(entry, controller)
        return transition.show(controller, over: present, completion: done)
      }
      append(entry, controller)
    }

    private func append(
      _ entry: Entry, _ controller: UIViewController, on navigation: UINavigationController? = nil
    ) {
      var entry = entry
      (entry.controller, entry.navigation) = (controller, navigation)
      entries.append(entry)
      if let visit = entry.visit { note(visit, at: entries.count - 1) }
      entries[entries.count - 1].isComing = true
    }

    private func push(
      _ controller: UIViewController, _ entry: Entry, from present: UIViewController,
      isTopGone: Bool, _ done: @escaping () -> Void
    ) {
      guard let navigation = navigation(of: present) else {
        precondition(
          isTopGone || entries.isEmpty && wasShown,
          "There is nothing to push \(entry.view) on. Give the transition controller a navigation "
            + "controller as its root, or another presentation of this view.")
        stopMoving()
        entry.visit?.exited()
        return followTop()
      }
      let isFirst = entries.isEmpty
      follow(navigation)
      uncover(navigation) {
        self.append(entry, controller, on: navigation)
        let push = self.goingOn {
          navigation.pushViewController(controller, animated: !isFirst)
          self.whenSettled(navigation, done)
        }
        self.whenSettled(navigation, push)
      }
    }

    private func present(
      _ controller: UIViewController, _ style: UIModalPresentationStyle,
      over present: UIViewController, _ done: @escaping () -> Void
    ) {
      controller.modalPresentationStyle = style
      follow(sheet: controller)
      let number = moving?.number
      PresentationTurn.wait(over: present) {
        if self.moving?.number != number { return }
        $0.present(controller, animated: true, completion: done)
      }
    }

    private func add(_ controller: UIViewController, to present: UIViewController) {
      let owner = childOwner(in: present)
      owner.addChild(controller)
      controller.view.frame = owner.view.bounds
      controller.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      owner.view.addSubview(controller.view)
      controller.didMove(toParent: owner)
    }

    /// The view controller that contains a new child.
    ///
    /// A navigation controller would treat it as pushed, and a tab bar controller as a tab.
    private func childOwner(in present: UIViewController) -> UIViewController {
      if let selected = (present as? UITabBarController)?.selectedViewController {
        return childOwner(in: selected)
      }
      guard let navigation = present as? UINavigationController else { return present }
      guard let top = navigation.topViewController else {
        preconditionFailure(
          "There is no view to put a child into: the navigation controller is empty. Show a view "
            + "that is pushed before, or give this one another presentation.")
      }
      return childOwner(in: top)
    }

    private func navigation(of controller: UIViewController) -> UINavigationController? {
      controller as? UINavigationController ?? controller.navigationController
        ?? root as? UINavigationController
    }

    /// Dismisses what is presented over a navigation controller and cannot push itself.
    private func uncover(_ navigation: UINavigationController, _ body: @escaping () -> Void) {
      guard let top, top !== navigation, top.navigationController !== navigation else {
        return body()
      }
      goBack(to: entries.lastIndex { $0.navigation === navigation } ?? -1, body)
    }

    /// Removes the views above a place.
    func goBack(to place: Int, _ done: @escaping () -> Void) {
      guard entries.count - 1 > place, let last = entries.last else { return done() }
      let goOn = goingOn { self.goBack(to: place, done) }
      if case .push = last.presentation { return pop(to: place, goOn) }
      entries.removeLast()
      guard let controller = last.controller else { return goOn() }
      switch last.presentation {
      case .push: break
      case .modal: dismiss(controller, goOn)
      case .child:
        controller.willMove(toParent: nil)
        controller.view.removeFromSuperview()
        controller.removeFromParent()
        goOn()
      case .custom(let transition): transition.hide(controller, completion: goOn)
      }
    }

    private func dismiss(_ controller: UIViewController, _ goOn: @escaping () -> Void) {
      guard let root else { return goOn() }
      PresentationTurn.rest(over: root) {
        // Other code may have dismissed it during the wait.
        guard let presenter = controller.presentingViewController else { return goOn() }
        presenter.dismiss(animated: true, completion: goOn)
      }
    }

    /// Pops all consecutive views of one navigation controller in one transition.
    private func pop(to place: Int, _ goOn: @escaping () -> Void) {
      guard let navigation = entries.last?.navigation else {
        entries.removeLast()
        return goOn()
      }
      var going: [UIViewController] = []
      while entries.count - 1 > place, let last = entries.last, last.navigation === navigation,
        case .push = last.presentation
      {
        if let controller = last.controller { going.append(controller) }
        entries.removeLast()
      }
      whenSettled(navigation) {
        let all = navigation.viewControllers
        let lowest = self.entries.last { $0.navigation === navigation }?.controller
        guard all.contains(where: going.contains) else { return goOn() }
        // What other code has pushed above it goes, too.
        let staying =
          lowest.flatMap { all.firstIndex(of: $0) }.map { all[...$0] }
          ?? all.prefix { !going.contains($0) }
        navigation.setViewControllers(Array(staying), animated: true)
        self.whenSettled(navigation, goOn)
      }
    }
  }
#endif
