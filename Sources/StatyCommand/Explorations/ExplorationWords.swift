import Staty
import StatyHistory
import StatyReplay
import StatyRules

/// Puts what a search gave into words.
struct ExplorationWords {
  private let exploration: SessionExploration
  private let recorded: EventWords
  /// The order that was found.
  let played: PlayedSchedule?

  init(_ exploration: SessionExploration) throws {
    self.exploration = exploration
    recorded = try EventWords(exploration.history.reader, session: exploration.session.id)
    let isAtEnd = exploration.result.isAtEnd
    played = exploration.played.map { PlayedSchedule($0, isAtEnd: isAtEnd) }
  }

  private var result: Exploration { exploration.result }

  /// The verdict in words.
  var verdict: String {
    switch result.verdict {
    case .passed: return "no order breaks a rule; all were searched."
    case .broken:
      guard let first = result.violations.first, let schedule = result.schedule else { return "" }
      return "\(first.code.rawValue) after \(Decimal.count(schedule.count, "step"))"
        + (result.isAtEnd ? ", when nothing more comes: " : ": ") + sentence(first)
    case .inconclusive:
      if let cut = result.cut { return "no order that was searched breaks a rule; \(reason(cut))." }
      return result.doubts.first.map(sentence) ?? ""
    }
  }

  /// How far the search went; of controllers that have nothing to do with each other, each.
  var extents: [String] {
    if result.parts.isEmpty { return [extent(result)] }
    return result.parts.map { part in
      part.scenario.controllers.map(\.name.visible).joined(separator: ", ") + ": " + extent(part)
    }
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
    return what + deep + end(part)
  }

  private func end(_ part: Exploration) -> String {
    if part.schedule != nil { return "; none with fewer steps breaks a rule." }
    guard let cut = part.cut else { return part.doubts.isEmpty ? ", to the end." : "." }
    return result.schedule == nil ? "; \(reason(cut))." : "; none with fewer steps breaks a rule."
  }

  private func reason(_ cut: Exploration.Cut) -> String {
    switch cut {
    case .steps: "there are longer ones than '--max-steps' allows"
    case .runs: "there are more than '--max-runs' allows"
    case .states: "there are more states than '--max-states' allows"
    case .time: "the time was over before the end"
    }
  }

  func sentence(_ finding: Finding) -> String { played?.sentence(finding) ?? "" }

  func sentence(_ doubt: ReplayResult.Doubt) -> String {
    DoubtWords(doubt).sentence(recorded, known: exploration.plan.engine.names)
  }
}
