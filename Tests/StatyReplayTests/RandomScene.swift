import Chance
import Staty
import StatyRecorder

/// Two controllers with states that enter and exit, make requests, fail and report twice, all by a
/// seed.
final class RandomScene {
  final class Screen {}

  /// A state that does at each call what the scene decides.
  final class Moody: ScreenState {
    let name: StateName
    unowned let scene: RandomScene
    let side: Int
    var visits: [Visit] = []

    init(_ name: StateName, _ scene: RandomScene, _ side: Int) {
      self.name = name
      self.scene = scene
      self.side = side
    }

    func enter(on screen: Screen, visit: Visit) {
      visits.append(visit)
      scene.act(self, visit, side) { visit.entered() }
    }

    func exit(from screen: Screen, visit: Visit) {
      scene.act(self, visit, side) { visit.exited() }
    }
  }

  private var random: SeededRandom
  private let clock = ManualClock()
  private var controllers: [StateController<Screen>] = []
  private var screens: [Screen?] = []
  private var states: [Moody] = []
  private var open: [(visit: Visit, side: Int)] = []
  private var depth = 0
  private var requestsLeft = 60

  convenience init(
    seed: UInt64, policies: [any TransitionPolicy], recorder: HistoryRecorder, name: String,
    around: (_ step: Int, () -> Void) -> Void = { $1() }
  ) {
    self.init(
      seed: seed, policies: policies, name: name, attach: { recorder.attach(to: $0, as: $1) },
      around: around)
  }

  init(
    seed: UInt64, policies: [any TransitionPolicy], name: String,
    attach: (StateController<Screen>, String) -> Void,
    around: (_ step: Int, () -> Void) -> Void = { $1() }
  ) {
    random = SeededRandom(seed: seed)
    for (side, policy) in policies.enumerated() {
      let controller = Self.controller(policy, &random, clock)
      // Sometimes late, so that the recording begins with a snapshot.
      if random.below(3) > 0 { attach(controller, "\(name) \(side)") }
      controllers.append(controller)
      screens.append(Screen())
      if random.below(4) > 0 { controller.bind(to: screens[side]!) }
    }
    for step in 0..<(10 + random.below(60)) {
      if step == 8 {
        for (side, controller) in controllers.enumerated() {
          attach(controller, "\(name) \(side)")
          if let screen = screens[side] { controller.bind(to: screen) }
        }
      }
      around(step) { stepOnce() }
    }
  }

  private static func controller(
    _ policy: some TransitionPolicy, _ random: inout SeededRandom, _ clock: ManualClock
  ) -> StateController<Screen> {
    let recoveries: [DeadlineRecovery] = [.report, .force, .skip]
    let deadlines =
      random.below(3) == 0
      ? Deadlines(
        entering: .seconds(2), exiting: .seconds(2), recovery: recoveries[random.below(3)])
      : .none
    return StateController(policy: policy, deadlines: deadlines, timer: clock)
  }

  private func stepOnce() {
    let side = random.below(controllers.count)
    let controller = controllers[side]
    switch random.below(20) {
    case 0..<8: request(side)
    case 8..<15: finishOne()
    case 15: clock.advance(by: .seconds(1))
    case 16: controller.cancel(VisitNumber(UInt32(1 + random.below(30))))
    case 17: if random.below(4) == 0 { controller.cancelAll() }
    case 18: if random.below(12) == 0 { controller.tearDown() }
    default: if random.below(20) == 0 { screens[side] = nil }
    }
  }

  private func request(_ side: Int) {
    guard requestsLeft > 0 else { return }
    requestsLeft -= 1
    let names: [StateName] = ["loading", "content", "alert", "empty"]
    let own = states.filter { $0.side == side }
    let state =
      if let used = own.last, random.below(4) == 0 { used } else {
        Moody(names[random.below(4)], self, side)
      }
    states.append(state)
    controllers[side].transition(to: state, priority: Int32(random.below(3)))
  }

  /// Lets a state report that it has entered or exited, perhaps at the wrong time.
  private func finishOne() {
    guard !open.isEmpty else { return }
    let (visit, _) = open[random.below(open.count)]
    if random.below(2) == 0 { visit.entered() } else { visit.exited() }
  }

  /// What happens inside a state's `enter` or `exit`.
  fileprivate func act(_ state: Moody, _ visit: Visit, _ side: Int, _ complete: () -> Void) {
    open.append((visit, side))
    depth += 1
    defer { depth -= 1 }
    if depth < 6 {
      switch random.below(10) {
      case 0: request(side)
      case 1: request(random.below(controllers.count))
      case 2: finishOne()
      default: break
      }
    }
    if random.below(3) > 0 { complete() }
    if random.below(12) == 0 { complete() }
  }
}
