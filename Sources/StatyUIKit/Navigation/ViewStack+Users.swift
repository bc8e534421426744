#if canImport(UIKit)
  import Staty
  import UIKit

  // Views that the root already shows, and transitions that the user makes without a request.
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
      followTop()
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

    /// Becomes the delegate, to know when the user goes back, if there is none.
    func follow(_ navigation: UINavigationController) {
      if navigation.delegate == nil { navigation.delegate = watch }
    }

    /// Becomes the sheet's delegate, to know when the user pulls it down, if there is none.
    func follow(sheet: UIViewController) {
      let presentation = sheet.presentationController
      if presentation?.delegate == nil { presentation?.delegate = watch }
    }

    /// Notices that the user has left views, with the back button or by pulling a sheet down.
    ///
    /// During an interactive swipe, which the user may still cancel, nothing has happened yet. The
    /// check is repeated after the swipe.
    ///
    /// - Parameter sheet: a sheet that was pulled down; UIKit may not have removed it yet.
    func noticeUserMoves(pulledDown sheet: UIViewController? = nil) {
      if moving != nil { return }
      if let undecided { return undecided.afterwards { [weak self] in self?.noticeUserMoves() } }
      // A view that was given up does not count as shown.
      guard let last = entries.last, !last.isGivenUp, dropGone(sheet) else { return }
      last.visit?.exited()
      followTop()
    }

    /// Reports the view on top, which is shown without a request.
    func followTop() {
      // An observer may have made the next request.
      guard moving == nil, let present = entries.last else { return }
      shownByUser = present.view
      onUserMove(present.view)
      shownByUser = nil
    }

    /// Calls a body when no interactive swipe is in progress; now, if there is none.
    func whenDecided(_ body: @escaping () -> Void) {
      guard let undecided else { return body() }
      undecided.afterwards { self.whenDecided(body) }
    }

    /// The current pop that the user may still cancel.
    private var undecided: (any UIViewControllerTransitionCoordinator)? {
      entries.lazy.compactMap { $0.navigation?.transitionCoordinator }.first {
        // A tapped pop cannot be cancelled. After a cancelled swipe, the views are not restored
        // yet.
        $0.isInteractive || $0.isCancelled || $0.isInterruptible
      }
    }

    /// Forgets the views that are no longer shown.
    ///
    /// - Returns: whether the topmost was among them.
    func dropGone(_ sheet: UIViewController? = nil) -> Bool {
      let sheets = goneSheets(sheet)
      let isTopGone = entries.last?.hasGone(with: sheets) ?? false
      entries.removeAll { $0.hasGone(with: sheets) }
      return isTopGone
    }

    private func goneSheets(_ sheet: UIViewController?) -> [UIViewController] {
      entries.compactMap { entry in
        entry.controller.flatMap { entry.isDismissed || $0 === sheet ? $0 : nil }
      }
    }
  }

  extension ViewStack.Entry {
    @MainActor fileprivate var isDismissed: Bool {
      if case .modal = presentation { controller?.presentingViewController == nil } else { false }
    }

    /// Whether the view is no longer shown, by itself or because it was inside one of these sheets.
    @MainActor fileprivate func hasGone(with sheets: [UIViewController]) -> Bool {
      guard let controller else { return true }
      let isInSheet = sequence(first: controller, next: \.parent).contains(where: sheets.contains)
      return switch presentation {
      case .push: isInSheet || !(navigation?.viewControllers.contains(controller) ?? false)
      case .modal: isInSheet
      case .child: isInSheet || controller.parent == nil
      case .custom: isInSheet
      }
    }
  }
#endif
