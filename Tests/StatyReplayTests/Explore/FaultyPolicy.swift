import Staty
import StatyReplay

/// A queue that now and then does something else than it decided, always the same at the same place.
struct FaultyPolicy: TransitionPolicy {
  private var base = QueuePolicy()
  private let seed: UInt64
  private var count: UInt64 = 0

  init(seed: UInt64) { self.seed = seed }
  init() { self.init(seed: 0) }

  init(restoring snapshot: PolicySnapshot) {
    self.init(seed: 0)
    base = QueuePolicy(restoring: snapshot)
  }

  static var name: StateName { "faulty" }
  var current: Request? { base.current }
  var phase: Phase { base.phase }
  var snapshot: PolicySnapshot { base.snapshot }
  func predecessor(of request: Request) -> Request? { base.predecessor(of: request) }

  mutating func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit {
    var decided = CommandQueue()
    let fit = base.receive(signal, &decided)
    // Few places to stand in, or no two ways would ever lead to the same.
    count = (count + 1) % 3
    var list: [Command] = []
    while let command = decided.popFirst() { list.append(command) }
    let mood = seed >> (count * 8) & 255
    switch mood {
    case 0..<30: list.reverse()
    case 30..<60: if !list.isEmpty { list.removeLast() }
    case 60..<90: list += list
    case 90..<120: if let current = base.current { list.append(.exit(current.visit)) }
    case 120..<150: if let waiting = base.snapshot.waiting.last { list.append(.enter(waiting)) }
    case 150..<170: list.append(contentsOf: base.snapshot.waiting.prefix(1).map { .exit($0.visit) })
    default: break
    }
    for command in list { commands.append(command) }
    switch mood {
    case 250: return .fits
    case 240...: return fit == .fits ? .stray : .fits
    default: return fit
    }
  }

  /// A registry that makes it.
  static func registry(_ seed: UInt64) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register(policy: "faulty") { FaultyPolicy(seed: seed) }
    return registry
  }
}
