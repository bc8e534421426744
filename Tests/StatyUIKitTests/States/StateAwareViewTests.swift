import Staty
import StatyUIKit
import Testing
import UIKit

@MainActor @Suite struct StateAwareViewTests {
  @Test func `The article's example: all states are shown, one after the other`() {
    let checkout = CheckoutViewController()
    let window = show(checkout)
    let events = EventLines()
    checkout.viewModel.stateController.events.add(events)
    checkout.viewModel.setUp()
    #expect(checkout.indicator?.wheel.isAnimating == true)
    UIKitDouble.advance(by: 1.5)
    // The indicator takes 0.6 seconds to fade.
    #expect(checkout.alert == nil)
    UIKitDouble.advance(by: 0.7)
    #expect(checkout.indicator == nil)
    #expect(checkout.alert?.message == "Sold out")
    #expect(checkout.alert?.press("OK") == true)
    UIKitDouble.run()
    #expect(checkout.alert?.message == "Try later")
    #expect(checkout.alert?.press("OK") == true)
    UIKitDouble.run()
    #expect(checkout.alert == nil)
    #expect(checkout.indicator != nil)
    #expect(checkout.viewModel.shown == ["loading", "alert", "alert", "loading"])
    #expect(events.lines.allSatisfy { !$0.hasPrefix("stray") && !$0.hasPrefix("discarded") })
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController === checkout)
  }

  @Test func `An alert closed while it was alone is not told to exit, and the next enters`() {
    let checkout = CheckoutViewController()
    let window = show(checkout)
    let controller = checkout.viewModel.stateController
    controller.transition(to: AlertState("Sold out"))
    UIKitDouble.run()
    checkout.alert?.press("OK")
    UIKitDouble.run()
    controller.transition(to: LoadingState())
    #expect(checkout.indicator != nil)
    #expect(controller.phase == .entered)
    #expect(window.rootViewController === checkout)
  }

  @Test func `Requests made before the view is loaded enter after it is in a window`() {
    UIKitDouble.reset()
    let checkout = CheckoutViewController()
    let controller = checkout.viewModel.stateController
    controller.transition(to: LoadingState())
    controller.transition(to: AlertState("Sold out"))
    #expect(checkout.viewModel.shown == [])
    checkout.loadViewIfNeeded()
    UIKitDouble.run()
    #expect(checkout.viewModel.shown == ["loading", "alert"])
    #expect(checkout.alert == nil)
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    window.rootViewController = checkout
    window.makeKeyAndVisible()
    UIKitDouble.run()
    #expect(checkout.alert?.message == "Sold out")
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test(arguments: [true, false])
  func `An alert requested during another presentation is presented after it`(isStrict: Bool) {
    let checkout = CheckoutViewController()
    let window = show(checkout)
    UIKitDouble.tellsOnlyInCallbacks = isStrict
    let sheet = UIViewController()
    checkout.present(sheet, animated: true)
    checkout.viewModel.stateController.transition(to: AlertState("Sold out"))
    UIKitDouble.run()
    #expect(sheet.presentedViewController is UIAlertController)
    #expect(checkout.viewModel.stateController.phase == .entered)
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController === checkout)
  }

  // UIKit promises nothing by which a dismissal without animation can be known.
  @Test(arguments: [(true, true), (true, false), (false, false)])
  func `An alert requested during a dismissal is presented after it`(
    animated: Bool, isStrict: Bool
  ) {
    let checkout = CheckoutViewController()
    let window = show(checkout)
    UIKitDouble.tellsOnlyInCallbacks = isStrict
    checkout.present(UIViewController(), animated: false)
    UIKitDouble.run()
    checkout.dismiss(animated: animated)
    checkout.viewModel.stateController.transition(to: AlertState("Sold out"))
    UIKitDouble.run()
    #expect(checkout.alert?.message == "Sold out")
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController === checkout)
  }

  @Test func `An indicator with an interrupted fade exits`() {
    let checkout = CheckoutViewController()
    let window = show(checkout)
    let controller = checkout.viewModel.stateController
    controller.transition(to: LoadingState())
    controller.transition(to: LoadingState())
    UIKitDouble.advance(by: 0.1)
    UIKitDouble.interruptAnimations()
    #expect(checkout.viewModel.shown == ["loading", "loading"])
    #expect(checkout.view.subviews.count == 1)
    #expect(window.rootViewController === checkout)
  }

  @Test func `Each view can be state-aware, even a table's cell`() {
    UIKitDouble.reset()
    let cell = DownloadCell(style: .default, reuseIdentifier: nil)
    cell.viewModel.stateController.transition(to: LoadingState())
    #expect(cell.subviews.isEmpty)
    cell.bindWithState()
    #expect(cell.subviews.first is IndicatorView)
  }

  @Test func `A strategy can be injected, and a state exits with the one that it entered with`() {
    final class Curtain: LoadingStateStrategy {
      var lines: [String] = []
      func show() { lines.append("down") }
      func hide(completion: @escaping () -> Void) {
        lines.append("up")
        completion()
      }
    }
    final class Stage: LoadingStateStrategyProvider {
      let curtain = Curtain()
      private(set) var asked = 0
      func loadingStateStrategy() -> any LoadingStateStrategy {
        asked += 1
        return curtain
      }
    }
    let (stage, controller) = (Stage(), StateController<Stage>())
    controller.bind(to: stage)
    let loading = controller.transition(to: LoadingState())
    controller.cancel(loading)
    #expect(stage.curtain.lines == ["down", "up"])
    #expect(stage.asked == 1)
    #expect(controller.phase == .exited)
  }
}
