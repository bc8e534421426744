import Testing
import UIKit

@MainActor @Suite struct PresentationTests {
  private let root = Screen("root")
  private let sheet = Screen("sheet")
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

  private func begin() {
    show(root, in: window)
    _ = Screen.takeLog()
  }

  @Test func `A sheet appears over its presenter, and the completion is called last`() {
    begin()
    root.present(sheet, animated: true) { Screen.log.append("done") }
    #expect(Screen.takeLog() == ["+sheet… presented"])
    #expect(root.presentedViewController === sheet)
    #expect(root.transitionCoordinator != nil)
    UIKitDouble.advance(by: 0.4)
    #expect(Screen.takeLog() == [])
    UIKitDouble.advance(by: 0.1)
    #expect(Screen.takeLog() == ["+sheet presented", "done"])
    #expect(root.transitionCoordinator == nil)
    sheet.dismiss(animated: true) { Screen.log.append("gone") }
    #expect(Screen.takeLog() == ["-sheet… dismissed"])
    #expect(root.transitionCoordinator?.viewController(forKey: .from) === sheet)
    #expect(root.transitionCoordinator?.viewController(forKey: .to) === root)
    UIKitDouble.run()
    #expect(Screen.takeLog() == ["-sheet dismissed", "gone"])
    #expect(root.presentedViewController == nil)
  }

  @Test(arguments: [true, false])
  func `isBeingPresented is true in callbacks, and by default until the end`(isStrict: Bool) {
    begin()
    UIKitDouble.tellsOnlyInCallbacks = isStrict
    root.present(sheet, animated: true)
    #expect(Screen.takeLog() == ["+sheet… presented"])
    #expect(sheet.isBeingPresented == !isStrict)
    UIKitDouble.run()
    root.dismiss(animated: true)
    #expect(Screen.takeLog() == ["+sheet presented", "-sheet… dismissed"])
    #expect(sheet.isBeingDismissed == !isStrict)
    sheet.present(Screen("other"), animated: true)
    #expect(UIKitDouble.warnings.count == 1)
  }

  @Test func `A full screen presentation makes its presenter disappear`() {
    begin()
    sheet.modalPresentationStyle = .fullScreen
    root.present(sheet, animated: false)
    UIKitDouble.run()
    #expect(Screen.takeLog() == ["-root…", "+sheet… presented", "-root", "+sheet presented"])
    root.dismiss(animated: false)
    UIKitDouble.run()
    #expect(Screen.takeLog() == ["-sheet… dismissed", "+root…", "-sheet dismissed", "+root"])
    #expect(root.view.window === window)
  }

  @Test func `A presenter under several full screen presentations appears again`() {
    begin()
    let top = Screen("top")
    for (presenter, one) in [(root, sheet), (sheet, top)] {
      one.modalPresentationStyle = .fullScreen
      presenter.present(one, animated: false)
      UIKitDouble.run()
    }
    _ = Screen.takeLog()
    root.dismiss(animated: true)
    UIKitDouble.run()
    #expect(Screen.takeLog() == ["-top… dismissed", "+root…", "-top dismissed", "+root"])
    #expect(root.view.window === window)
  }

  @Test func `A presentation during another presentation is ignored with a warning`() {
    begin()
    let other = Screen("other")
    root.present(sheet, animated: true)
    root.present(other, animated: true) { Screen.log.append("never") }
    #expect(
      UIKitDouble.takeWarnings() == [
        "Attempt to present <Screen> on <Screen> (from <Screen>) which is already presenting "
          + "<Screen>."
      ])
    UIKitDouble.run()
    #expect(!Screen.takeLog().contains("never"))
    #expect(root.presentedViewController === sheet)
    #expect(other.presentingViewController == nil)
  }

  @Test func `A presentation on a controller being presented is ignored with a warning`() {
    begin()
    root.present(sheet, animated: true)
    sheet.present(Screen("other"), animated: true)
    UIKitDouble.run()
    root.dismiss(animated: true)
    sheet.present(Screen("other"), animated: true)
    #expect(
      UIKitDouble.warnings.map { $0.hasSuffix("while a presentation is in progress!") }
        == [true, true])
    UIKitDouble.run()
    #expect(root.presentedViewController == nil)
  }

  @Test func `A presentation outside of a window is ignored with a warning`() {
    begin()
    Screen("lost").present(sheet, animated: true) { Screen.log.append("never") }
    UIKitDouble.run()
    #expect(
      UIKitDouble.warnings == [
        "Attempt to present <Screen> on <Screen> (from <Screen>) whose view is not in the window "
          + "hierarchy."
      ])
    #expect(Screen.takeLog() == [])
  }

  @Test func `A dismissal during a presentation is ignored with a warning`() {
    begin()
    root.present(sheet, animated: true)
    root.dismiss(animated: true) { Screen.log.append("never") }
    #expect(
      UIKitDouble.warnings == [
        "Attempt to dismiss from view controller <Screen> while a presentation or dismiss is in "
          + "progress!"
      ])
    UIKitDouble.run()
    #expect(root.presentedViewController === sheet)
  }

  @Test func `A dismissal during a dismissal is ignored with a warning`() {
    begin()
    root.present(sheet, animated: false)
    UIKitDouble.run()
    root.dismiss(animated: true)
    sheet.dismiss(animated: true) { Screen.log.append("never") }
    #expect(UIKitDouble.takeWarnings().count == 1)
    UIKitDouble.run()
    #expect(!Screen.takeLog().contains("never"))
    #expect(root.presentedViewController == nil)
  }

  @Test func `A dismissal with nothing to dismiss never calls its completion`() {
    begin()
    root.dismiss(animated: true) { Screen.log.append("never") }
    UIKitDouble.run()
    #expect(Screen.takeLog() == [])
  }

  @Test func `Presenting a presented controller or a child is an exception`() {
    begin()
    root.present(sheet, animated: false)
    UIKitDouble.run()
    let child = Screen("child")
    root.addChild(child)
    let raised = UIKitDouble.exceptions {
      sheet.present(sheet, animated: false)
      sheet.present(child, animated: false)
    }
    #expect(raised.map(\.name) == ["NSInvalidArgumentException", "NSInvalidArgumentException"])
    #expect(raised.first?.reason.hasSuffix("already being presented by <Screen>.") ?? false)
    #expect(raised.last?.reason.hasSuffix("has a parent view controller <Screen>.") ?? false)
  }

  @Test func `Dismissing the lowest of several dismisses all of them`() {
    begin()
    let top = Screen("top")
    root.present(sheet, animated: false)
    UIKitDouble.run()
    sheet.present(top, animated: false)
    UIKitDouble.run()
    _ = Screen.takeLog()
    root.dismiss(animated: true)
    UIKitDouble.run()
    #expect(
      Screen.takeLog() == [
        "-sheet… dismissed", "-top… dismissed", "-sheet dismissed", "-top dismissed",
      ])
    #expect(window.subviews == [root.view])
  }

  @Test func `An alert's action is called once, after the alert has gone`() {
    begin()
    let alert = UIAlertController(title: "Sold out", message: nil, preferredStyle: .alert)
    alert.addAction(
      UIAlertAction(title: "OK", style: .default) { [root] _ in
        Screen.log.append(root.presentedViewController == nil ? "pressed" : "too early")
      })
    root.present(alert, animated: true)
    #expect(!alert.press("OK"))
    UIKitDouble.run()
    #expect(!alert.press("Cancel"))
    #expect(alert.press("OK"))
    #expect(!alert.press("OK"))
    UIKitDouble.run()
    #expect(Screen.takeLog() == ["pressed"])
  }

  @Test func `An alert's action without a title is an exception`() {
    begin()
    let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
    let raised = UIKitDouble.exceptions {
      alert.addAction(UIAlertAction(title: nil, style: .cancel))
    }
    #expect(raised.map(\.name) == ["NSInternalInconsistencyException"])
    #expect(alert.actions.isEmpty)
  }

  @Test func `An unexpected exception ends the process with UIKit's message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        UIKitDouble.reset()
        UITableView(frame: .zero, style: .plain).endUpdates()
      }
    }
    let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(
      said?.contains("uncaught exception 'NSInternalInconsistencyException', reason: ") ?? false)
  }

  @Test func `The delegate is told of a sheet pulled down by the user, after it disappeared`() {
    begin()
    let delegate = PullLog()
    sheet.presentationController?.delegate = delegate
    root.present(sheet, animated: true)
    #expect(!sheet.pullDown())
    UIKitDouble.run()
    #expect(sheet.presentationController?.presentingViewController === root)
    _ = Screen.takeLog()
    #expect(sheet.pullDown())
    #expect(!sheet.pullDown())
    UIKitDouble.run()
    #expect(
      Screen.takeLog() == [
        "should", "will", "-sheet… dismissed", "-sheet dismissed", "did",
      ])
    #expect(root.presentedViewController == nil)
  }

  @Test func `The delegate is not told of a dismissal by code`() {
    begin()
    let delegate = PullLog()
    sheet.presentationController?.delegate = delegate
    root.present(sheet, animated: false)
    UIKitDouble.run()
    root.dismiss(animated: true)
    UIKitDouble.run()
    #expect(Screen.takeLog().allSatisfy { $0.contains("sheet") })
    // The next presentation has its own controller.
    #expect(sheet.presentationController?.delegate == nil)
  }

  @Test(arguments: [true, false])
  func `A sheet that must not be dismissed stays, and its delegate is told`(isModal: Bool) {
    begin()
    let delegate = PullLog()
    delegate.mayGo = isModal
    sheet.isModalInPresentation = isModal
    sheet.presentationController?.delegate = delegate
    root.present(sheet, animated: false)
    UIKitDouble.run()
    _ = Screen.takeLog()
    #expect(!sheet.pullDown())
    #expect(Screen.takeLog() == (isModal ? ["attempted"] : ["should", "attempted"]))
    #expect(root.presentedViewController === sheet)
  }

  @Test func `A cancelled pull makes the sheet appear again, without didDismiss`() {
    begin()
    let delegate = PullLog()
    sheet.presentationController?.delegate = delegate
    root.present(sheet, animated: false)
    UIKitDouble.run()
    _ = Screen.takeLog()
    #expect(sheet.pullDownAndLetGo())
    UIKitDouble.run()
    #expect(Screen.takeLog() == ["should", "will", "-sheet…", "+sheet…", "+sheet"])
    #expect(root.presentedViewController === sheet)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test(arguments: [true, false])
  func `A sheet that a user holds is presented until the animation after that has ended`(
    goes: Bool
  ) {
    begin()
    let delegate = PullLog()
    sheet.presentationController?.delegate = delegate
    root.present(sheet, animated: false)
    UIKitDouble.run()
    _ = Screen.takeLog()
    #expect(sheet.beginPullDown())
    #expect(!sheet.beginPullDown())
    UIKitDouble.advance(by: 9)
    #expect(root.transitionCoordinator?.isInteractive == true)
    sheet.endPullDown(goes: goes)
    #expect(root.transitionCoordinator?.isInteractive == false)
    #expect(root.transitionCoordinator?.isCancelled == !goes)
    #expect(root.presentedViewController === sheet)
    UIKitDouble.run()
    #expect(
      Screen.takeLog()
        == (goes
          ? ["should", "will", "-sheet… dismissed", "-sheet dismissed", "did"]
          : ["should", "will", "-sheet… dismissed", "+sheet…", "+sheet"]))
    #expect(root.presentedViewController === (goes ? nil : sheet))
    #expect(root.transitionCoordinator == nil)
    #expect(sheet.isBeingDismissed == false)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `Only a sheet can be pulled down`() {
    begin()
    sheet.modalPresentationStyle = .fullScreen
    root.present(sheet, animated: false)
    UIKitDouble.run()
    #expect(!sheet.pullDown())
    #expect(!root.pullDown())
  }

  @Test func `A presentation keeps the style that was set when its controller was created`() {
    begin()
    #expect(sheet.presentationController?.presentationStyle == .automatic)
    sheet.modalPresentationStyle = .fullScreen
    root.present(sheet, animated: false)
    UIKitDouble.run()
    #expect(root.view.window != nil)
    let child = Screen("child")
    sheet.addChild(child)
    #expect(child.presentationController === sheet.presentationController)
  }
}

/// Logs its calls.
@MainActor private final class PullLog: NSObject, UIAdaptivePresentationControllerDelegate {
  var mayGo = true

  func presentationControllerShouldDismiss(
    _ presentationController: UIPresentationController
  ) -> Bool {
    Screen.log.append("should")
    return mayGo
  }
  func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {
    Screen.log.append("will")
  }
  func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
    Screen.log.append("did")
  }
  func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController
  ) {
    Screen.log.append("attempted")
  }
}
