import Staty
import StatyReplay

/// The cost of exploring: the states of a policy, and the runs of a controller that cannot be
/// copied.
enum ExploreBench {
  static func run(_ wanted: Wanted) -> [Figure] {
    var figures: [Figure] = []
    if wanted.isAny("explore_states_per_s", "explore_queue8_s", "explore_states_per_s_alone") {
      figures += queue()
    }
    figures += wanted("explore_runs_per_s") {
      Figure($0, runs(), "schedules of an opaque controller run from the beginning")
    }
    figures += wanted("minimize_10k_s") {
      Figure($0, MinimizeBench.run(), "10,000 events with one fault made small, file to file")
    }
    figures += wanted("bare_runs_per_s") {
      Figure(
        $0, bareRuns(), "baseline: the same orders by a bare loop that writes and judges nothing",
        isBaseline: true)
    }
    if wanted.isAny("why_chain_ms", "why_ms") {
      let why = MinimizeBench.why()
      figures += [
        Figure("why_chain_ms", why.chain, "what led to the finding among these events"),
        Figure("why_ms", why.nearest, "the nearest order without it, played to its end"),
      ]
    }
    return wanted.pick(figures)
  }

  /// A complete search of a queue with 8 requests from 8 sources, alternating with two threads and
  /// one.
  private static func queue() -> [Figure] {
    let pairs = (0..<5).map { _ in (both: search(threads: 2), alone: search(threads: 1)) }
    let both = pairs.map(\.both).sorted { $0.seconds < $1.seconds }[2]
    let alone = pairs.map(\.alone).sorted { $0.seconds < $1.seconds }[2]
    return [
      Figure("explore_states_per_s", both.rate, "\(both.states) different states of a queue"),
      Figure("explore_queue8_s", both.seconds, "8 requests from 8 sources, searched to the end"),
      Figure(
        "explore_bytes_per_state", Double(both.bytes) / Double(both.states),
        "the most that was held, for every state that was seen"),
      Figure(
        "explore_states_per_s_alone", alone.rate, "baseline: the same by one thread",
        isBaseline: true),
    ]
  }

  private struct Search {
    let seconds: Double
    let states: Int
    let bytes: Int
    var rate: Double { Double(states) / seconds }
  }

  private static func search(threads: Int) -> Search {
    var scenario = Scenario("queue")
    for _ in 0..<8 { scenario.request("state") }
    var options = Explorer.Options()
    options.workers = threads
    options.mostOutcomeRuns = 0
    // Without a limit of time.
    (options.mostStates, options.time) = (60_000_000, nil)
    var exploration: Exploration?
    let taken = seconds { exploration = try! Explorer(scenario, options: options).run() }
    precondition(exploration!.isComplete && exploration!.orders.isEmpty)
    return Search(seconds: taken, states: exploration!.states, bytes: exploration!.bytes)
  }

  private static func runs() -> Double {
    var scenario = Scenario("turnstile")
    for _ in 0..<3 { scenario.request("state") }
    var registry = ControllerRegistry()
    registry.register("turnstile") { context in
      let turnstile = Turnstile(context.probe)
      return context.subject(makeState: { PlayedStood($0, turnstile) }) { state, _ in
        turnstile.show(state)
      }
    }
    var options = Explorer.Options()
    options.mostOutcomeRuns = 0
    return median(of: 3) {
      var runs = 0
      let taken = nanoseconds(per: 1) {
        let exploration = try! Explorer(scenario, registry: registry, options: options).run()
        precondition(exploration.isComplete && exploration.orders.isEmpty)
        runs = exploration.transitions
      }
      return Double(runs) / (taken / 1e9)
    }
  }
}

extension ExploreBench {
  /// Every beginning of an order of three requests, run from the beginning by plain recursion: no
  /// events are written, no rule judges, and nothing is left out.
  private static func bareRuns() -> Double {
    median(of: 3) {
      var runs = 0
      let taken = nanoseconds(per: 1) { runs = BareLoop().run() }
      return Double(runs) / (taken / 1e9)
    }
  }
}

/// Runs each beginning of an order of a turnstile's requests and reports.
private struct BareLoop {
  private var runs = 0

  /// The number of runs.
  func run() -> Int {
    var loop = self
    loop.goOn([])
    return loop.runs
  }

  /// A step makes the next request (0), or lets a state report what it was told (from 1).
  private mutating func goOn(_ way: [Int]) {
    let turnstile = Turnstile(ControllerProbe("turnstile"))
    let states = (0..<3).map { _ in LoopedStood() }
    var requested = 0
    for step in way {
      if step == 0 {
        turnstile.show(states[requested])
        requested += 1
      } else if let told = states[step - 1].told.take() {
        turnstile.said(told, states[step - 1])
      }
    }
    runs += 1
    if requested < 3 { goOn(way + [0]) }
    for (place, state) in states.enumerated() where state.told != nil { goOn(way + [place + 1]) }
  }
}

/// An app's own controller: one state at a time, the others are pending.
final class Turnstile {
  private let probe: ControllerProbe
  private let keepsNewest: Bool
  private var waiting: [Stood] = []
  private var shown: Stood?
  private var isMoving = false

  /// - Parameter keepsNewest: whether a request replaces the pending one without discarding it.
  init(_ probe: ControllerProbe, keepsNewest: Bool = false) {
    (self.probe, self.keepsNewest) = (probe, keepsNewest)
  }

  func show(_ state: Stood) {
    probe.requested(state, named: "state") {
      if keepsNewest { waiting = [] }
      waiting.append(state)
      goOn()
    }
  }

  func said(_ completion: Completion, _ state: Stood) {
    probe.completed(completion, state) {
      isMoving = false
      if completion == .exited { shown = nil }
      goOn()
    }
  }

  private func goOn() {
    if waiting.isEmpty || isMoving { return }
    isMoving = true
    if let shown {
      probe.telling(.exit, shown) { shown.exit() }
    } else {
      let next = waiting.removeFirst()
      shown = next
      probe.telling(.enter, next) { next.enter() }
    }
  }
}

class Stood {
  func enter() {}
  func exit() {}
}

/// A state that is played.
final class PlayedStood: Stood {
  private let script: ReplayState

  init(_ script: ReplayState, _ turnstile: Turnstile) {
    self.script = script
    super.init()
    script.onCompletion = { [unowned self, weak turnstile] in turnstile?.said($0, self) }
  }

  override func enter() { script.enter() }
  override func exit() { script.exit() }
}

/// A state whose reports a loop makes when it likes.
private final class LoopedStood: Stood {
  var told: Completion?

  override func enter() { told = .entered }
  override func exit() { told = .exited }
}
