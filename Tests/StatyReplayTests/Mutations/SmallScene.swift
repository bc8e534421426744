import Staty
import StatyRecorder

/// A short scene with every kind of nesting: states that enter or exit at once, states that make
/// requests when they enter, at another controller too, and an observer that makes requests.
final class SmallScene {
  final class Screen {}

  private final class Acting: ScreenState {
    let name: StateName
    let onEnter: (Visit) -> Void
    let onExit: (Visit) -> Void

    init(
      _ name: StateName, onEnter: @escaping (Visit) -> Void = { $0.entered() },
      onExit: @escaping (Visit) -> Void = { $0.exited() }
    ) {
      self.name = name
      self.onEnter = onEnter
      self.onExit = onExit
    }

    func enter(on target: Screen, visit: Visit) { onEnter(visit) }
    func exit(from target: Screen, visit: Visit) { onExit(visit) }
  }

  /// Makes a request when it is told that a state enters.
  private final class Asking: TransitionObserver {
    let seen: StateName
    let ask: () -> Void

    init(_ seen: StateName, _ ask: @escaping () -> Void) {
      self.seen = seen
      self.ask = ask
    }

    func observe(_ event: borrowing TransitionEvent) {
      if event.kind == .entered, event.state == seen { ask() }
    }
  }

  private let screen = Screen()

  /// Plays the scene to a controller with this policy and another with a queue.
  @discardableResult
  init(_ policy: some TransitionPolicy, _ recorder: HistoryRecorder) {
    let first = StateController<Screen>(policy: policy)
    let second = StateController<Screen>(policy: .queue)
    recorder.attach(to: first, as: "first")
    recorder.attach(to: second, as: "second")
    first.bind(to: screen)
    second.bind(to: screen)
    let observer = Asking("alert") { second.transition(to: Acting("note")) }
    first.events.add(observer)
    var slow: [Visit] = []
    let loading = Acting("loading", onExit: { slow.append($0) })
    first.transition(to: loading)
    let content = Acting(
      "content",
      onEnter: { visit in
        second.transition(to: Acting("sheet"))
        slow.append(visit)
      })
    first.transition(to: content)
    first.transition(to: loading, priority: 1)
    first.transition(to: loading)
    slow.first?.exited()
    slow.last?.entered()
    slow.first?.exited()
    first.transition(to: Acting("alert"))
    let last = first.transition(to: Acting("empty"))
    first.cancel(last)
    slow.last?.exited()
    second.transition(
      to: Acting(
        "empty",
        onEnter: {
          first.cancelAll(); $0.entered()
        }))
    withExtendedLifetime(observer) { recorder.close() }
  }
}
