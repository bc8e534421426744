import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatySpecimens
import Testing

/// Observers may act when an order is about to be given, which is recorded outside of the order.
@Suite struct PerformingTests {
  /// Acts before the first order of a kind.
  private final class Early: TransitionObserver {
    private let kind: TransitionEvent.Kind
    private var act: (() -> Void)?
    let observesPerforming = true

    init(_ kind: TransitionEvent.Kind, _ act: @escaping () -> Void) {
      (self.kind, self.act) = (kind, act)
    }

    func willPerform(_ event: borrowing TransitionEvent) {
      if event.kind == kind { act.take()?() }
    }
  }

  private final class Screen {}

  private final class Toast: ScreenState {
    let name: StateName = "toast"
    func enter(on target: Screen, visit: Visit) {}
    func exit(from target: Screen, visit: Visit) {}
  }

  /// Screens that come in and leave at once, and a toast that is asked for before one is told to.
  private func record(before kind: TransitionEvent.Kind) throws -> SpecimenHistory {
    let history = try SpecimenHistory()
    let recorder = try HistoryRecorder(at: history.path)
    let screen = Screen()
    let toasts = StateController<Screen>(policy: .queue)
    toasts.bind(to: screen)
    let root = Presenter(probe: ControllerProbe("presenter"), timer: ManualClock())
    let observer = Early(kind) { toasts.transition(to: Toast()) }
    // Before the recorder: what is told first is told outside of what is told after it.
    root.probe.events.add(observer)
    recorder.attach(to: toasts, as: "toasts")
    recorder.attach(to: root.probe, as: "root")
    for name in ["home", "detail"] {
      let state = PlayedState(StateName(name))
      state.onEnter = { $0.say(.entered) }
      state.onExit = { $0.say(.exited) }
      root.show(state)
    }
    withExtendedLifetime((observer, screen)) { recorder.close() }
    return history
  }

  @Test(arguments: [TransitionEvent.Kind.entering, .exiting])
  func `what they do stands in nobody's way`(_ kind: TransitionEvent.Kind) throws {
    let history = try record(before: kind)
    let whole = try EditedHistory(history)
    let toast = try #require(
      whole.rows.first { $0.controller == 1 && $0.kind == EventKind.enqueued.rawValue })
    let order = try #require(whole.rows.last { $0.controller == 2 && $0.seq < toast.seq })
    #expect(order.kind == kind.rawValue && toast.cause == order.cause, "outside of the order")
    let result = try history.replay()
    #expect(result.verdict == .reproduced, "\(result)")
    for place in whole.outputs {
      var edited = whole
      edited.remove(at: place)
      let result = try edited.write().replay()
      #expect(result.verdict == .diverged, "without \(whole.rows[place]): \(result)")
    }
  }
}
