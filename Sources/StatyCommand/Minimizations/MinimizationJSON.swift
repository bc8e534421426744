import Staty
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules

/// What was made smaller, for other programs.
enum MinimizationJSON {
  static func value(_ minimization: SessionMinimization, output: String?) -> JSONValue {
    let result = minimization.result
    let played = PlayedSchedule(minimization.played, isAtEnd: result.isAtEnd)
    return .object([
      "file": .text(minimization.history.path), "session": .whole(minimization.session.id),
      "uuid": .text(minimization.session.uuid), "with": .text(minimization.kinds.value),
      "finding": played.value(result.finding), "requests": extent(result.requests),
      "events": extent(result.events), "minimal": .text(result.proof.requests.text),
      "minimal_obstacle": .text(result.proof.requests.obstacle?.text),
      "shortest": .bool(result.proof.order == .shortest),
      "shortest_obstacle": .text(result.proof.order.obstacle?.text),
      "verdict": .text(minimization.status == .done ? "minimized" : "inconclusive"),
      "runs": .whole(result.runs), "schedule": .list(played.steps.map { .text($0) }),
      "at_end": .bool(result.isAtEnd),
      "doubts": .list(result.doubts.map { .text(DoubtWords($0).reason) }),
      "output": .text(output),
    ])
  }

  private static func extent(_ extent: Minimization.Extent) -> JSONValue {
    .object(["before": .whole(extent.before), "after": .whole(extent.after)])
  }
}

extension Minimization.Proof.Requests {
  fileprivate var text: String {
    switch self {
    case .everyOrder: "every-order"
    case .runOrder: "run-order"
    case .open: "none"
    }
  }

  fileprivate var obstacle: Minimization.Obstacle? {
    switch self {
    case .everyOrder: nil
    case .runOrder(let obstacle), .open(let obstacle): obstacle
    }
  }
}

extension Minimization.Proof.Order {
  fileprivate var obstacle: Minimization.Obstacle? {
    if case .open(let obstacle) = self { obstacle } else { nil }
  }
}

extension Minimization.Obstacle {
  fileprivate var text: String {
    switch self {
    case .limit(let cut): cut.rawValue
    case .doubt(let doubt): DoubtWords(doubt).reason
    }
  }
}
