public import Staty
public import StatyReplay

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Shows one state after the other, and chooses by something that no recording can hold.
public final class MoodyController {
  /// By what it chooses among those that wait.
  public enum Mood: String, CaseIterable, Sendable {
    /// A random number.
    case lottery
    /// The order of a set, which is another one in each process.
    case unordered
    /// The wall clock.
    case clockwise
  }

  public let probe: ControllerProbe
  /// What is shown now.
  public private(set) var shown: MoodyState?
  private let mood: Mood
  private var waiting: [MoodyState] = []

  public init(_ mood: Mood, probe: ControllerProbe? = nil) {
    self.mood = mood
    self.probe = probe ?? ControllerProbe(StateName(mood.rawValue))
  }

  /// Somebody asks for a state.
  public func show(_ state: MoodyState) {
    probe.requested(state, named: state.name) {
      waiting.append(state)
      if shown == nil { showNext() }
    }
  }

  /// What is shown reports that it has entered.
  public func didEnter(_ state: MoodyState) { probe.completed(.entered, state) }

  /// What is shown has left by itself, and another comes.
  public func didExit(_ state: MoodyState) {
    probe.completed(.exited, state) {
      shown = nil
      showNext()
    }
  }

  private func showNext() {
    guard !waiting.isEmpty else { return }
    let next = waiting.remove(at: place())
    shown = next
    probe.telling(.enter, next) { next.onEnter() }
  }

  private func place() -> Int {
    switch mood {
    case .lottery: return Int.random(in: waiting.indices)
    case .unordered:
      let first = Set(waiting.map { "\($0.name)" }).first
      return waiting.firstIndex { "\($0.name)" == first } ?? 0
    case .clockwise:
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      return (now.tv_nsec / 1_000) % waiting.count
    }
  }
}

/// What a moody controller shows.
public final class MoodyState {
  public let name: StateName
  var onEnter: () -> Void = {}

  public init(_ name: StateName) { self.name = name }
}

extension ControllerRegistry {
  /// Adds the moody controllers by their moods.
  public mutating func registerHiddenInputs() {
    for mood in MoodyController.Mood.allCases {
      register(mood.rawValue) { context in
        let controller = MoodyController(mood, probe: context.probe)
        return context.subject(makeState: { script in
          let state = MoodyState(script.name)
          state.onEnter = { script.enter() }
          script.onCompletion = { [unowned state] completion in
            completion == .entered ? controller.didEnter(state) : controller.didExit(state)
          }
          return state
        }) { state, _ in controller.show(state) }
      }
    }
  }
}
