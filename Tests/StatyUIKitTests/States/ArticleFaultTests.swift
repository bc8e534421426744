import Staty
import StatyUIKit
import Testing
import UIKit

/// An app's own state, which gives the view a title while it is the current one.
@MainActor private final class ContentState: ScreenState {
  func enter(on target: CheckoutViewController, visit: Visit) {
    target.title = "Content"
    visit.entered()
  }

  func exit(from target: CheckoutViewController, visit: Visit) {
    target.title = nil
    visit.exited()
  }
}

/// The faults of the first article's controller, tested on views.
@MainActor @Suite struct ArticleFaultTests {
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

  @Test func `An app's own state enters and exits, with events for both`() {
    let window = begin()
    controller.transition(to: ContentState())
    #expect(checkout.title == "Content")
    #expect(checkout.viewModel.state is ContentState)
    controller.transition(to: LoadingState())
    #expect(checkout.title == nil)
    #expect(
      events.lines.filter { $0.hasSuffix("ContentState") } == [
        "enqueued ContentState", "entering ContentState", "entered ContentState",
        "exiting ContentState", "exited ContentState",
      ])
    #expect(window.rootViewController === checkout)
  }

  @Test func `Without a next state, the current state is the last one that exited`() {
    let window = begin()
    #expect(checkout.viewModel.state == nil)
    controller.transition(to: AlertState("Sold out"))
    UIKitDouble.run()
    checkout.alert?.press("OK")
    UIKitDouble.run()
    #expect(controller.phase == .exited)
    #expect(controller.currentState is AlertState<CheckoutViewController>)
    #expect(checkout.viewModel.state?.name == "alert")
    #expect(window.rootViewController === checkout)
  }

  @Test func `The second of three quick requests enters before it is told to exit`() {
    let window = begin()
    controller.transition(to: LoadingState(name: "first"))
    UIKitDouble.advance(by: 1)
    controller.transition(to: LoadingState(name: "second"))
    controller.transition(to: LoadingState(name: "third"))
    controller.transition(to: AlertState("Sold out"))
    UIKitDouble.run()
    #expect(checkout.viewModel.shown == ["first", "second", "third", "alert"])
    #expect(checkout.alert?.message == "Sold out")
    #expect(checkout.indicator == nil)
    let second = events.lines.filter { $0.hasSuffix("second") }
    #expect(
      second == [
        "enqueued second", "entering second", "entered second", "exiting second", "exited second",
      ])
    #expect(window.rootViewController === checkout)
  }

  @Test func `A second exit of a state does not end the next one`() {
    // Reports the end of hiding twice: at once, and again after a second.
    final class Hasty: LoadingStateStrategy {
      func show() {}
      func hide(completion: @escaping () -> Void) {
        completion()
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { completion() }
      }
    }
    final class Stage: LoadingStateStrategyProvider {
      private(set) var strategies: [Hasty] = []
      func loadingStateStrategy() -> any LoadingStateStrategy {
        strategies.append(Hasty())
        return strategies[strategies.count - 1]
      }
    }
    UIKitDouble.reset()
    let (stage, controller) = (Stage(), StateController<Stage>())
    controller.events.add(events)
    controller.bind(to: stage)
    for name in ["first", "second"] as [StateName] {
      controller.transition(to: LoadingState(name: name))
    }
    UIKitDouble.run()
    #expect(events.lines.last == "stray first")
    #expect(controller.currentState?.name == "second")
    #expect(controller.phase == .entered)
  }

  @Test func `With two requests in one turn, the first state enters before it exits`() {
    let window = begin()
    controller.transition(to: LoadingState())
    controller.transition(to: AlertState("Sold out"))
    #expect(checkout.indicator != nil)
    #expect(events.lines.prefix(3) == ["enqueued loading", "entering loading", "entered loading"])
    UIKitDouble.run()
    #expect(checkout.indicator == nil)
    #expect(checkout.alert != nil)
    #expect(window.rootViewController === checkout)
  }

  // Needs its own process, because it must leave the main actor for the next step to run.
  @Test func `What a state reports on another thread is handled on the main queue`() async {
    await #expect(processExitsWith: .success) {
      let scene = await MainActor.run {
        let view = WorkView(nibName: nil, bundle: nil)
        let window = show(view)
        let controller = StateController<WorkView>()
        view.controller = controller
        controller.bind(to: view)
        controller.transition(to: WorkState())
        controller.transition(to: LoadingState())
        return (view, window)
      }
      let view = scene.0
      while await view.exits == 0 { await Task.yield() }
      while await view.phase != .entered { await Task.yield() }
      await MainActor.run { precondition(view.view.subviews.last is IndicatorView) }
      withExtendedLifetime(scene) {}
    }
  }
}

private final class WorkView: UIViewController, LoadingStateStrategyProvider {
  var controller: StateController<WorkView>?
  var exits = 0

  var phase: Phase? { controller?.phase }
}

/// Reports its enter and its exit on other threads.
@MainActor private final class WorkState: ScreenState {
  func enter(on target: WorkView, visit: Visit) {
    MainActor.preconditionIsolated()
    let visit = visit.sendable
    onThread { visit.entered() }
  }

  func exit(from target: WorkView, visit: Visit) {
    MainActor.preconditionIsolated()
    target.exits += 1
    let visit = visit.sendable
    onThread { visit.exited() }
  }

  /// Runs a body on a new thread.
  private func onThread(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread(body)
  }
}
