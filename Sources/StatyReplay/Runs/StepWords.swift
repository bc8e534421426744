import Staty
import StatyText

/// Describes the steps of schedules in words.
///
/// The words contain no characters that could control a terminal.
package struct StepWords {
  private let scenario: Scenario
  private let called: (Int) -> String
  private let controller: (Int32) -> String
  /// Whether sentences contain the values of messages.
  package var showsValues = true

  /// Creates words for a scenario.
  ///
  /// - Parameters:
  ///   - scenario: the scenario.
  ///   - called: returns the name of a request.
  ///   - controller: returns the name of a controller.
  package init(
    _ scenario: Scenario, called: @escaping (Int) -> String,
    controller: @escaping (Int32) -> String
  ) {
    (self.scenario, self.called, self.controller) = (scenario, called, controller)
  }

  /// Creates words that name a request by its state.
  ///
  /// From the second request of a state on, its number follows: `alert (2)`. Messages are named in
  /// the same way.
  package init(_ scenario: Scenario) {
    let labels = Self.labels(scenario)
    let names = scenario.controllers.map { ($0.id, $0.name.escapedForOneLine) }
    let controllers = Dictionary(names) { first, _ in first }
    self.init(scenario) {
      labels[$0] ?? "request \($0)"
    } controller: {
      controllers[$0] ?? "The controller"
    }
  }

  private static func labels(_ scenario: Scenario) -> [Int: String] {
    let named =
      scenario.requests.map { ($0.id, $0.state) } + scenario.messages.map { ($0.id, $0.name) }
    var counts: [StateName: Int] = [:]
    var labels: [Int: String] = [:]
    for (id, name) in named {
      let count = counts[name, default: 0] + 1
      counts[name] = count
      let text = name.description.escapedForOneLine
      labels[id] = count == 1 ? text : "\(text) (\(count))"
    }
    return labels
  }

  /// The name of a request or a message.
  package func label(_ request: Int) -> String { called(request) }

  /// Describes a step in a sentence.
  package func sentence(_ step: Step) -> String {
    switch step {
    case .make(let id): made(id)
    case .complete(let completion, let id, let finished):
      "\(called(id)) reports that it has \(completion == .entered ? "entered" : "exited")"
        + (finished ? "." : ", with 'finished: false'.")
    case .deferred(let step):
      "\(controller(step.controller)) runs its deferred step"
        + (step.request == 0 ? "." : ", because of \(called(step.request)).")
    case .bind(let id): "\(controller(id)) gets a target."
    case .exitByItself(let id): "\(called(id)) exits by itself."
    case .repeat(let completion, let id):
      "\(called(id)) reports once more that it has \(completion == .entered ? "entered" : "exited")."
    case .deadline(let completion, let id):
      "\(called(id)) takes too long to \(completion == .entered ? "enter" : "exit")."
    }
  }

  /// Describes what happens in a step with a noun, as in 'the request for 'alert''.
  package func noun(_ step: Step) -> String {
    switch step {
    case .make(let id): madeNoun(id)
    case .complete(let completion, let id, let finished):
      "the report that '\(called(id))' has \(completion == .entered ? "entered" : "exited")"
        + (finished ? "" : ", with 'finished: false',")
    case .deferred(let step):
      "the deferred step" + (step.request == 0 ? "" : " because of '\(called(step.request))'")
    case .bind: "the binding of the target"
    case .exitByItself(let id): "the exit of '\(called(id))' by itself"
    case .repeat(let completion, let id):
      "the second report that '\(called(id))' has \(completion == .entered ? "entered" : "exited")"
    case .deadline(_, let id): "the deadline of '\(called(id))'"
    }
  }

  private func madeNoun(_ id: Int) -> String {
    if let message = scenario.message(numbered: id) {
      let event = message.seq == 0 ? nil : "event \(message.seq)"
      let answer = message.origin.map { "the answer to '\(called($0))'" }
      let facts = [event, answer].compactMap(\.self).joined(separator: ", ")
      return "'\(called(id))'" + (facts.isEmpty ? "" : " (\(facts))")
    }
    if scenario.request(numbered: id) != nil { return "the request for '\(called(id))'" }
    switch scenario.cancels.first(where: { $0.id == id })?.extent {
    case .request(let request): return "the cancellation of '\(called(request))'"
    case .all: return "the cancellation of everything"
    case .tearDown, nil: return "the tear-down"
    }
  }

  private func made(_ id: Int) -> String {
    if let request = scenario.request(numbered: id) {
      return "\(called(id)) is requested"
        + (request.asked.map { " as '\($0.description.escapedForOneLine)'." } ?? ".")
    }
    if let message = scenario.message(numbered: id) {
      let answer = message.origin.map { ", the answer to \(called($0))" } ?? ""
      let shown = showsValues ? message.values : nil
      let values = shown.map { ": \($0.escapedForOneLine.shortenedInside(to: 60))" } ?? "."
      return "\(called(id)) is received\(answer)\(values)"
    }
    let cancel = scenario.cancels.first { $0.id == id }
    switch cancel?.extent {
    case .request(let request): return "\(called(request)) is cancelled."
    case .all: return "Everything is cancelled."
    case .tearDown: return "\(cancel.map { controller($0.controller) } ?? "") is torn down."
    case nil: return ""
    }
  }
}
