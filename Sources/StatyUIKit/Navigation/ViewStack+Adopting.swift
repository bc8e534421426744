#if canImport(UIKit)
  import Staty
  import UIKit

  extension ViewStack {
    /// Adds the views that the root already shows, lowest first.
    func adopt(_ viewType: (UIViewController) -> ViewType?) {
      guard let root, entries.isEmpty, moving == nil else { return }
      adoptInside(root, viewType)
      for sheet in sequence(first: root, next: \.presentedViewController).dropFirst() {
        let isView = adopt(sheet, .modal(sheet.modalPresentationStyle), viewType)
        if isView { follow(sheet: sheet) }
        adoptInside(sheet, viewType)
      }
      guard let present = entries.last else { return }
      shownByUser = present.view
      onUserMove(present.view)
      shownByUser = nil
    }

    private func adoptInside(
      _ container: UIViewController, _ viewType: (UIViewController) -> ViewType?
    ) {
      guard let navigation = container as? UINavigationController else {
        return adoptChildren(of: container, viewType)
      }
      follow(navigation)
      for controller in navigation.viewControllers {
        adopt(controller, .push, on: navigation, viewType)
      }
      if let top = navigation.topViewController { adoptChildren(of: top, viewType) }
    }

    private func adoptChildren(
      of controller: UIViewController, _ viewType: (UIViewController) -> ViewType?
    ) {
      for child in controller.children { adopt(child, .child, viewType) }
    }

    /// - Returns: whether it is a view.
    @discardableResult
    private func adopt(
      _ controller: UIViewController, _ presentation: ViewPresentation,
      on navigation: UINavigationController? = nil, _ viewType: (UIViewController) -> ViewType?
    ) -> Bool {
      guard let view = viewType(controller) else { return false }
      entries.append(
        Entry(
          view: view, controller: controller, presentation: presentation, navigation: navigation))
      return true
    }
  }
#endif
