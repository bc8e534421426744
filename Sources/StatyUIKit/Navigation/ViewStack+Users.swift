#if canImport(UIKit)
  import Staty
  import UIKit

  // What users do by themselves.
  extension ViewStack {
    /// Becomes the delegate, to know when the user goes back, if there is none.
    func follow(_ navigation: UINavigationController) {
      if navigation.delegate == nil { navigation.delegate = watch }
    }

    /// Becomes the sheet's delegate, to know when the user pulls it down, if there is none.
    func follow(sheet: UIViewController) {
      let presentation = sheet.presentationController
      if presentation?.delegate == nil { presentation?.delegate = watch }
    }

    /// Takes note of views that a user has left: by the back button, or by pulling a sheet down.
    ///
    /// While he swipes back and may still let go, nothing has happened: it is looked again when that
    /// is over.
    ///
    /// - Parameter sheet: a sheet that has been pulled down, and may not be let go of yet.
    func noticeUserMoves(pulledDown sheet: UIViewController? = nil) {
      if moving != nil { return }
      if let undecided { return undecided.afterwards { [weak self] in self?.noticeUserMoves() } }
      // One that was given up has not been there.
      guard let last = entries.last, !last.isGivenUp, dropGone(sheet) else { return }
      last.visit?.exited()
      // An observer of that may have made the next request.
      guard moving == nil, let present = entries.last else { return }
      arrival = present.view
      onUserMove(present.view)
      arrival = nil
    }

    /// Does something when no user is in the middle of swiping back; now, if none is.
    func whenDecided(_ body: @escaping () -> Void) {
      guard let undecided else { return body() }
      undecided.afterwards { self.whenDecided(body) }
    }

    /// The pop under way that the user may still cancel.
    private var undecided: (any UIViewControllerTransitionCoordinator)? {
      entries.lazy.compactMap { $0.navigation?.transitionCoordinator }.first {
        // One that is tapped goes through; of one that was let go of, the views are not back yet.
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

    /// Whether it is no longer shown, by itself or because it lay in one of these sheets.
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
