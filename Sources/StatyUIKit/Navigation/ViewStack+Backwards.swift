#if canImport(UIKit)
  import Staty
  import UIKit

  extension ViewStack {
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
        let staying = navigation.viewControllers.filter { !going.contains($0) }
        navigation.setViewControllers(staying, animated: true)
        self.whenSettled(navigation, goOn)
      }
    }
  }
#endif
