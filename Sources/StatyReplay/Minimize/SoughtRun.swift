import Staty
import StatyHistory
import StatyRules

/// A run that follows an order where possible, and ends when the finding is found.
struct SoughtRun {
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
  }

  /// Whether a finding is the wanted one.
  typealias Search = (Finding, ScheduleRun) -> Bool

  private let run: ScheduleRun
  private let isMeant: Search
  private var judged = 0
  private var finding: Finding?
  private var isAtEnd = false

  /// Plays; `nil` if the finding does not happen, or not before the deadline.
  static func play(
    _ scenario: Scenario, _ order: Schedule, _ registry: ControllerRegistry, mostEvents: Int,
    until deadline: ContinuousClock.Instant? = nil, isMeant: @escaping Search
  ) throws -> Found? {
    let run = try ScheduleRun(ScenarioPlan(scenario, registry))
    run.mostEvents = mostEvents
    var sought = SoughtRun(run: run, isMeant: isMeant)
    return sought.play(order, until: deadline)
  }

  private mutating func play(
    _ order: Schedule, until deadline: ContinuousClock.Instant?
  ) -> Found? {
    var chooser = ListedOrder(order)
    var isLate = false
    judge()
    if finding == nil {
      run.play(&chooser) {
        judge()
        if let deadline, ContinuousClock.now >= deadline { isLate = true }
        return finding == nil && !isLate
      }
    }
    if !isLate { end() }
    guard let finding else { return nil }
    return Found(
      schedule: run.schedule, order: run.order, isAtEnd: isAtEnd, finding: finding,
      made: run.made, used: chooser.used)
  }

  private mutating func judge() {
    let certain = run.certain
    while judged < certain.count, finding == nil {
      let one = certain[judged]
      judged += 1
      if isMeant(one, run), !run.isExcused(one) { finding = one }
    }
  }

  private mutating func end() {
    guard finding == nil, !run.isGivenUp, run.isAtEnd else { return }
    run.finish()
    isAtEnd = true
    finding = run.findings.first { isMeant($0, run) }
  }
}
