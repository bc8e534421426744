import Chance
import Staty

@testable import StatyRules

/// A random run of one of Staty's controllers, with cancels and deadlines.
///
/// Its states answer at once or later, exit by themselves, answer twice or make more requests.
final class RandomRun {
  enum Policy: String, CaseIterable, Sendable {
    case queue, latest, reject, priority, coalesce, immediate
    case routedQueue, routedLatest, routedPriority, routedImmediate
  }

  final class Screen {}

  private static let names: [StateName] = ["a", "b", "c", "d"]
  private let clock = ManualClock()
  private let screen = Screen()
  let controller: StateController<Screen>
  private var witness: Witness?
  private var random: SeededRandom
  private var reused: [RandomState] = []
  private var budget = 24
  private let withEnds: Bool

  /// - Parameter withEnds: whether deadlines may give visits up and the controller may be torn
  ///   down.
  init(_ policy: Policy, seed: UInt64, withEnds: Bool = true) {
    var random = SeededRandom(seed: seed)
    self.withEnds = withEnds
    var deadlines = Deadlines.none
    if withEnds, random.chance(50) {
      let recoveries: [DeadlineRecovery] = [.report, .force, .skip]
      deadlines = Deadlines(
        entering: .milliseconds(100 + random.below(400)),
        exiting: .milliseconds(100 + random.below(400)), recovery: recoveries[random.below(3)])
    }
    let routes = Routes<String>(states: ["a", "b", "c", "d"]) {
      Start {
        To("a")
        To("b")
      }
      From("a") { To("b") }
      From("b") { To("c") }
      From("c") { To("a") }
      FromAny { To("d") }
    }
    controller =
      switch policy {
      case .queue: Self.make(.queue, deadlines, clock)
      case .latest: Self.make(.latest, deadlines, clock)
      case .reject: Self.make(.reject, deadlines, clock)
      case .priority: Self.make(.priority, deadlines, clock)
      case .coalesce: Self.make(.coalesce, deadlines, clock)
      case .immediate: Self.make(.immediate, deadlines, clock)
      case .routedQueue: Self.make(.queue, routes, deadlines, clock)
      case .routedLatest: Self.make(.latest, routes, deadlines, clock)
      case .routedPriority: Self.make(.priority, routes, deadlines, clock)
      case .routedImmediate: Self.make(.immediate, routes, deadlines, clock)
      }
    self.random = random
  }

  private static func make(
    _ policy: some TransitionPolicy, _ deadlines: Deadlines, _ clock: ManualClock
  ) -> StateController<Screen> {
    StateController(policy: policy, deadlines: deadlines, timer: clock)
  }

  private static func make(
    _ policy: some TransitionPolicy, _ routes: Routes<String>, _ deadlines: Deadlines,
    _ clock: ManualClock
  ) -> StateController<Screen> {
    StateController(policy: policy, routes: routes, deadlines: deadlines, timer: clock)
  }

  /// Runs and returns what was recorded.
  ///
  /// Recording begins at one of the first steps.
  func record() -> RecordedHistory {
    let attaching = random.below(6)
    let binding = random.below(5)
    for step in 0..<40 {
      if step == attaching { witness = Witness(controller.events, clock: clock) }
      if step == binding { controller.bind(to: screen) }
      act()
      if random.chance(60) { clock.advance(by: .milliseconds(random.below(300))) }
    }
    clock.advance(by: .seconds(20))
    guard var history = witness?.history else { preconditionFailure("Nobody was watching.") }
    history.rest = 20_000_000
    return history
  }

  private func act() {
    switch random.below(40) {
    case 0..<30: request()
    case 30..<34: controller.cancel(VisitNumber(UInt32(1 + random.below(20))))
    case 34: controller.cancelAll()
    case 35: if withEnds, random.chance(15) { controller.tearDown() }
    default: break
    }
  }

  func request() {
    guard budget > 0 else { return }
    budget -= 1
    let state: RandomState
    if !reused.isEmpty, random.chance(20) {
      state = reused[random.below(reused.count)]
    } else {
      state = RandomState(Self.names[random.below(4)], in: self)
      reused.append(state)
    }
    controller.transition(to: state, priority: Int32(random.below(3)) - 1)
  }

  /// Does something for a state, now or later.
  fileprivate func soon(_ body: @escaping () -> Void) {
    if random.chance(40) { return body() }
    let step = clock.schedule(after: .milliseconds(1 + random.below(700)), body)
    steps.append(step)
  }

  private var steps: [any ScheduledStep] = []

  fileprivate func isLucky(_ percent: Int) -> Bool { random.chance(percent) }
}

/// A state that its run controls.
final class RandomState: ScreenState {
  let name: StateName
  private unowned let run: RandomRun

  init(_ name: StateName, in run: RandomRun) {
    self.name = name
    self.run = run
  }

  func enter(on screen: RandomRun.Screen, visit: Visit) {
    if run.isLucky(10) { run.request() }
    run.soon { [run] in
      if run.isLucky(5) { return visit.exited() }
      visit.entered()
      if run.isLucky(10) { visit.entered() }
      if run.isLucky(15) { run.soon { visit.exited() } }
    }
  }

  func exit(from screen: RandomRun.Screen, visit: Visit) {
    if run.isLucky(10) { run.request() }
    run.soon { [run] in
      visit.exited()
      if run.isLucky(15) { run.soon { visit.exited() } }
      if run.isLucky(10) { run.request() }
    }
  }
}
