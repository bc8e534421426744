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

  @Test func `Code can close it in the user's place`() {
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

  @Test func `One that is not there yet is closed as soon as it is`() {
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
    // What is not shown cannot be closed, and is not closed when it is shown again.
    alert.close()
    controller.transition(to: alert)
    UIKitDouble.run()
    #expect(checkout.alert?.message == "Connecting")
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController === checkout)
  }

  @Test func `A user who is faster than the code closes it once`() {
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

  @Test(arguments: [true, false])
  func `It waits for the user whoever tells it to leave, unless it yields`(yields: Bool) {
    for cancels in [true, false] {
      let window = begin()
      let visit = controller.transition(
        to: AlertState<CheckoutViewController>("Sold out", yields: yields))
      UIKitDouble.run()
      if cancels { controller.cancel(visit) } else { controller.transition(to: LoadingState()) }
      UIKitDouble.run()
      #expect((checkout.alert == nil) == yields)
      #expect(controller.phase == (!yields ? .exiting : cancels ? .left : .entered))
      checkout.alert?.press("OK")
      UIKitDouble.run()
      #expect(checkout.alert == nil)
      #expect(window.rootViewController === checkout)
      controller.cancelAll()
      UIKitDouble.run()
    }
  }

  @Test func `One whose presenter has gone has gone as well`() {
    var presenter: UIViewController? = UIViewController()
    let strategy = presenter.map { NativeAlertStrategy(over: $0) }
    presenter = nil
    var said: [String] = []
    strategy?.show("Sold out", onShow: { said.append("shown") }, onClose: { said.append("gone") })
    #expect(said == ["gone"])
  }

  @Test func `A strategy can be injected, and says when the message is there and when it has gone`()
  {
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
    // Each coming in has a strategy of its own.
    #expect(stage.banners.map(\.lines) == [["Sold out"], ["Try later"]])
    stage.banners.last?.onShow()
    controller.transition(to: alert)
    #expect(stage.banners[1].lines == ["Try later", "close"])
    #expect(stage.banners.count == 3)
    // What has gone has no strategy any more, and nothing to say.
    stage.banners[0].onClose()
    #expect(controller.phase == .entering)
    stage.banners[2].onClose()
    #expect(controller.phase == .left)
  }

  @Test func `A view controller that has a strategy of its own need not take the default`() {
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

  // In a process of its own, because it must let go of the main actor to see what happens next.
  @Test func `One that somebody else dismisses has left, and what waits comes in`() async {
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
