import Chance
import Staty
import Synchronization
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Controllers and a probe that call each other at random, compared with a plain stack of calls.
@Suite struct RandomPlaceTests {
  @Test(arguments: 0..<UInt64(tries(usual: 300, nightly: 10_000)))
  func `the innermost of all current calls is recorded`(_ round: UInt64) {
    let play = Play(seed: testSeed &+ round, Numbering())
    play.run()
    #expect(play.problems.isEmpty, "seed \(testSeed), round \(round)")
    #expect(play.events > 0)
  }

  @Test func `each thread has places of its own`() {
    let numbers = Numbering()
    let problems = Mutex<[String]>([])
    let events = Atomic<Int>(0)
    let threads = (0..<4).map { part in
      thread {
        for round in 0..<100 {
          let play = Play(seed: testSeed &+ UInt64(part * 1_000 + round), numbers)
          play.run()
          problems.withLock { $0 += play.problems }
          events.add(play.events, ordering: .relaxed)
        }
      }
    }
    for thread in threads { pthread_join(thread, nil) }
    #expect(problems.withLock { $0 }.isEmpty, "seed \(testSeed)")
    #expect(numbers.last == UInt64(events.load(ordering: .relaxed)))
  }

  private func thread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    pthread_create(
      &thread, nil,
      { box in
        #if canImport(Darwin)
          Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
        #else
          Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().body()
        #endif
        return nil
      }, box)
    #if canImport(Darwin)
      return thread!
    #else
      return thread
    #endif
  }
}

/// A random play on one thread, with its own stack of places.
private final class Play {
  private(set) var problems: [String] = []
  private(set) var events = 0
  private var random: SeededRandom
  private var left = 16
  private var stack: [EventPlace] = []
  private var actors: [Actor] = []
  private var prober: Prober!

  init(seed: UInt64, _ numbers: Numbering) {
    random = SeededRandom(seed: seed)
    let policies: [any TransitionPolicy] = [.queue, .latest, .immediate, .reject]
    for _ in 0..<1 + random.below(2) {
      actors.append(Actor(policies[random.below(policies.count)], self, numbers))
    }
    prober = Prober(self, numbers)
  }

  func run() {
    while left > 0 { act() }
  }

  func act() {
    guard left > 0 else { return }
    left -= 1
    if random.chance(30) { prober.act() } else { actors[random.below(actors.count)].act() }
  }

  var top: EventPlace { stack.last ?? .root }

  func within(_ place: EventPlace, _ body: () -> Void) {
    stack.append(place)
    body()
    stack.removeLast()
  }

  func die(_ sides: Int) -> Bool { random.below(sides) == 0 }
  func below(_ bound: Int) -> Int { random.below(bound) }

  func check(_ event: TransitionEvent, in place: EventPlace?) {
    events += 1
    guard event.inside != place else { return }
    problems.append("\(event) in \(event.inside), not in \(String(describing: place))")
  }

  func check(_ isSo: Bool, _ event: TransitionEvent) {
    if !isSo { problems.append("\(event)") }
  }

  /// An observer that acts at random.
  final class Observer: TransitionObserver {
    unowned let play: Play
    init(_ play: Play) { self.play = play }

    func observe(_ event: borrowing TransitionEvent) {
      play.within(EventPlace(event.number, .observed)) { if play.die(6) { play.act() } }
    }
  }

  /// A controller of the play, with its states.
  final class Actor: TransitionObserver {
    private unowned let play: Play
    private let screen = Screen()
    private let controller: StateController<Screen>
    private var states: [ScriptedState] = []
    /// The places of inputs that were made and not yet reported.
    private var made: [EventPlace] = []
    private var depth = 0
    /// The input that the controller works on.
    private var work: UInt64 = 0
    private var inputs: Set<UInt64> = []
    private var order: UInt64 = 0

    init(_ policy: any TransitionPolicy, _ play: Play, _ numbers: Numbering) {
      self.play = play
      func make(_ policy: some TransitionPolicy) -> StateController<Screen> {
        StateController(policy: policy)
      }
      controller = make(policy)
      controller.bind(to: screen)
      _ = controller.events.share(numbers)
      controller.events.add(self)
      for _ in 0..<play.below(3) { controller.events.add(Observer(play)) }
    }

    /// Runs a body that makes exactly one input.
    private func input(_ body: () -> Void) {
      made.append(play.top)
      depth += 1
      body()
      depth -= 1
      if depth == 0 { work = 0 }
    }

    func act() {
      switch play.below(6) {
      case 0..<3:
        let state = ScriptedState(
          StateName("s\(play.below(3))"),
          coming: { [unowned self] visit in told { visit.entered() } },
          leaving: { [unowned self] visit in told { visit.exited() } })
        states.append(state)
        input { controller.transition(to: state) }
      case 3:
        input { controller.cancelAll() }
      default:
        guard !states.isEmpty else { return }
        let state = states[play.below(states.count)]
        guard state.visit != nil else { return }
        let isIn = play.die(2)
        input { if isIn { state.saysEntered() } else { state.saysExited() } }
      }
    }

    private func told(_ say: () -> Void) {
      play.within(EventPlace(order, .performed)) {
        if play.die(4) { play.act() }
        if !play.die(3) { input(say) }
        if play.die(6) { play.act() }
      }
    }

    func observe(_ event: borrowing TransitionEvent) {
      let event = copy event
      if event.kind.side == .input {
        inputs.insert(event.number)
        if work == 0 { work = event.number }
        play.check(event, in: made.isEmpty ? nil : made.removeFirst())
        play.check(event.ownCause == 0, event)
      } else {
        play.check(event, in: EventPlace(work, .handled))
        play.check(event.ownCause == 0 || inputs.contains(event.ownCause), event)
        play.check(event.ownCause != work, event)
        if event.kind != .discarded { order = event.number }
      }
      play.within(EventPlace(event.number, .observed)) { if play.die(6) { play.act() } }
    }
  }

  /// An app's own class, which reports to a probe.
  final class Prober: ProbeFollower {
    private unowned let play: Play
    private let probe = ControllerProbe("probed")
    private var screens: [Screen] = []
    private var steps: [() -> Void] = []
    private var putOff: [EventPlace] = []
    /// The numbers of events that were made and not finished, the newest last.
    private var making: [UInt64] = []

    init(_ play: Play, _ numbers: Numbering) {
      self.play = play
      _ = probe.events.share(numbers)
      for _ in 0..<1 + play.below(2) { probe.events.add(Observer(play)) }
      probe.follower = self
    }

    var requestedName: StateName? { nil }

    func made(_ event: TransitionEvent, about object: AnyObject?) -> Bool {
      play.check(event, in: play.top)
      if case .step(let step) = event.detail {
        let cause = putOff[Int(step) - 1].event
        play.check(event.cause == (cause != 0 ? cause : event.inside.event), event)
      } else {
        play.check(event.ownCause == 0, event)
      }
      making.append(event.number)
      return true
    }

    func finished(_ event: TransitionEvent) {
      play.check(making.popLast() == event.number, event)
    }

    private func within(_ part: EventPlace.Part) {
      play.within(EventPlace(making.last!, part)) {
        while play.die(3) { play.act() }
        if play.die(4) {
          putOff.append(play.top)
          steps.append(probe.deferred { [unowned self] in within(.handled) })
        }
      }
    }

    func act() {
      let screen = play.die(2) ? screens.randomElement(using: &play.random) ?? Screen() : Screen()
      screens.append(screen)
      switch play.below(7) {
      case 0, 1: probe.requested(screen) { within(.handled) }
      case 2: probe.telling(play.die(2) ? .enter : .exit, screen) { within(.performed) }
      case 3: probe.completed(play.die(2) ? .entered : .exited, screen) { within(.handled) }
      case 4: probe.calling("delegate") { within(.called) }
      case 5: probe.discarded(screen, .replaced)
      default: if !steps.isEmpty { steps[play.below(steps.count)]() }
      }
    }
  }
}
