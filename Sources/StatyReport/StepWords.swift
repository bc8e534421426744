package import StatyReplay
import Staty
import StatySQLite

/// Puts the steps of schedules into words.
///
/// A request is called by its state; where several ask for one of the same name, from the second on
/// with their number: `alert (2)`. Nothing in the words commands a terminal.
package struct StepWords {
  private let scenario: Scenario
  private let labels: [Int: String]

  /// Words about this scenario.
  package init(_ scenario: Scenario) {
    self.scenario = scenario
    labels = Self.labels(scenario)
  }

  private static func labels(_ scenario: Scenario) -> [Int: String] {
    var counts: [StateName: Int] = [:]
    var labels: [Int: String] = [:]
    for request in scenario.requests {
      counts[request.state, default: 0] += 1
      let count = counts[request.state] ?? 1
      let name = request.state.description.escapedForOneLine
      labels[request.id] = count == 1 ? name : "\(name) (\(count))"
    }
    return labels
  }

  /// What a request is called.
  package func label(_ request: Int) -> String { labels[request] ?? "request \(request)" }

  /// What happens in a step, as a sentence.
  package func sentence(_ step: Step) -> String {
    switch step {
    case .make(let id): made(id)
    case .say(.entered, let id): "\(label(id)) says that it is in."
    case .say(.exited, let id): "\(label(id)) says that it is out."
    case .leave(let id): "\(label(id)) leaves by itself."
    case .repeat(.entered, let id): "\(label(id)) says once more that it is in."
    case .repeat(.exited, let id): "\(label(id)) says once more that it is out."
    case .deadline(.entered, let id): "\(label(id)) takes too long to come in."
    case .deadline(.exited, let id): "\(label(id)) takes too long to leave."
    case .bind: "What states are shown on is there."
    case .putOff(let step): putOff(step)
    }
  }

  private func made(_ id: Int) -> String {
    if scenario.request(id) != nil { return "Somebody asks for \(label(id))." }
    switch scenario.cancels.first(where: { $0.id == id })?.extent {
    case .request(let request): return "Somebody cancels \(label(request))."
    case .all, nil: return "Somebody cancels everything."
    case .tearDown: return "The controller is torn down."
    }
  }

  private func putOff(_ step: Step.PutOff) -> String {
    let label = label(step.request)
    let when: String? =
      switch step.kind {
      case .enqueued: "when \(label) was asked for"
      case .entering: "when \(label) was told to come in"
      case .entered: "when \(label) was in"
      case .exiting: "when \(label) was told to leave"
      case .exited: "when \(label) was out"
      default: nil
      }
    return "A step runs that was put off" + (when.map { " \($0)" } ?? "") + "."
  }
}
