import Staty
import StatyHistory
import StatyRules

/// A run that follows an order where possible, and ends when the finding is found.
///
/// The order may name requests that the scenario lacks, and removed requests change when steps
/// become possible. A step that is not possible in its turn happens as soon as it is. As many
/// deferred steps of a controller run as the order has, the oldest first. After the end of the
/// order all steps that are not optional follow.
struct OrderedRun {
  /// A run that has the finding.
  struct Found {
    var schedule: Schedule
    /// The same; a request that was made inside of a step follows it as a step of its own.
    var order: Schedule
    /// Whether the rule is broken only if nothing more happens.
    var isAtEnd: Bool
    /// What was found.
    var finding: Finding
    /// The requests, cancellations and messages that were made.
    var made: Set<Int>
    /// How many steps of the given order were taken.
    var used: Int
    var events: Int
  }

  /// Whether a finding is the wanted one.
  typealias Search = (Finding, ScheduleRun) -> Bool

  private let run: ScheduleRun
  private let deadline: ContinuousClock.Instant?
  private let isMeant: Search
  /// Steps that were not possible in their turn, by the request or cancellation that each waits
  /// for.
  private var late: [Int: [Step]] = [:]
  /// How many deferred steps of each controller could not run in their turn.
  private var owed: [Int32: Int] = [:]
  private var judged = 0
  private var finding: Finding?
  private var isAtEnd = false
  private var isLate = false

  /// Plays; `nil` if the finding does not happen, or not before the deadline.
  static func play(
    _ scenario: Scenario, _ order: Schedule, _ registry: ControllerRegistry, mostEvents: Int,
    until deadline: ContinuousClock.Instant? = nil, isMeant: @escaping Search
  ) throws -> Found? {
    let run = try ScheduleRun(ScenarioPlan(scenario, registry))
    run.mostEvents = mostEvents
    var ordered = OrderedRun(run, deadline, isMeant)
    return ordered.play(order)
  }

  private init(
    _ run: ScheduleRun, _ deadline: ContinuousClock.Instant?, _ isMeant: @escaping Search
  ) {
    self.run = run
    self.deadline = deadline
    self.isMeant = isMeant
  }

  private mutating func play(_ order: Schedule) -> Found? {
    var used = 0
    judge()
    for step in order where !isOver {
      used += 1
      follow(step)
    }
    settle()
    end()
    guard let finding else { return nil }
    return Found(
      schedule: run.schedule, order: run.order, isAtEnd: isAtEnd, finding: finding,
      made: run.made, used: used, events: run.events.count)
  }

  private var isOver: Bool { finding != nil || run.isGivenUp || isLate }

  private mutating func judge() {
    let certain = run.certain
    while judged < certain.count, finding == nil {
      let one = certain[judged]
      judged += 1
      if isMeant(one, run), !run.isExcused(one) { finding = one }
    }
  }
}

// MARK: Steps

extension OrderedRun {
  private mutating func follow(_ step: Step) {
    if run.canTake(step) { return perform(step) }
    switch step {
    case .deferred(let id):
      if let other = nextDeferred(of: id.controller) { return perform(other) }
      owed[id.controller, default: 0] += 1
    case .make(let id):
      guard let cue = run.plan.cue(id), !cue.isInside, !run.made.contains(id) else { return }
      wait(step)
    case .complete, .exitByItself, .repeat, .deadline: wait(step)
    case .bind: break
    }
  }

  private mutating func wait(_ step: Step) {
    late[awaited(step), default: []].append(step)
  }

  /// The request that has to progress before a step becomes possible.
  private func awaited(_ step: Step) -> Int {
    switch step {
    case .complete(_, let id), .exitByItself(let id), .repeat(_, let id), .deadline(_, let id):
      return id
    case .make(let id):
      guard let cue = run.plan.cue(id) else { return id }
      if let before = cue.before, !run.made.contains(before) { return before }
      if let origin = cue.origin, !run.made.contains(origin) { return origin }
      if let target = cue.target, run.visit(of: target) == nil { return target }
      return cue.moment?.request ?? id
    case .deferred, .bind: return 0
    }
  }

  private mutating func perform(_ step: Step) {
    take(step)
    var moved = run.moved
    var next = 0
    while !isOver {
      if next < moved.count {
        for step in late.removeValue(forKey: moved[next]) ?? [] {
          if !isOver, run.canTake(step) {
            take(step)
            moved += run.moved
          } else {
            wait(step)
          }
        }
        next += 1
      } else if let controller = owed.first(where: { $0.value > 0 })?.key,
        let step = nextDeferred(of: controller)
      {
        owed[controller, default: 0] -= 1
        take(step)
        moved += run.moved
      } else {
        return
      }
    }
  }

  private mutating func take(_ step: Step) {
    run.takePossible(step)
    judge()
    if let deadline, ContinuousClock.now >= deadline { isLate = true }
  }

  private func nextDeferred(of controller: Int32) -> Step? {
    run.steps.lazy.filter { $0.id.controller == controller }.map { Step.deferred($0.id) }
      .first(where: run.canTake)
  }

  /// Takes all steps that are not optional, round by round.
  private mutating func settle() {
    // A controller that defers a step in each step never comes to rest.
    for _ in 0..<Self.mostRounds where !isOver {
      let possible = run.possible.filter { !run.isOptional($0) }
      guard !possible.isEmpty else { return }
      let isLast = possible.allSatisfy { if case .deadline = $0 { true } else { false } }
      for step in possible where !isOver && run.canTake(step) {
        // A deadline passes only if nothing else happens.
        if case .deadline = step, !isLast { continue }
        perform(step)
      }
    }
  }

  private static var mostRounds: Int { 1_000 }

  private mutating func end() {
    guard !isOver, run.isAtEnd else { return }
    run.finish()
    isAtEnd = true
    finding = run.findings.first { isMeant($0, run) }
  }
}
