import Chance
import Foundation
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay

/// One or two random classes, observers that ask for more, states that answer now or later, delegates,
/// steps, a controller of ours and another thread, all as a seed has it.
final class RandomClassScene {
  final class Screen {}

  let programs: [String: ClassProgram]
  private let features: ClassProgram.Features
  private var random: SeededRandom
  private var classes: [RandomClass] = []
  private var states: [[RandomClass.State]] = []
  private var observers: [Asking] = []
  private var answers: [(Completion, RandomClass.State)] = []
  private var steps: [() -> Void] = []
  private var budget: Int
  private let screen = Screen()
  private var policy: StateController<Screen>?
  private var isElsewhere = false
  private lazy var worker = Worker()
  private lazy var threads = (0..<3).map { _ in Worker() }

  private final class Asking: TransitionObserver {
    private let ask: () -> Void
    init(_ ask: @escaping () -> Void) { self.ask = ask }
    func observe(_ event: borrowing TransitionEvent) { ask() }
  }

  private final class Own: ScreenState {
    let name: StateName = "own"
    private weak var scene: RandomClassScene?
    init(_ scene: RandomClassScene) { self.scene = scene }
    func enter(on target: Screen, visit: Visit) {
      scene?.actPerhaps(20)
      visit.entered()
      scene?.actPerhaps(20)
    }
    func exit(from target: Screen, visit: Visit) { visit.exited() }
  }

  init(seed: UInt64, _ features: ClassProgram.Features, _ recorder: HistoryRecorder) {
    self.features = features
    var random = SeededRandom(seed: seed)
    let isAlone = random.below(3) > 0 && features.isDisjoint(with: [.peer, .barePeer])
    var programs: [String: ClassProgram] = [:]
    for name in isAlone ? ["first"] : ["first", "second"] {
      programs[name] = ClassProgram(features, &random)
    }
    self.programs = programs
    budget = 6 + random.below(20)
    self.random = random
    for name in programs.keys.sorted() { add(name, recorder) }
    if features.contains(.policy) {
      let policy = StateController<Screen>(policy: .queue)
      policy.bind(to: screen)
      recorder.attach(to: policy, as: "policy")
      policy.events.add(observer())
      self.policy = policy
    }
    for _ in 0..<(4 + random.below(10)) { next() }
    while !answers.isEmpty || !steps.isEmpty, random.chance(80) { next() }
    if features.contains(.hops) { threads.forEach { $0.end() } }
  }

  private func add(_ name: String, _ recorder: HistoryRecorder) {
    let made = RandomClass(programs[name]!, ControllerProbe(StateName(name)))
    let side = classes.count
    made.callOut = { [unowned self] _ in
      while random.chance(45), budget > 0 { act() }
    }
    made.askOther = { [unowned self] in ask(1 - side) }
    made.schedule = { [unowned self] in steps.append($0) }
    classes.append(made)
    states.append([])
    recorder.attach(to: made.probe, as: name)
    for _ in 0..<random.below(4) { made.probe.events.add(observer()) }
  }

  private func observer() -> Asking {
    let percent = [5, 15, 30][random.below(3)]
    let observer = Asking { [weak self] in self?.askOften(percent) }
    observers.append(observer)
    return observer
  }

  private func askOften(_ percent: Int) {
    while random.chance(percent), budget > 0 { act() }
  }

  /// Does the next thing, on any thread if they take turns.
  private func next() {
    let place = features.contains(.hops) ? random.below(4) : 3
    if place == 3 { top() } else { threads[place].run { [unowned self] in top() } }
  }

  private func top() {
    if !steps.isEmpty, random.chance(30) {
      steps.remove(at: features.contains(.anyOrder) ? random.below(steps.count) : 0)()
    } else if features.contains(.threads), random.chance(30) {
      elsewhere()
    } else {
      act()
    }
  }

  private func elsewhere() {
    if isElsewhere { return }
    isElsewhere = true
    worker.run { [unowned self] in act() }
    isElsewhere = false
  }

  private func actPerhaps(_ percent: Int) { if random.chance(percent) { act() } }

  private func act() {
    guard budget > 0 else { return }
    budget -= 1
    let side = random.below(classes.count)
    // Two threads are never in one class at once.
    if features.contains(.threads), isElsewhere, classes[side].calls > 0 { return }
    switch random.below(100) {
    case 0..<8 where policy != nil: policy?.transition(to: Own(self))
    case 0..<45: ask(side)
    case 45..<90 where !answers.isEmpty:
      let (completion, state) = answers.remove(at: random.below(answers.count))
      if isElsewhere, state.owner.calls > 0 { return }
      state.owner.complete(completion, state)
    case 45..<85: ask(side)
    case 85..<93:
      if let state = states[side].randomElement(using: &random) {
        classes[side].complete(.exited, state)
      }
    default: classes[side].cancel(.visit(VisitNumber(UInt32(random.below(4)))))
    }
  }

  private func ask(_ side: Int) {
    if !states[side].isEmpty, random.chance(25) {
      return classes[side].show(states[side].randomElement(using: &random)!)
    }
    let state = RandomClass.State(["a", "b", "c"][random.below(3)], of: classes[side])
    state.told = { [unowned self] in told($0, $1) }
    states[side].append(state)
    classes[side].show(state)
  }

  private func told(_ state: RandomClass.State, _ completion: Completion) {
    actPerhaps(15)
    if features.contains(.threads), random.chance(8) { elsewhere() }
    if random.chance(35) {
      state.owner.complete(completion, state)
    } else {
      answers.append((completion, state))
    }
    actPerhaps(15)
  }
}

/// Runs one thing after the other on a thread of its own, while the caller waits.
private final class Worker {
  private let wanted = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)
  // One thread waits while the other uses it.
  private nonisolated(unsafe) var body: (() -> Void)?

  init() {
    nonisolated(unsafe) let worker = self
    Thread.detachNewThread {
      while true {
        worker.wanted.wait()
        guard let body = worker.body else { return }
        body()
        worker.done.signal()
      }
    }
  }

  func run(_ body: @escaping () -> Void) {
    self.body = body
    wanted.signal()
    done.wait()
  }

  func end() {
    body = nil
    wanted.signal()
  }
}
