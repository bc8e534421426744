import Chance
import Staty
import StatySpecimens

/// Two specimens and policies, with observers of each that make requests at all of them.
///
/// A further controller is not recorded, so it hides the causes of what happens inside of it.
final class ObservedScene {
  final class Screen {}

  private(set) var specimens: [any Specimen] = []
  let controllers: [StateController<Screen>]
  private let hidden = StateController<Screen>(policy: .queue)
  private let screen = Screen()
  private let clock = ManualClock()
  private var random: SeededRandom
  private var observers: [Asking] = []
  private var states: [[PlayedState]] = [[], []]
  private var requestsLeft: Int
  private var depth = 0
  /// An observer acts at one of this many events.
  private let rarity: Int
  /// How many completions observers can still report for states.
  ///
  /// They do that at half of the events at which they act.
  private var wordsLeft: Int
  /// How many controllers can still be torn down or lose their target.
  private var endingsLeft: Int
  private var gone: Set<Int> = []
  private var visits: [Visit] = []

  /// - Parameters:
  ///   - queues: the number of policies.
  ///   - words: how often observers report a completion for a state.
  ///   - endings: how many policies at most are torn down or lose their target.
  init(
    seed: UInt64, _ kinds: [any Specimen.Type], askingOnceIn rarity: Int, most: Int,
    queues: Int = 1, words: Int = 0, endings: Int = 0
  ) {
    requestsLeft = most
    self.rarity = rarity
    wordsLeft = words
    endingsLeft = endings
    controllers = (0..<queues).map { _ in StateController<Screen>(policy: .queue) }
    random = SeededRandom(seed: seed)
    func make<S: Specimen>(_ kind: S.Type) -> any Specimen {
      S(probe: ControllerProbe(StateName(S.name)), timer: clock)
    }
    specimens = kinds.map { make($0) }
    for (place, controller) in controllers.enumerated() {
      controller.bind { [weak self] in self.flatMap { $0.gone.contains(place) ? nil : $0.screen } }
    }
    hidden.bind(to: screen)
  }

  func play() {
    for source in specimens.map(\.events) + controllers.map(\.events) + [hidden.events] {
      let observer = Asking { [weak self] in self?.askPerhaps() }
      source.add(observer)
      observers.append(observer)
    }
    for _ in 0..<(5 + random.below(10)) {
      if random.below(3) == 0 {
        clock.advance(by: .milliseconds(random.below(300)))
      } else {
        request()
      }
    }
  }

  private func askPerhaps() {
    guard random.below(rarity) == 0 else { return }
    if endingsLeft > 0, random.below(4) == 0 { return end() }
    if wordsLeft > 0, random.below(2) == 0 { say() } else { request() }
  }

  /// Tears a policy down, now or by the loss of its target.
  private func end() {
    endingsLeft -= 1
    let place = random.below(controllers.count)
    if random.below(2) == 0 { controllers[place].tearDown() } else { gone.insert(place) }
  }

  /// Reports that a state has entered or exited, whether or not it has.
  private func say() {
    wordsLeft -= 1
    let completion: Completion = random.below(3) == 0 ? .entered : .exited
    if random.below(2) == 0, let visit = visits.suffix(3).randomElement(using: &random) {
      if completion == .entered { visit.entered() } else { visit.exited() }
    } else if !states.isEmpty {
      states[random.below(states.count)].suffix(3).randomElement(using: &random)?.complete(
        completion)
    }
  }

  private func request() {
    guard requestsLeft > 0, depth < 5 else { return }
    requestsLeft -= 1
    depth += 1
    defer { depth -= 1 }
    switch random.below(specimens.isEmpty ? 2 : 6) {
    case 0: askController()
    case 1 where !specimens.isEmpty: hidden.transition(to: Own(self))
    case 1: askController()
    default: askSpecimen(random.below(2))
    }
  }

  private func askController() {
    let which = controllers.count == 1 ? 0 : random.below(controllers.count)
    controllers[which].transition(to: Own(self))
  }

  private func askSpecimen(_ side: Int) {
    let state = PlayedState(["empty", "loading", "populated"][random.below(3)])
    state.onEnter = { [weak self] state in self?.act { state.complete(.entered) } }
    state.onExit = { [weak self] state in self?.act { state.complete(.exited) } }
    // The origin of a request may be any state, even the one of the observed event.
    let origin = random.below(2) == 0 ? states[side].suffix(2).randomElement(using: &random) : nil
    states[side].append(state)
    specimens[side].request(state, asked: nil, by: origin)
  }

  /// Acts inside a state's `enter` or `exit`.
  fileprivate func act(_ complete: @escaping () -> Void) {
    if random.below(4) == 0 { request() }
    if random.below(3) == 0 {
      _ = clock.schedule(after: .milliseconds(random.below(200)), complete)
    } else {
      complete()
    }
  }

  private final class Asking: TransitionObserver {
    private let request: () -> Void

    init(_ request: @escaping () -> Void) { self.request = request }

    func observe(_ event: borrowing TransitionEvent) { request() }
  }

  private final class Own: ScreenState {
    let name: StateName = "own"
    private weak var scene: ObservedScene?

    init(_ scene: ObservedScene) { self.scene = scene }

    func enter(on target: Screen, visit: Visit) {
      scene?.visits.append(visit)
      scene?.act { visit.entered() }
    }

    func exit(from target: Screen, visit: Visit) { scene?.act { visit.exited() } }
  }
}
