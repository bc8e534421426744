import Staty
import LibC

/// A target that logs its calls.
final class Screen {
  var lines: [String] = []
}

/// A state that answers as the test says: at once, by hand, or in its own way.
final class ScriptedState: ScreenState {
  enum Manner {
    /// Answers before the call returns.
    case atOnce
    /// The test answers through `visit`.
    case byHand
  }

  let name: StateName
  let coalescingKey: AnyHashable?
  /// The visit of the last call.
  private(set) var visit: Visit?
  private let coming: (Visit) -> Void
  private let leaving: (Visit) -> Void

  init(
    _ name: StateName, key: AnyHashable? = nil, coming: @escaping (Visit) -> Void,
    leaving: @escaping (Visit) -> Void
  ) {
    self.name = name
    coalescingKey = key
    self.coming = coming
    self.leaving = leaving
  }

  convenience init(
    _ name: StateName, enters: Manner = .atOnce, exits: Manner = .atOnce, key: AnyHashable? = nil
  ) {
    self.init(
      name, key: key,
      coming: { if enters == .atOnce { $0.entered() } },
      leaving: { if exits == .atOnce { $0.exited() } })
  }

  func enter(on screen: Screen, visit: Visit) {
    self.visit = visit
    screen.lines.append("+\(name)")
    coming(visit)
  }

  func exit(from screen: Screen, visit: Visit) {
    self.visit = visit
    screen.lines.append("-\(name)")
    leaving(visit)
  }

  /// Reports that the state has entered.
  func saysEntered() { visit?.entered() }
  /// Reports that the state has exited.
  func saysExited() { visit?.exited() }
}

/// A controller on a screen, with a log of its events.
struct Scene {
  let screen = Screen()
  let controller: StateController<Screen>
  let log = EventLog()

  init(
    policy: some TransitionPolicy = .queue, deadlines: Deadlines = .none,
    clock: ManualClock? = nil, isolation: isolated (any Actor)? = #isolation
  ) {
    controller = StateController(policy: policy, deadlines: deadlines, timer: clock)
    controller.events.add(log)
    controller.bind(to: screen)
    log.forget()
  }
}

/// Whether a caller's mistake stops the process. In a release build, the call is refused instead.
#if DEBUG
  let isDebugBuild = true
#else
  let isDebugBuild = false
#endif
