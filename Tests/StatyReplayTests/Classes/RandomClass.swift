import Chance
import Staty
import StatyReplay

/// What a random class does about each thing that it is told: little programs.
struct ClassProgram {
  /// What it is told.
  enum Handler: CaseIterable { case asked, entered, exited, cancelled, step, lateStep }

  enum Condition { case always, odd, even, third, idle, waiting }

  enum Action {
    case push, front, count, arrived, gone, dropOne(first: Bool), dropAll, go
    /// Calls its delegate, in a bracket or without.
    case call, callBare
    /// Asks itself for something, or cancels.
    case ask, cancel(UInt32)
    /// Puts a step off, and the probe knows; it does not; or the step is kept and run by the class.
    case putOff(Handler), putOffBare(Handler), keep(Handler), runKept
    /// Asks the other class, in a bracket or without.
    case askOther(isBracketed: Bool)
  }

  /// What random classes may do beyond showing one state after the other.
  struct Features: OptionSet, CustomStringConvertible {
    let rawValue: Int
    static let own = Features(rawValue: 1)
    static let call = Features(rawValue: 2)
    static let bare = Features(rawValue: 4)
    static let putOff = Features(rawValue: 8)
    static let putOffBare = Features(rawValue: 16)
    static let keep = Features(rawValue: 32)
    static let peer = Features(rawValue: 64)
    static let barePeer = Features(rawValue: 128)
    /// Steps run in any order.
    static let anyOrder = Features(rawValue: 256)
    /// The class tells its state nothing, and says for it that it has entered.
    static let speaking = Features(rawValue: 512)
    /// A second controller, which is one of ours.
    static let policy = Features(rawValue: 1_024)
    /// Some of it happens on another thread.
    static let threads = Features(rawValue: 2_048)
    /// Several threads take turns, as those of an executor may.
    static let hops = Features(rawValue: 4_096)

    private static let names = [
      "own", "call", "bare", "putOff", "putOffBare", "keep", "peer", "barePeer", "anyOrder",
      "speaking", "policy", "threads", "hops",
    ]
    var description: String {
      Self.names.indices.filter { rawValue & 1 << $0 != 0 }.map { Self.names[$0] }
        .joined(separator: " ")
    }
  }

  enum Mode { case telling, silent, speaking }

  var handlers: [Handler: [(Condition, Action)]] = [:]
  var mode = Mode.telling

  init(_ features: Features, _ random: inout SeededRandom) {
    var extras: [Action] = []
    if features.contains(.call) { extras += [.call, .call] }
    if features.contains(.bare) { extras += [.callBare] }
    if features.contains(.own) { extras += [.ask, .ask, .cancel(UInt32(random.below(4)))] }
    if features.contains(.putOff) { extras += [.putOff(.step), .putOff(.lateStep)] }
    if features.contains(.keep) { extras += [.keep(.step), .runKept] }
    if features.contains(.putOffBare) { extras += [.putOffBare(.step)] }
    if features.contains(.peer) { extras += [.askOther(isBracketed: true)] }
    if features.contains(.barePeer) { extras += [.askOther(isBracketed: false)] }
    func condition(_ random: inout SeededRandom) -> Condition {
      let all: [Condition] = [.always, .always, .always, .odd, .even, .third, .idle, .waiting]
      return all[random.below(all.count)]
    }
    func sprinkled(_ actions: [(Condition, Action)], _ percent: Int) -> [(Condition, Action)] {
      var result: [(Condition, Action)] = []
      for action in actions {
        while !extras.isEmpty, random.chance(percent) {
          result.append((condition(&random), extras[random.below(extras.count)]))
        }
        result.append(action)
      }
      while !extras.isEmpty, random.chance(percent) {
        result.append((condition(&random), extras[random.below(extras.count)]))
      }
      return result
    }
    var asked: [(Condition, Action)] = [(.always, random.below(3) == 0 ? .front : .push)]
    if random.below(3) == 0 {
      asked.append((condition(&random), .dropOne(first: random.below(2) == 0)))
    }
    handlers[.asked] = sprinkled(asked + [(.always, .go)], 28)
    handlers[.entered] = sprinkled([(.always, .arrived), (.always, .go)], 28)
    handlers[.exited] = sprinkled([(.always, .gone), (.always, .go)], 28)
    handlers[.cancelled] = sprinkled([(condition(&random), .dropAll)], 14)
    handlers[.step] = sprinkled([(condition(&random), .count), (.always, .go)], 14)
    handlers[.lateStep] = sprinkled([(.always, .arrived), (condition(&random), .count)], 14)
    let modes: [Mode] =
      [.telling, .telling, .telling, .telling]
      + (features.contains(.speaking) ? [.silent, .speaking] : [])
    mode = modes[random.below(modes.count)]
  }
}

/// A class that does what its program says.
final class RandomClass {
  final class State {
    let name: StateName
    unowned let owner: RandomClass
    var told: (State, Completion) -> Void = { _, _ in }

    init(_ name: StateName, of owner: RandomClass) { (self.name, self.owner) = (name, owner) }
  }

  let probe: ControllerProbe
  private let program: ClassProgram
  var callOut: (RandomClass) -> Void = { _ in }
  var askOther: () -> Void = {}
  var schedule: (@escaping () -> Void) -> Void = { _ in }
  private var waiting: [State] = []
  private var shown: State?
  private var isMoving = false
  private var count = 0
  private var extrasLeft = 7
  /// How many of its calls and steps have not returned.
  private(set) var calls = 0
  private var kept: [() -> Void] = []

  init(_ program: ClassProgram, _ probe: ControllerProbe) {
    (self.program, self.probe) = (program, probe)
  }

  func show(_ state: State) {
    calls += 1
    probe.requested(state, named: state.name) { run(.asked, state) }
    calls -= 1
  }

  func complete(_ completion: Completion, _ state: State) {
    calls += 1
    probe.completed(completion, state) { run(completion == .entered ? .entered : .exited, state) }
    calls -= 1
  }

  func cancel(_ what: Cancellation) {
    calls += 1
    probe.cancelled(what) { run(.cancelled, nil) }
    calls -= 1
  }

  private func putOff(_ step: @escaping () -> Void) {
    schedule { [unowned self] in
      calls += 1
      step()
      calls -= 1
    }
  }

  private func run(_ handler: ClassProgram.Handler, _ state: State?) {
    count += 1
    for (condition, action) in program.handlers[handler] ?? [] where holds(condition) {
      perform(action, state)
    }
  }

  private func holds(_ condition: ClassProgram.Condition) -> Bool {
    switch condition {
    case .always: true
    case .odd: count % 2 == 1
    case .even: count % 2 == 0
    case .third: count % 3 == 0
    case .idle: !isMoving && shown == nil
    case .waiting: !waiting.isEmpty
    }
  }

  private func perform(_ action: ClassProgram.Action, _ state: State?) {
    switch action {
    case .push: if let state { waiting.append(state) }
    case .front: if let state { waiting.insert(state, at: 0) }
    case .count: count += 1
    case .arrived: if state == nil || state === shown { isMoving = false }
    case .gone: if state === shown { (shown, isMoving) = (nil, false) }
    case .dropOne(let first):
      if waiting.count > 1 {
        probe.discarded(first ? waiting.removeFirst() : waiting.removeLast(), .replaced)
      }
    case .dropAll: while !waiting.isEmpty { probe.discarded(waiting.removeFirst(), .cancelled) }
    case .go: go()
    default: extra(action, state)
    }
  }

  private func extra(_ action: ClassProgram.Action, _ state: State?) {
    if case .runKept = action {
      if !kept.isEmpty { kept.removeFirst()() }
      return
    }
    guard extrasLeft > 0 else { return }
    extrasLeft -= 1
    switch action {
    case .call: probe.calling("delegate") { callOut(self) }
    case .callBare: callOut(self)
    case .ask: if let state = state ?? shown { show(state) }
    case .cancel(let visit): cancel(.visit(VisitNumber(visit)))
    case .putOff(let step): putOff(probe.deferred { [unowned self] in run(step, state) })
    case .putOffBare(let step): putOff { [unowned self] in run(step, state) }
    case .keep(let step): kept.append(probe.deferred { [unowned self] in run(step, state) })
    case .askOther(let isBracketed):
      if isBracketed { probe.calling("other", askOther) } else { askOther() }
    default: break
    }
  }

  private func go() {
    if isMoving || waiting.isEmpty { return }
    isMoving = true
    if let shown { return probe.telling(.exit, shown) { shown.told(shown, .exited) } }
    let next = waiting.removeFirst()
    shown = next
    probe.telling(.enter, next) {
      switch program.mode {
      case .telling: next.told(next, .entered)
      case .silent: break
      case .speaking: complete(.entered, next)
      }
    }
    if program.mode == .silent { complete(.entered, next) }
  }
}

extension ControllerRegistry {
  /// The policies that this package brings, and random classes by their names.
  static func with(_ programs: [String: ClassProgram]) -> ControllerRegistry {
    var registry = ControllerRegistry()
    for (name, program) in programs {
      registry.register(name) { context in
        let made = RandomClass(program, context.probe)
        made.schedule = { context.scheduler.async($0) }
        return context.subject(
          makeState: { script in
            let state = RandomClass.State(script.name, of: made)
            state.told = { _, what in what == .entered ? script.enter() : script.exit() }
            script.onCompletion = { [unowned state] in made.complete($0, state) }
            return state
          }, cancel: { made.cancel($0) }
        ) { state, _ in made.show(state) }
      }
    }
    return registry
  }
}
