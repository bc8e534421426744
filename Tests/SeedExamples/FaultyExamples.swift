import Staty
import StatyRecorder
import StatySpecimens
import StatyUIKit
import UIKit

/// The same examples on models of the published controllers, with their faults.
///
/// Their events have the double's time, so that what never comes has been waited for.
@MainActor enum FaultyExamples {
  /// The first article's view controller, whose alert and indicator are UIKit's.
  static func staty(_ recorder: HistoryRecorder) {
    final class ViewController: UIViewController, LoadingStateStrategyProvider,
      AlertStateStrategyProvider
    {}
    let controller = make(Staty2019.self, recorder, as: "checkout")
    let view = ViewController()
    let window = Stage.show(view)
    let first = loading(on: view)
    // Shown for a second, then three in quick succession of which the middle must be asked to leave.
    controller.ask(for: first, asked: nil, by: nil)
    UIKitDouble.advance(by: 1)
    let more = [loading(on: view), loading(on: view), alert(on: view)]
    for state in more { controller.ask(for: state, asked: nil, by: nil) }
    finish(controller, window, more + [first])
  }

  /// Two sheets, the second asked for while the first is being presented: UIKit drops it.
  static func presenter(_ recorder: HistoryRecorder) {
    let controller = make(Presenter.self, recorder, as: "app")
    let root = UIViewController()
    let window = Stage.show(root)
    let sheets = ["settings", "help"].map { name in
      let state = PlayedState(StateName(name))
      state.onEnter = { state in
        root.present(UIViewController(), animated: true) { state.say(.entered) }
      }
      state.onExit = { $0.say(.exited) }
      return state
    }
    for sheet in sheets { controller.ask(for: sheet, asked: nil, by: nil) }
    finish(controller, window, sheets)
  }

  /// A delayed transition that fires after the state that asked has left.
  static func table(_ recorder: HistoryRecorder) {
    let controller = make(Keyed2015.self, recorder, as: "table")
    let window = Stage.show(UITableViewController(style: .plain))
    let states = ["loading", "empty", "populated"].map { PlayedState(StateName($0)) }
    states[0].onEnter = { loading in
      DispatchQueue.main.asyncAfter(deadline: .now() + 2) {
        controller.ask(for: states[2], asked: nil, by: loading)
      }
    }
    controller.ask(for: states[0], asked: nil, by: nil)
    UIKitDouble.advance(by: 1)
    controller.ask(for: states[1], asked: nil, by: nil)
    finish(controller, window, states)
  }

  /// A transition whose animation is stopped without finishing, and a request that waits for it.
  static func container(_ recorder: HistoryRecorder) {
    let controller = make(Container2020.self, recorder, as: "comments")
    let root = UIViewController()
    let window = Stage.show(root)
    var animators: [UIViewPropertyAnimator] = []
    let states = ["loading", "list", "error", "loading"].map { name in
      let state = PlayedState(StateName(name))
      state.onEnter = { state in
        let animator = UIViewPropertyAnimator(duration: 0.35, curve: .easeInOut) {}
        animator.addCompletion { if $0 == .end { state.say(.entered) } }
        animator.startAnimation()
        animators.append(animator)
      }
      state.onExit = { $0.say(.exited) }
      return state
    }
    controller.ask(for: states[0], asked: nil, by: nil)
    UIKitDouble.run()
    controller.ask(for: states[1], asked: nil, by: nil)
    UIKitDouble.advance(by: 0.1)
    animators.last?.stopAnimation(true)
    controller.ask(for: states[2], asked: nil, by: nil)
    controller.ask(for: states[3], asked: nil, by: nil)
    finish(controller, window, states)
  }
}

extension FaultyExamples {
  private static func make<S: Specimen>(
    _ specimen: S.Type, _ recorder: HistoryRecorder, as name: String
  ) -> S {
    let beginning = EventSource.clock
    let probe = ControllerProbe(StateName(S.name), fidelity: .full) {
      beginning + UInt64(MainActor.assumeIsolated { UIKitDouble.now } * 1e9)
    }
    let controller = S(probe: probe, timer: DoubleTimer())
    recorder.attach(to: controller, as: name)
    return controller
  }

  private static func loading<V: UIViewController & LoadingStateStrategyProvider>(
    on view: V
  ) -> PlayedState {
    let (state, strategy) = (PlayedState("loading"), view.loadingStateStrategy())
    state.onEnter = { state in
      strategy.show()
      state.say(.entered)
    }
    state.onExit = { state in strategy.hide { state.say(.exited) } }
    return state
  }

  private static func alert<V: UIViewController & AlertStateStrategyProvider>(
    on view: V
  ) -> PlayedState {
    let (state, strategy) = (PlayedState("alert"), view.alertStateStrategy())
    state.onEnter = { state in
      strategy.show("Sold out", onShow: {}, onClose: { state.say(.exited) })
      state.say(.entered)
    }
    return state
  }

  /// Waits for whatever may still come, and asks once more: until then was waited.
  private static func finish(
    _ controller: any Specimen, _ window: UIWindow, _ states: [PlayedState]
  ) {
    UIKitDouble.advance(by: 10)
    let late = PlayedState("late")
    late.onEnter = { $0.say(.entered) }
    controller.ask(for: late, asked: nil, by: nil)
    Stage.kept += [controller, window, late] + states
  }
}

/// Puts steps off on the double's main queue.
@MainActor private final class DoubleTimer: TransitionTimer {
  @MainActor private final class Step: ScheduledStep {
    var action: (() -> Void)?
    init(_ action: @escaping () -> Void) { self.action = action }
    func cancel() { action = nil }
  }

  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any ScheduledStep {
    let step = Step(action)
    DispatchQueue.main.asyncAfter(deadline: .now() + delay / .seconds(1)) { step.action.take()?() }
    return step
  }
}
