internal import StatyReplay
internal import StatyRules

/// The failure message of an exploration.
struct SearchWords {
  private let exploration: Exploration
  /// The runs of the orders that were found.
  private let runs: [ScheduleRun?]
  private let doubts: [String]
  private let explorer: Explorer

  init(_ exploration: Exploration, _ explorer: Explorer, _ registry: ControllerRegistry) throws {
    (self.exploration, self.explorer) = (exploration, explorer)
    doubts = exploration.doubts.map { $0.advised(in: exploration.scenario) }
    runs = try exploration.orders.map(explorer.run(of:))
  }

  /// What went wrong; `nil` if every order was tried and breaks no rule, however the orders end.
  var failure: String? {
    switch exploration.verdict {
    // What was searched ends well, and that was not every order.
    case .same, .differs: unfinished
    case .inconclusive where exploration.isByName: unfinished
    case .inconclusive where isIdle:
      "Nothing was judged: nothing changed in any order, and nothing is shown."
    case .inconclusive where exploration.orders.isEmpty:
      "Not every order could be tried: \(obstacle)"
    case .inconclusive: "It is in doubt whether this can happen: \(obstacle)\n\(broken)"
    case .broken where exploration.orders.isEmpty: differing
    case .broken: broken
    }
  }

  /// Whether that nothing changed is all that is in doubt.
  private var isIdle: Bool {
    exploration.isIdle && exploration.doubts.isEmpty && exploration.cut == nil
      && !exploration.isOpen && !exploration.isEmpty
  }

  private var unfinished: String? {
    exploration.isClean ? nil : "Not every order could be tried: \(obstacle)"
  }

  /// What went wrong if several outcomes are wrong, too.
  var failureOfOutcomes: String? {
    switch exploration.verdict {
    case .same: nil
    case .differs: differing
    case .inconclusive where exploration.isByName:
      (["It is not known whether all orders end in the same way."]
        + exploration.outcomes.compactMap { OutcomeWords($0).namesOnly }).joined(separator: " ")
    case .broken, .inconclusive: failure
    }
  }

  /// The outcomes with the order that leads to each, and the line that allows them.
  private var differing: String {
    let isOnly = exploration.outcomes.count == 1
    let parts = exploration.outcomes.filter {
      $0.isDifferent || $0.outcomes.contains { !$0.isAllowed }
    }
    var lines: [String] = []
    for part in parts {
      let words = OutcomeWords(part, isOnly: isOnly)
      lines.append(part.isDifferent ? words.question : "There is an outcome that is not allowed.")
      lines += words.numbered()
      for outcome in part.outcomes.prefix(2) {
        guard let run = try? explorer.run(of: outcome) else { continue }
        lines.append("\(words.title(outcome)):\n\(RunPicture(run).text(marked: nil))")
      }
    }
    // Those of other controllers, too: what is not named is not allowed.
    let outcomes = exploration.outcomes.flatMap(\.outcomes)
    if let unnamed = outcomes.first(where: { !$0.hasOwnText }) {
      return lines.joined(separator: "\n")
        + "\nSeveral of these have the text \"\(unnamed.text)\", so none of them can be allowed. Let the subject show "
        + "something by which they differ: '.showing { … }'."
    }
    let all = outcomes.map { outcome in
      let text = outcome.text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "\"\(text)\""
    }
    return lines.joined(separator: "\n")
      + "\nIf all of these are right, write: expectOutcomes(…, allowed: \(all.joined(separator: ", ")))"
  }

  private var obstacle: String {
    switch exploration.orders.isEmpty ? exploration.cut : nil {
    case .steps:
      "there are longer ones than \(exploration.depth) steps. \(advice("mostSteps"))"
    case .runs: "\(exploration.transitions) runs did not suffice. \(advice("mostRuns"))"
    case .states: "\(exploration.states) states did not suffice. \(advice("mostStates"))"
    case .memory:
      "\(exploration.bytes) bytes were held, and more did not fit. \(advice("mostBytes"))"
    case .time: "the time was over after \(progress). \(advice("time"))"
    case nil where exploration.isOpen && doubts.isEmpty:
      "not every order with one deviation from the usual one was run. \(advice("time"))"
    case nil where exploration.isEmpty && doubts.isEmpty: "nothing is requested. Request a state."
    case nil: doubts.joined(separator: " ")
    }
  }

  /// The number of states or runs so far.
  private var progress: String {
    let isByState = exploration.method == .states
    let count = isByState ? exploration.states : exploration.transitions
    return "\(count) \(isByState ? "state" : "run")\(count == 1 ? "" : "s")"
  }

  /// - Parameter option: the limit that was reached.
  private func advice(_ option: String) -> String {
    "Ask for less, or allow more with 'options.\(option)'."
  }

  private var broken: String {
    zip(exploration.orders, runs).map(told).joined(separator: "\n")
  }

  private func told(_ order: Exploration.Order, _ run: ScheduleRun?) -> String {
    guard let run else { return "A rule is broken in an order that cannot be played again." }
    let count = order.schedule.count
    let steps = "\(count) step\(count == 1 ? "" : "s")"
    let first = order.findings.first { order.codes.contains($0.code) }
    return """
      \(run.sentences(order.findings))
      \(exploration.isShortest ? "No shorter order does this than these" : "It takes these") \(steps):
      \(RunPicture(run, steps: count).text(marked: first?.seq))
      """
  }
}
