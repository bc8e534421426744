import Staty

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A target that writes down what it is told.
final class Screen {
  var lines: [String] = []
}

/// A state that answers as the test says: at once, by hand, or in any way of the test's own.
final class ScriptedState: ScreenState {
  enum Manner {
    /// It is done before the call returns.
    case atOnce
    /// The test says when, through `visit`.
    case byHand
  }

  let name: StateName
  let coalescingKey: AnyHashable?
  /// The visit it was told of last.
  private(set) var visit: Visit?
  private let coming: (Visit) -> Void
  private let leaving: (Visit) -> Void

  init(
    _ name: StateName, key: AnyHashable? = nil, coming: @escaping (Visit) -> Void,
    leaving: @escaping (Visit) -> Void
  ) {
    self.name = name
    coalescingKey = key
    self.coming = coming
    self.leaving = leaving
  }

  convenience init(
    _ name: StateName, enters: Manner = .atOnce, exits: Manner = .atOnce, key: AnyHashable? = nil
  ) {
    self.init(
      name, key: key,
      coming: { if enters == .atOnce { $0.entered() } },
      leaving: { if exits == .atOnce { $0.exited() } })
  }

  func enter(on screen: Screen, visit: Visit) {
    self.visit = visit
    screen.lines.append("+\(name)")
    coming(visit)
  }

  func exit(from screen: Screen, visit: Visit) {
    self.visit = visit
    screen.lines.append("-\(name)")
    leaving(visit)
  }

  /// The state says that it is in.
  func saysEntered() { visit?.entered() }
  /// The state says that it is out.
  func saysExited() { visit?.exited() }
}

/// A controller on a screen, with a log of its events.
struct Scene {
  let screen = Screen()
  let controller: StateController<Screen>
  let log = EventLog()

  init(
    policy: some TransitionPolicy = .queue, deadlines: Deadlines = .none,
    clock: ManualClock? = nil, isolation: isolated (any Actor)? = #isolation
  ) {
    controller = StateController(policy: policy, deadlines: deadlines, timer: clock)
    controller.events.add(log)
    controller.bind(to: screen)
    log.forget()
  }
}

/// A small generator whose whole course follows from its seed.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below this one.
  ///
  /// The slight unevenness of a remainder does not matter here.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// The seed of this run's random tests: `STATY_SEED`, or a new one each time.
let testSeed: UInt64 = {
  if let text = getenv("STATY_SEED"), let seed = UInt64(String(cString: text)) { return seed }
  return UInt64.random(in: 1...999_999_999)
}()
