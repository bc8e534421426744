import Chance
import Staty
import Testing

@Suite struct ContainerRandomTests {
  @Test func `In every order of events, children get all appearance calls, once and in order`() {
    for seed in 0..<10_000 as Range<UInt64> {
      let run = ContainerRun(seed: seed)
      run.run(steps: 40)
      if let fault = run.host.fault {
        Issue.record("seed \(seed): \(fault)\n\(run.host.history.joined(separator: "\n"))")
        return
      }
    }
  }
}

/// One random sequence of appearances, requests and endings of animations.
private final class ContainerRun {
  let host: StrictHost
  let controller = ContainerController<[Int], Int>(name: { _ in "state" })
  private var random: SeededRandom
  private var asked = 0
  private let log = MoveLog()

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    host = StrictHost(random: SeededRandom(seed: ~seed))
    controller.bind(to: host)
    controller.events.add(log)
    host.ask = { [unowned self] in self.request() }
  }

  func run(steps: Int) {
    for _ in 0..<steps where host.fault == nil {
      step()
      checkRest()
    }
    settle()
  }

  private func step() {
    switch random.below(10) {
    case 0..<4: moveContainer()
    case 4..<7: request()
    default: endAnimation()
    }
  }

  /// Takes a step that UIKit may take: forwards, or back during an appearance or a disappearance.
  private func moveContainer() {
    let animated = random.below(2) == 0
    switch host.container {
    case .hidden: tell(.willAppear, animated)
    case .appearing: tell(random.below(3) == 0 ? .willDisappear : .didAppear, animated)
    case .shown: tell(.willDisappear, animated)
    case .disappearing: tell(random.below(3) == 0 ? .willAppear : .didDisappear, animated)
    }
  }

  private func tell(_ call: StrictHost.Call, _ animated: Bool) {
    host.history.append("container \(call)")
    host.during(call) {
      switch call {
      case .willAppear: controller.willAppear(animated: animated)
      case .didAppear: controller.didAppear(animated: animated)
      case .willDisappear: controller.willDisappear(animated: animated)
      case .didDisappear: controller.didDisappear(animated: animated)
      }
    }
  }

  private func request() {
    let state = host.randomState()
    host.history.append("request \(state)")
    asked += 1
    controller.setNeedsTransition(to: state, animated: random.below(3) > 0)
  }

  /// Ends one of the animations so far, finished or cancelled.
  ///
  /// It can be one that has ended before.
  private func endAnimation() {
    guard !host.completions.isEmpty else { return }
    let place = max(0, host.completions.count - 1 - random.below(3))
    host.history.append("animation \(place) ends")
    host.completions[place](random.below(2) == 0)
  }

  /// Between transitions, the children are those of the state, in the same appearance state as the
  /// container.
  private func checkRest() {
    guard !controller.isTransitioning, let state = controller.currentState else { return }
    host.expect(host.present == state, "\(host.present) present at rest in \(state)")
    for child in state {
      host.expect(
        host.appearances[child] == host.container,
        "at rest \(child) is \(host.appearances[child, default: .hidden]), not \(host.container)")
    }
  }

  /// Ends all animations.
  ///
  /// Then the last requested state is shown, and each request has an answer.
  private func settle() {
    host.ask = {}
    while host.container != .shown, host.fault == nil {
      tell(host.container == .appearing ? .didAppear : .willAppear, false)
    }
    while controller.isTransitioning, host.fault == nil { host.completions.last?(true) }
    checkRest()
    let ends = log.events.count { $0.kind == .entered || $0.kind == .discarded }
    let enqueued = log.events.count { $0.kind == .enqueued }
    host.expect(ends == enqueued, "\(enqueued) requests have \(ends) answers")
    host.expect(enqueued == asked + host.loads, "a request was not told to observers")
    let discarded = Set(log.events.filter { $0.kind == .discarded }.map(\.visit))
    let newest = log.events.last { $0.kind == .enqueued && !discarded.contains($0.visit) }
    let shown = log.events.last { $0.kind == .entered }
    host.expect(shown?.visit == newest?.visit, "what was asked for last is not shown")
    host.expect(log.events.allSatisfy { $0.kind != .stray }, "a completion was stray")
    tell(.willDisappear, false)
    tell(.didDisappear, false)
    checkRest()
  }
}

/// A host that checks the order of its children's appearance calls.
private final class StrictHost: ContainerHost {
  enum Appearance { case hidden, appearing, shown, disappearing }
  enum Call { case willAppear, didAppear, willDisappear, didDisappear }

  /// The container's appearance state after the present call.
  private(set) var container = Appearance.hidden
  private(set) var appearances: [Int: Appearance] = [:]
  private(set) var present: [Int] = []
  private(set) var loads = 0
  private(set) var fault: String?
  var history: [String] = []
  var completions: [(Bool) -> Void] = []
  var ask: () -> Void = {}
  private var call: Call?
  /// The container's appearance state before the present call.
  private var before = Appearance.hidden
  private var random: SeededRandom

  init(random: SeededRandom) {
    self.random = random
  }

  func during(_ call: Call, _ body: () -> Void) {
    self.call = call
    before = container
    container =
      switch call {
      case .willAppear: .appearing
      case .didAppear: .shown
      case .willDisappear: .disappearing
      case .didDisappear: .hidden
      }
    body()
    self.call = nil
  }

  func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition, fault == nil { fault = message() }
  }

  /// Up to four of six children, in any order.
  func randomState() -> [Int] {
    Array((0..<6).shuffled(using: &random).prefix(random.below(5)))
  }

  private func askAtTimes() {
    if random.below(12) == 0 { ask() }
  }

  func loadAppearanceState() -> [Int] {
    loads += 1
    askAtTimes()
    return randomState()
  }

  func children(for state: [Int]) -> [Int] {
    askAtTimes()
    return state
  }

  func add(_ child: Int, at index: Int) {
    history.append("add \(child) at \(index)")
    expect(!present.contains(child), "\(child) is added twice")
    expect((0...present.count).contains(index), "\(child) is added at \(index)")
    present.insert(child, at: min(index, present.count))
    appearances[child] = .hidden
  }

  func move(_ child: Int, to index: Int) {
    history.append("move \(child) to \(index)")
    expect(present.contains(child), "\(child) is moved but not there")
    present.removeAll { $0 == child }
    present.insert(child, at: index)
  }

  func remove(_ child: Int) {
    history.append("remove \(child)")
    expect(present.contains(child), "\(child) is removed but not there")
    expect(appearances[child] == .hidden, "\(child) is removed while it can be seen")
    present.removeAll { $0 == child }
    appearances[child] = nil
  }

  // A child goes through hidden, appearing, shown, disappearing and hidden again. As in UIKit's
  // containers, it may change direction in between only if the container does. Then `willDisappear`
  // follows `willAppear`, or the other way round, for example when an interactive pop is cancelled.

  func childWillAppear(_ child: Int, animated: Bool) {
    let turns = call == .willAppear && before == .disappearing
    change(child, to: .appearing, from: turns ? [.hidden, .disappearing] : [.hidden])
    expect(container == .appearing || container == .shown, "\(child) appears off screen")
  }

  func childDidAppear(_ child: Int, animated: Bool) {
    change(child, to: .shown, from: [.appearing])
    let isSeen = container == .shown || (call == .willDisappear && before == .shown)
    expect(isSeen, "\(child) has appeared before its container")
  }

  func childWillDisappear(_ child: Int, animated: Bool) {
    let turns = call == .willDisappear && before == .appearing
    change(child, to: .disappearing, from: turns ? [.shown, .appearing] : [.shown])
  }

  func childDidDisappear(_ child: Int, animated: Bool) {
    change(child, to: .hidden, from: [.disappearing])
  }

  private func change(_ child: Int, to new: Appearance, from allowed: [Appearance]) {
    history.append("\(child) is \(new)")
    let old = appearances[child]
    expect(
      old.map(allowed.contains) ?? false,
      "\(child) is told that it is \(new), but was \(old.map { "\($0)" } ?? "absent")")
    appearances[child] = new
    askAtTimes()
  }

  func didTransition(from previous: [Int]?, animated: Bool) {
    askAtTimes()
  }

  func animate(
    appearing: [Int], disappearing: [Int], completion: @escaping (Bool) -> Void
  ) -> (any ContainerAnimation)? {
    completions.append(completion)
    if random.below(8) == 0 { completion(true) }
    return random.below(2) == 0 ? AnimationDouble(completion) : nil
  }
}
