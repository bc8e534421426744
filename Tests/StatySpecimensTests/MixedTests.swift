import Chance
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatySpecimens
import Testing

/// Specimens and policies that drive each other are replayed together, with causes in each other.
@Suite struct MixedTests {
  private static let policies: [any TransitionPolicy] = [
    .queue, .latest, .immediate, .reject, .priority, .coalesce,
  ]

  private func scene(seed: UInt64, place: Int) -> MixedScene {
    func make(_ policy: some TransitionPolicy) -> MixedScene {
      MixedScene(seed: seed, Specimens.all[place % 4], policy)
    }
    let policy = Self.policies[place % 6]
    return make(policy)
  }

  @Test func `histories of a specimen and a policy that drive each other are reproduced`() throws {
    let seed = testSeed
    for first in stride(from: 0, to: 240, by: 24) {
      let history = try SpecimenHistory()
      let recorder = try HistoryRecorder(at: history.path)
      let scenes: [MixedScene] = (0..<24).map { run in
        let place = first + run
        let scene = scene(seed: seed &+ UInt64(place), place: place)
        recorder.attach(to: scene.specimen.probe, as: "\(place) specimen")
        recorder.attach(to: scene.controller, as: "\(place) policy")
        scene.play()
        return scene
      }
      withExtendedLifetime(scenes) { recorder.close() }
      for only in [nil, Set((0..<24).map { Int32(2 * $0 + 1) })] {
        let result = try history.replay(only: only)
        guard result.verdict == .reproduced, result.unreached.isEmpty, result.matched > 50 else {
          Issue.record("seed \(seed), from \(first): \(result)\n\(try history.words())")
          return
        }
      }
    }
  }
}

/// A specimen and one of Staty's controllers.
///
/// The states of each may make requests at both.
private final class MixedScene {
  final class Screen {}

  let specimen: any Specimen
  let controller: StateController<Screen>
  private let screen = Screen()
  private let clock = ManualClock()
  private var random: SeededRandom
  private var states: [PlayedState] = []
  private var visits: [Visit] = []
  private var depth = 0
  private var requestsLeft = 30

  init(seed: UInt64, _ kind: any Specimen.Type, _ policy: some TransitionPolicy) {
    func make<S: Specimen>(_ kind: S.Type, _ timer: ManualClock) -> any Specimen {
      S(probe: ControllerProbe(StateName(S.name)), timer: timer)
    }
    random = SeededRandom(seed: seed)
    specimen = make(kind, clock)
    controller = StateController(policy: policy)
    controller.bind(to: screen)
  }

  func play() {
    for _ in 0..<(10 + random.below(30)) {
      switch random.below(8) {
      case 0..<2: askSpecimen()
      case 2..<4: askController()
      case 4:
        states.randomElement(using: &random)?.complete(random.below(2) == 0 ? .entered : .exited)
      case 5: visits.randomElement(using: &random)?.exited()
      default: clock.advance(by: .milliseconds(random.below(300)))
      }
    }
  }

  private func askSpecimen() {
    guard requestsLeft > 0, depth < 6 else { return }
    requestsLeft -= 1
    let names: [StateName] = ["empty", "loading", "populated", "lost"]
    let state = PlayedState(names[random.below(4)])
    state.onEnter = { [unowned self] state in act { state.complete(.entered) } }
    state.onExit = { [unowned self] state in act { state.complete(.exited) } }
    states.append(state)
    specimen.request(state, asked: random.below(6) == 0 ? "previous" : nil, by: nil)
  }

  private func askController() {
    guard requestsLeft > 0, depth < 6 else { return }
    requestsLeft -= 1
    controller.transition(to: Own(self))
  }

  fileprivate func note(_ visit: Visit) { visits.append(visit) }

  /// Acts inside a state's `enter` or `exit`.
  fileprivate func act(_ complete: @escaping () -> Void) {
    depth += 1
    defer { depth -= 1 }
    switch random.below(6) {
    case 0: askSpecimen()
    case 1: askController()
    default: break
    }
    switch random.below(4) {
    case 0: _ = clock.schedule(after: .milliseconds(random.below(200)), complete)
    case 1: break
    default: complete()
    }
  }

  private final class Own: ScreenState {
    let name: StateName = "own"
    unowned let scene: MixedScene

    init(_ scene: MixedScene) { self.scene = scene }

    func enter(on target: Screen, visit: Visit) {
      scene.note(visit)
      scene.act { visit.entered() }
    }

    func exit(from target: Screen, visit: Visit) { scene.act { visit.exited() } }
  }
}
