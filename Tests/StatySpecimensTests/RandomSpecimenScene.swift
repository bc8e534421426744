import Chance
import Staty
import StatyReplay
import StatySpecimens

/// Two controllers with random states from a seed.
///
/// The states enter and exit, make requests at both controllers, exit by themselves and report
/// completions twice.
final class RandomSpecimenScene {
  private(set) var probes: [ControllerProbe] = []
  private var specimens: [any Specimen] = []
  private var random: SeededRandom
  private let clock = ManualClock()
  private var states: [[PlayedState]] = [[], []]
  private var depth = 0
  private var requestsLeft: Int

  init(seed: UInt64, _ kinds: [any Specimen.Type], most: Int = 40) {
    requestsLeft = most
    random = SeededRandom(seed: seed)
    specimens = kinds.map { make($0) }
    probes = specimens.map(\.probe)
  }

  private func make<S: Specimen>(_ kind: S.Type) -> any Specimen {
    S(probe: ControllerProbe(StateName(S.name), discipline: S.discipline), timer: clock)
  }

  /// Makes random steps.
  func play() {
    for _ in 0..<(5 + random.below(40)) {
      switch random.below(10) {
      case 0..<5: request(random.below(specimens.count), by: nil)
      case 5..<7: sayAnything()
      default: clock.advance(by: .milliseconds(random.below(400)))
      }
    }
  }

  private func request(_ side: Int, by origin: PlayedState?) {
    guard requestsLeft > 0, depth < 6 else { return }
    requestsLeft -= 1
    let state =
      if let known = states[side].randomElement(using: &random), random.below(3) == 0 {
        known
      } else { makeState(side) }
    let contextual: [StateName] = ["previous", Container2020.unanimated, Container2020.appearing]
    let asked: StateName? = random.below(5) == 0 ? contextual[random.below(3)] : nil
    specimens[side].request(state, asked: asked, by: origin)
  }

  private func makeState(_ side: Int) -> PlayedState {
    let names: [StateName] = ["empty", "loading", "populated", "lost"]
    let state = PlayedState(names[random.below(names.count)])
    state.onEnter = { [unowned self] in act($0, .entered) }
    state.onExit = { [unowned self] in act($0, .exited) }
    states[side].append(state)
    return state
  }

  /// Makes a state report that it has entered or exited, maybe at a wrong time.
  private func sayAnything() {
    guard let state = states[random.below(2)].randomElement(using: &random) else { return }
    state.complete(random.below(3) == 0 ? .entered : .exited)
  }

  /// Acts inside a state's `enter` or `exit`.
  private func act(_ state: PlayedState, _ completion: Completion) {
    depth += 1
    defer { depth -= 1 }
    if depth < 5 {
      switch random.below(10) {
      case 0, 1: request(random.below(specimens.count), by: random.below(2) == 0 ? state : nil)
      case 2: sayAnything()
      default: break
      }
    }
    switch random.below(6) {
    case 0: break
    case 1, 2: state.complete(completion)
    case 3:
      state.complete(completion)
      state.complete(completion)
    default:
      _ = clock.schedule(after: .milliseconds(random.below(300))) { state.complete(completion) }
    }
  }
}
