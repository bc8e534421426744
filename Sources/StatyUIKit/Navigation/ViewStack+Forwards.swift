#if canImport(UIKit)
  import Staty
  import UIKit

  extension ViewStack {
    /// Shows a new view on top.
    func goForward(
      to view: ViewType, _ context: Any?, _ visit: Visit, _ done: @escaping () -> Void
    ) {
      guard let present = top else { return done() }
      let entry = Entry(
        view: view, controller: nil, presentation: presentation(view), navigation: nil,
        visit: visit)
      let controller = makeView(view, context)
      switch entry.presentation {
      case .push: return push(controller, entry, from: present, done)
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
      _ done: @escaping () -> Void
    ) {
      guard let navigation = navigation(of: present) else {
        preconditionFailure(
          "There is nothing to push \(entry.view) on. Give the transition controller a navigation "
            + "controller as its root, or another presentation of this view.")
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
    /// A navigation controller would treat it as pushed.
    private func childOwner(in present: UIViewController) -> UIViewController {
      guard let navigation = present as? UINavigationController else { return present }
      guard let top = navigation.topViewController else {
        preconditionFailure(
          "There is no view to put a child into: the navigation controller is empty. Show a view "
            + "that is pushed before, or give this one another presentation.")
      }
      return top
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
  }
#endif
