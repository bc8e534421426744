import Staty
import StatyHistory
import StatyRules

/// The search through all schedules of controllers that cannot be copied.
///
/// It runs each schedule from the beginning, the shorter ones first.
///
/// Of two orders that differ only in steps of different controllers, one is run (sleep sets). All
/// steps of one controller are taken to affect each other, because its code is unknown. Each
/// beginning of a schedule takes sixteen bytes: its parent, its last step and a digest of what
/// happened. Unfinished ones also hold the possible next steps.
struct ScheduleSearch {
  private let plan: ScenarioPlan
  private let limits: SearchLimits
  private let judge: (ScheduleRun) -> Set<RuleCode>
  private let leavesOut: Bool
  private(set) var result: SearchResult
  private var nodes: [Node] = [Node(parent: 0, step: 0, digest: 0)]
  private var steps = StepNumbers()
  /// How many bytes the unfinished schedules hold, of this length and one step longer.
  private var (layerBytes, nextBytes) = (0, 0)

  private struct Node {
    let parent: UInt32
    let step: UInt32
    var digest: UInt64
  }

  /// An unfinished schedule.
  private struct Open {
    let node: Int
    /// The possible next steps.
    let next: [Step]
    /// The next steps that can be skipped, because an equivalent schedule has them.
    let sleeping: [Sleeper]

    /// About how many bytes it holds, its lists with a few words about themselves.
    var bytes: Int {
      MemoryLayout<Open>.stride + next.count * MemoryLayout<Step>.stride + 32
        + sleeping.count * (MemoryLayout<Sleeper>.stride + Sleeper.outside) + 32
    }
  }

  private struct Sleeper {
    let step: Step
    let touched: Set<Int32>

    /// About how many bytes a small set takes.
    static let outside = 64
  }

  /// - Parameters:
  ///   - leavesOut: whether equivalent orders are skipped.
  ///   - judge: which of the wanted rules a run breaks.
  init(
    _ plan: ScenarioPlan, _ limits: SearchLimits, _ goal: SearchGoal, leavesOut: Bool = true,
    judge: @escaping (ScheduleRun) -> Set<RuleCode>
  ) {
    self.plan = plan
    result = SearchResult(goal)
    self.leavesOut = leavesOut
    self.limits = limits
    self.judge = judge
  }

  /// Searches until it has found what it searches for, nothing is left or a limit is reached.
  mutating func run() throws {
    var layer: [Open] = []
    guard limits.runs > 0 else { return result.cut = .runs }
    let first = try ScheduleRun(plan)
    nodes[0].digest = Self.digest(first)
    result.states = 1
    result.transitions = 1
    if look(first) { return }
    if !first.possible.isEmpty {
      layer = [Open(node: 0, next: first.possible, sleeping: [])]
    }
    while !layer.isEmpty {
      if result.depth >= limits.steps { return result.cut = .steps }
      result.depth += 1
      var next: [Open] = []
      for open in layer {
        if try !goOn(open, &next) { return }
      }
      layer = next
      (layerBytes, nextBytes) = (nextBytes, 0)
    }
  }

  /// Runs every schedule that is one step longer.
  ///
  /// - Returns: whether to go on.
  private mutating func goOn(_ open: Open, _ next: inout [Open]) throws -> Bool {
    let way = schedule(to: open.node)
    var sleeping = open.sleeping
    for step in open.next {
      if sleeping.contains(where: { $0.step == step }) {
        result.pruned += 1
        continue
      }
      if let cut = limits.reached(result) ?? used {
        result.cut = cut
        return false
      }
      // The same steps may do something else now.
      guard let run = try plan.play(way, isAtEnd: false),
        Self.digest(run) == nodes[open.node].digest, run.take(step)
      else {
        result.doubts.append(.hiddenInput)
        return false
      }
      result.transitions += 1
      result.states += 1
      let touched = run.touched
      // A step of the same controller may affect it.
      let left = sleeping.filter { $0.touched.isDisjoint(with: touched) }
      if leavesOut { sleeping.append(Sleeper(step: step, touched: touched)) }
      nodes.append(
        Node(
          parent: UInt32(open.node), step: steps.number(step), digest: Self.digest(run)))
      result.bytes = max(result.bytes, bytes)
      let possible = run.possible
      if look(run) { return false }
      if !possible.isEmpty {
        let open = Open(node: nodes.count - 1, next: possible, sleeping: left)
        nextBytes += open.bytes
        next.append(open)
      }
    }
    return true
  }

  /// Which of the search's own limits is reached, if any.
  private var used: Exploration.Cut? {
    if result.transitions >= limits.runs { return .runs }
    // An array holds its content twice while it grows.
    let growth = nodes.count == nodes.capacity ? 2 * nodes.capacity * MemoryLayout<Node>.stride : 0
    return bytes + growth > limits.bytes ? .memory : nil
  }

  private var bytes: Int {
    nodes.capacity * MemoryLayout<Node>.stride + layerBytes + nextBytes
  }

  /// Checks whether a run has what the search is for, and ends the run if it may end there.
  ///
  /// - Returns: whether the search is over.
  private mutating func look(_ run: ScheduleRun) -> Bool {
    result.deciding.formUnion(run.log.deciding)
    if result.note(judge(run), in: run.schedule, isAtEnd: false) { return true }
    if run.isGivenUp {
      result.doubts += run.doubts
      return true
    }
    // Each order that begins so lacks what a controller could not be told; one doubt stands for all.
    if result.doubts.isEmpty, let doubt = run.doubts.first { result.doubts.append(doubt) }
    guard run.isAtEnd else { return false }
    run.finish()
    if result.doubts.isEmpty, let doubt = run.doubts.first { result.doubts.append(doubt) }
    return result.note(judge(run), in: run.schedule, isAtEnd: true)
  }

  private func schedule(to node: Int) -> Schedule {
    var way: Schedule = []
    var node = node
    while node != 0 {
      way.append(steps[nodes[node].step])
      node = Int(nodes[node].parent)
    }
    return way.reversed()
  }

  /// What two runs of one schedule have in common.
  private static func digest(_ run: ScheduleRun) -> UInt64 {
    var digest = ReplayDigest()
    for row in run.events {
      digest.add(
        UInt64(row.kind) << 56 | UInt64(row.reason) << 48 | UInt64(
          UInt16(truncatingIfNeeded: row.state)) << 32
          | UInt64(row.visit))
      digest.add(UInt64(bitPattern: row.cause))
    }
    return digest.value
  }
}

/// Steps by numbers, as they come up.
private struct StepNumbers {
  private var steps: [Step] = []
  private var numbers: [Step: UInt32] = [:]

  subscript(number: UInt32) -> Step { steps[Int(number)] }

  mutating func number(_ step: Step) -> UInt32 {
    if let known = numbers[step] { return known }
    let number = UInt32(steps.count)
    steps.append(step)
    numbers[step] = number
    return number
  }
}
