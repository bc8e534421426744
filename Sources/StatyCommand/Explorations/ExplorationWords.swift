import Staty
import StatyHistory
import StatyReplay
import StatyRules

/// Puts what a search gave into words.
struct ExplorationWords {
  private let exploration: SessionExploration
  private let recorded: EventWords
  /// The orders that were found, the shortest first.
  let played: [PlayedSchedule]

  init(_ exploration: SessionExploration) throws {
    self.exploration = exploration
    recorded = try EventWords(exploration.history.reader, session: exploration.session.id)
    played = zip(exploration.played, exploration.result.orders).map {
      PlayedSchedule($0, isAtEnd: $1.isAtEnd)
    }
  }

  private var result: Exploration { exploration.result }

  /// The verdict in words.
  var verdict: String {
    switch result.verdict {
    case .passed: return "no order breaks \(rule); all were searched."
    case .broken:
      let orders = result.orders
      guard let first = orders.first, let finding = first.violations.first else { return "" }
      guard orders.count > 1 else { return "\(summary(first)): \(sentence(finding))" }
      let codes = orders.reduce(0) { $0 + $1.codes.count }
      return "\(Decimal.count(codes, "rule")): " + orders.map(summary).joined(separator: "; ") + "."
    case .inconclusive:
      if let cut = result.cut {
        return "no order that was searched breaks \(rule); \(reason(cut))."
      }
      return result.doubts.first.map(sentence)
        ?? "nothing can happen in it, for nobody asks for anything: there is no order to search."
    }
  }

  /// What was searched for.
  private var rule: String {
    let codes = (exploration.codes ?? []).map { "'\($0.rawValue)'" }.sorted()
    return codes.isEmpty ? "a rule" : codes.joined(separator: " or ")
  }

  /// Which rules an order is the shortest to break, and how long it is.
  func summary(_ order: Exploration.Order) -> String {
    var codes: [String] = []
    for finding in order.violations where order.codes.contains(finding.code) {
      if !codes.contains(finding.code.rawValue) { codes.append(finding.code.rawValue) }
    }
    return codes.joined(separator: " and ")
      + " after \(Decimal.count(order.schedule.count, "step"))"
      + (order.isAtEnd ? ", when nothing more comes" : "")
  }

  /// How far the search went; of controllers that have nothing to do with each other, each.
  var extents: [String] {
    if result.parts.isEmpty { return [extent(result)] + order + silence }
    return result.parts.map { part in
      part.scenario.controllers.map(\.name.visible).joined(separator: ", ") + ": " + extent(part)
    } + order + silence
  }

  /// Which orders were not tried: requests of one place in the code keep theirs.
  private var order: [String] {
    var requests: [Int: Int] = [:]
    for request in result.scenario.requests where request.place == .anytime && request.origin == nil
    {
      requests[request.source, default: 0] += 1
    }
    let kept = requests.values.filter { $0 > 1 }.reduce(0, +)
    guard kept > 0 else { return [] }
    return [
      "\(kept) of \(Decimal.count(result.scenario.requests.count, "request")) were made at a place "
        + "in the code where others were made; those were tried in their order alone."
    ]
  }

  private func extent(_ part: Exploration) -> String {
    let deep = "up to \(Decimal.count(part.depth, "step")) deep"
    let what =
      part.method == .states
      ? "\(Decimal.count(part.states, "state")) with "
        + "\(Decimal.count(part.transitions, "step")) between them, "
      : "\(Decimal.count(part.transitions, "run")), "
        + (part.pruned > 0
          ? "\(Decimal.grouped(Int64(part.pruned))) left out as they come to the same, " : "")
    return what + deep + ", in \(Decimal.megabytes(part.bytes))" + end(part)
  }

  /// That silence is not counted, where there may be some.
  private var silence: [String] {
    let isNamed =
      exploration.codes?.contains { [.neverArrived, .neverExited].contains($0) } ?? false
    guard !isNamed, result.scenario.mayBeSilent else { return [] }
    return [
      "A state may keep silent there, which is no fault of a controller: '--rule never-arrived' and "
        + "'--rule never-exited' ask who lets others wait for it."
    ]
  }

  private func end(_ part: Exploration) -> String {
    if part.isComplete { return ", to the end." }
    if let cut = part.cut, !isEnough(part) { return "; \(reason(cut))." }
    return result.isShortest ? "; none with fewer steps breaks \(rule)." : "."
  }

  /// Whether a part was cut because another has an order that is shorter than any it could still have.
  private func isEnough(_ part: Exploration) -> Bool {
    guard let steps = result.schedule?.count, !exploration.isForEach else { return false }
    return part.cut == .steps && part.depth >= steps - 1
  }

  private func reason(_ cut: Exploration.Cut) -> String {
    switch cut {
    case .steps: "there are longer ones than '--max-steps' allows"
    case .runs: "there are more than '--max-runs' allows"
    case .states: "there are more states than '--max-states' allows"
    case .memory: "more has to be kept than '--memory' allows"
    case .time: "the time was over before the end"
    }
  }

  private func sentence(_ finding: Finding) -> String { played.first?.sentence(finding) ?? "" }

  func sentence(_ doubt: ReplayDoubt) -> String {
    DoubtWords(doubt).sentence(recorded, known: exploration.plan.engine.names)
  }
}
