import Staty
import StatyUIKit
import Testing
import UIKit

@MainActor @Suite struct AlertStateTests {
  private let checkout = CheckoutViewController()
  private let events = EventLines()

  private var controller: StateController<CheckoutViewController> {
    checkout.viewModel.stateController
  }

  private func begin() -> UIWindow {
    let window = show(checkout)
    controller.events.add(events)
    return window
  }

  @Test func `Code can close an alert`() {
    let window = begin()
    let alert = AlertState<CheckoutViewController>("Connecting")
    controller.transition(to: alert)
    controller.transition(to: LoadingState())
    UIKitDouble.run()
    #expect(checkout.alert?.message == "Connecting")
    #expect(controller.phase == .exiting)
    alert.close()
    #expect(controller.phase == .exiting)
    UIKitDouble.run()
    #expect(checkout.alert == nil)
    #expect(checkout.indicator != nil)
    #expect(
      events.lines.filter { $0.hasSuffix("alert") } == [
        "enqueued alert", "entering alert", "entered alert", "exiting alert", "exited alert",
      ])
    #expect(!events.lines.contains { $0.hasPrefix("stray") })
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController === checkout)
  }

  @Test(arguments: [false, true])
  func `An alert that a deadline skipped is not shown later`(yields: Bool) {
    let clock = ManualClock()
    let controller = StateController<CheckoutViewController>(
      deadlines: Deadlines(entering: .seconds(2), recovery: .skip), timer: clock)
    controller.bind(to: checkout)
    let navigation = UINavigationController(rootViewController: checkout)
    let window = show(navigation)
    navigation.pushViewController(UIViewController(), animated: false)
    UIKitDouble.run()
    controller.transition(to: AlertState("Sold out", yields: yields))
    UIKitDouble.run()
    clock.advance(by: .seconds(2))
    controller.transition(to: LoadingState())
    navigation.popViewController(animated: false)
    UIKitDouble.run()
    #expect(checkout.alert == nil)
    #expect(controller.phase == .entered && checkout.indicator != nil)
    #expect(window.rootViewController === navigation)
  }

  @Test func `An alert that is closed while it is being presented closes right after`() {
    let window = begin()
    let alert = AlertState<CheckoutViewController>("Connecting")
    controller.transition(to: alert)
    UIKitDouble.advance(by: 0.1)
    alert.close()
    alert.close()
    UIKitDouble.run()
    #expect(checkout.alert == nil)
    #expect(
      events.lines == ["enqueued alert", "entering alert", "entered alert", "exited alert"])
    // Closing an alert that is not shown has no effect, even when it is shown again.
    alert.close()
    controller.transition(to: alert)
    UIKitDouble.run()
    #expect(checkout.alert?.message == "Connecting")
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController === checkout)
  }

  @Test func `An alert that is closed by code leaves the one above it, which is presented again`() {
    let window = begin()
    let other = StateController<CheckoutViewController>()
    other.bind(to: checkout)
    let alert = AlertState<CheckoutViewController>("Connecting")
    controller.transition(to: alert)
    UIKitDouble.run()
    other.transition(to: AlertState("Sold out"))
    UIKitDouble.run()
    #expect(checkout.alert?.presentedViewController is UIAlertController)
    alert.close()
    UIKitDouble.run()
    #expect(checkout.alert?.message == "Sold out")
    #expect(controller.phase == .exited && other.phase == .entered)
    checkout.alert?.press("OK")
    UIKitDouble.run()
    #expect(checkout.alert == nil && other.phase == .exited)
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController === checkout)
  }

  @Test func `What an app has presented above an alert goes with it, and does not come back`() {
    let window = begin()
    let alert = AlertState<CheckoutViewController>("Connecting")
    controller.transition(to: alert)
    UIKitDouble.run()
    let progress = UIViewController()
    checkout.alert?.present(progress, animated: true)
    UIKitDouble.run()
    alert.close()
    progress.dismiss(animated: true)
    UIKitDouble.run()
    #expect(checkout.presentedViewController == nil && controller.phase == .exited)
    #expect(window.rootViewController === checkout)
  }

  @Test func `An alert that is requested while a menu is open is presented after it`() {
    let window = begin()
    checkout.present(_UIContextMenuActionsOnlyViewController(), animated: true)
    UIKitDouble.run()
    controller.transition(to: AlertState("Sold out"))
    UIKitDouble.run()
    #expect(checkout.alert?.message == "Sold out")
    #expect(controller.phase == .entered)
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController === checkout)
  }

  @Test func `An alert that the user has closed is not closed again by code`() {
    let window = begin()
    let alert = AlertState<CheckoutViewController>("Connecting")
    controller.transition(to: alert)
    UIKitDouble.run()
    checkout.alert?.press("OK")
    alert.close()
    UIKitDouble.run()
    #expect(events.lines.last == "exited alert")
    #expect(events.lines.count == 4)
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController === checkout)
  }

  @Test func `The alert's button is "OK", or has the title that the strategy was given`() {
    for (button, title) in [(nil, "OK"), ("Ok", "Ok")] as [(String?, String)] {
      let window = begin()
      let strategy =
        button.map { NativeAlertStrategy(over: checkout, button: $0) }
        ?? NativeAlertStrategy(over: checkout)
      strategy.show("Sold out", onShow: {}, onClose: {})
      UIKitDouble.run()
      #expect(checkout.alert?.actions.map(\.title) == [title])
      checkout.alert?.press(title)
      UIKitDouble.run()
      #expect(window.rootViewController === checkout)
    }
  }

  @Test(arguments: [true, false])
  func `An alert that is told to exit waits for the user, unless it yields`(yields: Bool) {
    for cancels in [true, false] {
      let window = begin()
      let visit = controller.transition(
        to: AlertState<CheckoutViewController>("Sold out", yields: yields))
      UIKitDouble.run()
      if cancels { controller.cancel(visit) } else { controller.transition(to: LoadingState()) }
      UIKitDouble.run()
      #expect((checkout.alert == nil) == yields)
      #expect(controller.phase == (!yields ? .exiting : cancels ? .exited : .entered))
      checkout.alert?.press("OK")
      UIKitDouble.run()
      #expect(checkout.alert == nil)
      #expect(window.rootViewController === checkout)
      controller.cancelAll()
      UIKitDouble.run()
    }
  }

  @Test func `An alert with a released presenter exits at once`() {
    var presenter: UIViewController? = UIViewController()
    let strategy = presenter.map { NativeAlertStrategy(over: $0) }
    presenter = nil
    var said: [String] = []
    strategy?.show("Sold out", onShow: { said.append("shown") }, onClose: { said.append("gone") })
    #expect(said == ["gone"])
  }

  @Test func `A strategy can be injected, and reports that it shows and has closed`() {
    final class Banner: AlertStateStrategy {
      private(set) var lines: [String] = []
      private(set) var onShow: () -> Void = {}
      private(set) var onClose: () -> Void = {}
      func show(
        _ message: String, onShow: @escaping () -> Void, onClose: @escaping () -> Void
      ) {
        lines.append(message)
        (self.onShow, self.onClose) = (onShow, onClose)
      }
      func close() {
        lines.append("close")
        onClose()
      }
    }
    final class Stage: AlertStateStrategyProvider {
      private(set) var banners: [Banner] = []
      func alertStateStrategy() -> any AlertStateStrategy {
        banners.append(Banner())
        return banners[banners.count - 1]
      }
    }
    let (stage, controller) = (Stage(), StateController<Stage>())
    controller.bind(to: stage)
    let alert = AlertState<Stage>("Sold out")
    controller.transition(to: alert)
    #expect(controller.phase == .entering)
    stage.banners.last?.onShow()
    #expect(controller.phase == .entered)
    controller.transition(to: AlertState<Stage>("Try later", yields: true))
    #expect(stage.banners.count == 1)
    stage.banners.last?.onClose()
    // Each enter has its own strategy.
    #expect(stage.banners.map(\.lines) == [["Sold out"], ["Try later"]])
    stage.banners.last?.onShow()
    controller.transition(to: alert)
    #expect(stage.banners[1].lines == ["Try later", "close"])
    #expect(stage.banners.count == 3)
    // A strategy of an earlier visit is ignored.
    stage.banners[0].onClose()
    #expect(controller.phase == .entering)
    stage.banners[2].onClose()
    #expect(controller.phase == .exited)
  }

  @Test func `A view controller can replace the default strategies`() {
    final class Silent: UIViewController, AlertStateStrategyProvider, LoadingStateStrategyProvider {
      final class Nothing: AlertStateStrategy, LoadingStateStrategy {
        func show(
          _ message: String, onShow: @escaping () -> Void, onClose: @escaping () -> Void
        ) {
          onShow()
          onClose()
        }
        func close() {}
        func show() {}
        func hide(completion: @escaping () -> Void) { completion() }
      }
      func alertStateStrategy() -> any AlertStateStrategy { Nothing() }
      func loadingStateStrategy() -> any LoadingStateStrategy { Nothing() }
    }
    let silent = Silent(nibName: nil, bundle: nil)
    let (window, controller) = (show(silent), StateController<Silent>())
    controller.bind(to: silent)
    controller.transition(to: AlertState("Sold out"))
    controller.transition(to: LoadingState())
    UIKitDouble.run()
    #expect(silent.presentedViewController == nil)
    #expect(silent.view.subviews.isEmpty)
    #expect(controller.currentState is LoadingState<Silent>)
    #expect(window.rootViewController === silent)
  }

  // Needs its own process, because it must leave the main actor for the next step to run.
  @Test func `An alert that other code dismisses exits, and the pending state enters`() async {
    await #expect(processExitsWith: .success) {
      let scene = await MainActor.run {
        let checkout = CheckoutViewController()
        let window = show(checkout)
        let controller = checkout.viewModel.stateController
        controller.transition(to: AlertState<CheckoutViewController>("Sold out"))
        controller.transition(to: LoadingState())
        UIKitDouble.run()
        checkout.dismiss(animated: true)
        UIKitDouble.run()
        precondition(controller.phase == .exiting)
        return (checkout, window)
      }
      while await scene.0.viewModel.shown.count < 2 { await Task.yield() }
      await MainActor.run { precondition(scene.0.indicator != nil) }
      withExtendedLifetime(scene) {}
    }
  }
}
