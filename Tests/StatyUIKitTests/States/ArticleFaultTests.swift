import Staty
import StatyUIKit
import Testing
import UIKit

/// A state of an app's own: it gives the view a title while it is in.
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

/// What the first article's controller did wrong, on views.
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

  @Test func `A state of an app's own comes in on its view and leaves it, and both are told`() {
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

  @Test func `With nothing next, the state that left stays readable as the last one`() {
    let window = begin()
    #expect(checkout.viewModel.state == nil)
    controller.transition(to: AlertState("Sold out"))
    UIKitDouble.run()
    checkout.alert?.press("OK")
    UIKitDouble.run()
    #expect(controller.phase == .left)
    #expect(controller.currentState is AlertState<CheckoutViewController>)
    #expect(checkout.viewModel.state?.name == "alert")
    #expect(window.rootViewController === checkout)
  }

  @Test func `Of three in quick succession the middle one comes in before it is asked to leave`() {
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

  @Test func `A second exit of one that has left does not take the next one off`() {
    // Says that it has hidden when it has, and after a second in any case.
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

  @Test func `Asked for in one turn, a state comes in before it leaves, and its strategy is found`()
  {
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

  // In a process of its own, because it must let go of the main actor to see what happens next.
  @Test func `What a state says on another thread is carried out on the main queue`() async {
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

/// Comes in and leaves on threads of its own.
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

  /// Does something on no actor.
  private func onThread(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread(body)
  }
}
