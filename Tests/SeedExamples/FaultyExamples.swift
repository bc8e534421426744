import Staty
import StatyRecorder
import StatySpecimens
import UIKit

/// The examples on models of the published controllers, each with one of their faults.
///
/// They have the names of the specimens' scenarios that they play on UIKit. Their events have the
/// double's time, so that the rules find events that never happen.
@MainActor enum FaultyExamples {
  static let all: [String: @MainActor (HistoryRecorder) -> Void] = [
    "second-last": secondLast, "stuck-behind-second-last": stuckBehindSecondLast,
    "closed-alert": closedAlert, "second-exit": secondExit,
    "same-turn": sameTurn, "no-strategy": noStrategy,
    "dropped-presentation": droppedPresentation, "back-twice": backTwice,
    "late-transition": lateTransition, "unknown-key": unknownKey,
    "transition-in-enter": transitionInEnter, "left-before-in": leftBeforeIn,
    "interrupted-animation": interruptedAnimation, "never-ended": neverEnded,
    "appeared-twice": appearedTwice, "replaced-in-slot": replacedInSlot,
  ]
}

/// One of the published controllers with a window and its states.
@MainActor final class FaultyScene {
  let controller: any Specimen
  private let window: UIWindow
  private var states: [PlayedState] = []

  init<S: Specimen>(
    _ specimen: S.Type, _ recorder: HistoryRecorder, as name: String, in root: UIViewController
  ) {
    let beginning = EventSource.clock
    let probe = ControllerProbe(
      StateName(S.name), discipline: S.discipline, fidelity: .full
    ) {
      beginning + UInt64(MainActor.assumeIsolated { UIKitDouble.now } * 1e9)
    }
    let controller = S(probe: probe, timer: DoubleTimer())
    self.controller = controller
    window = Stage.show(root)
    recorder.attach(to: controller, as: name)
  }

  /// Makes a state that enters and exits at once by default.
  func state(
    _ name: StateName, onEnter: @escaping (PlayedState) -> Void = { $0.complete(.entered) },
    onExit: @escaping (PlayedState) -> Void = { $0.complete(.exited) }
  ) -> PlayedState {
    let state = PlayedState(name)
    state.onEnter = onEnter
    state.onExit = onExit
    states.append(state)
    return state
  }

  func request(
    _ state: PlayedState, asked: StateName? = nil, by origin: PlayedState? = nil
  ) {
    controller.request(state, asked: asked, by: origin)
  }

  /// Waits for late events and makes one more request, which records how long it waited.
  func finish() {
    UIKitDouble.advance(by: 10)
    request(state("late"))
    Stage.kept.append(self)
  }
}

/// Schedules steps on the double's main queue.
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
