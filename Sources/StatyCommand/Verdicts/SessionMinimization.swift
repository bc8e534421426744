import StatyHistory
import StatyReplay
import StatyRules

/// The minimized run of one session.
struct SessionMinimization {
  let subject: PlayedSession
  let result: Minimization
  let played: ScheduleRun
  /// What to try next with it.
  var next: [NextSteps.Step] = []
  /// The output file, if there is one.
  var output: String?
  /// What is kept, as it was found in the recording; `nil` if it was found only when played.
  private let recorded: Finding?
  /// The number of other selected findings of the session.
  private let others: Int
  private let order: PlayedSchedule

  /// The finding to keep, and the limits.
  struct Search {
    var options: Minimizer.Options
    var wanted: FindingChoice
  }

  /// - Throws: a `Failure` if there is no broken rule to minimize.
  init(
    _ history: OpenHistory, plan: ReplayPlan, _ search: Search, progress: ProgressLine
  ) throws {
    let minimizer: Minimizer
    (subject, minimizer, recorded, others) = try history.doing("Minimizing") {
      try Self.minimizer(history, plan, search, $0)
    }
    result = try history.saying("Minimizing") { _ in
      try minimizer.run { now in
        progress.tell(
          "\(Decimal.count(now.requests, "request")) left, \(Decimal.count(now.runs, "run"))")
      }
    }
    played = try minimizer.run(of: result)
    order = PlayedSchedule(
      played, result.schedule, isAtEnd: result.isAtEnd, [result.finding], for: [result.finding.code]
    )
  }
}

extension SessionMinimization: Verdict {
  static let deed = "played"
  static let words = ["minimized", "inconclusive"]

  /// The exit code: inconclusive unless every request was left out at least once.
  var status: ExitCode {
    if case .open = result.proof.requests { .inconclusive } else { .done }
  }

  var isNews: Bool { true }
  var word: String { Self.words[status == .done ? 0 : 1] }

  var sentence: String {
    "\(result.finding.code.rawValue) with \(Decimal.count(result.requests.after, unit)) "
      + "of \(Decimal.grouped(Int64(result.requests.before))): \(result.finding.sentence(order.words))"
  }

  func sections(_ page: TextSections) -> [String] {
    let doubts = result.doubts.map(sentence)
    return [page.section("Reduced", reduced)] + order.sections(page)
      + [page.section("In doubt", doubts, most: 12), page.steps(next)]
  }

  /// What is counted.
  private var unit: String {
    if result.scenario.messages.isEmpty { return "request" }
    return result.scenario.requests.isEmpty ? "message" : "input"
  }

  private var reduced: [String] {
    let (requests, events) = (result.requests, result.events)
    let extent =
      "From \(Decimal.count(requests.before, unit)) to "
      + "\(Decimal.grouped(Int64(requests.after))), and from "
      + "\(Decimal.count(events.before, "event")) to "
      + "\(Decimal.grouped(Int64(events.after))), in \(Decimal.count(result.runs, "run"))."
    let others =
      others == 0
      ? [] : ["It is the first of \(others + 1) findings; '--finding' chooses another."]
    let otherwise = (result.isInAnotherWay ? recorded : nil).map {
      "In the recording it is broken in another way, which may be another bug: \($0.sentence(words))"
    }
    let needed =
      switch result.proof.requests {
      case .everyOrder:
        "Each of them is needed: without any one no order breaks the rule at these visits in this way."
      case .runOrder(let obstacle):
        "Each of them is needed in this order; not every other order without one was searched: "
          + because(obstacle)
      case .open(let obstacle):
        "Whether each of them is needed is not known: " + because(obstacle)
      }
    let shortest =
      switch result.proof.order {
      case .shortest: "No order of them with fewer steps breaks it there in this way."
      case .open(let obstacle):
        "Whether another order has fewer steps is not known: " + because(obstacle)
      }
    return [extent] + [otherwise].compactMap(\.self) + others + [needed, shortest]
  }

  private func because(_ obstacle: Minimization.Obstacle) -> String {
    switch obstacle {
    case .limit(.steps): "there are longer ones than '--max-steps' allows."
    case .limit(.time): "the time was over."
    case .limit(.memory): "more has to be kept than '--memory' allows."
    case .limit(.runs), .limit(.states): "more runs would be needed than are made."
    case .doubt: "of what is in doubt, as is said below."
    }
  }

  var facts: KeyValuePairs<String, JSONValue> {
    func extent(_ extent: Minimization.Extent) -> JSONValue {
      .object(["before": .whole(extent.before), "after": .whole(extent.after)])
    }
    func text(_ obstacle: Minimization.Obstacle?) -> JSONValue {
      switch obstacle {
      case nil: .null
      case .limit(let cut): .text(cut.rawValue)
      case .doubt(let doubt): .text(doubt.word)
      }
    }
    let (minimal, first): (String, Minimization.Obstacle?) =
      switch result.proof.requests {
      case .everyOrder: ("every-order", nil)
      case .runOrder(let obstacle): ("run-order", obstacle)
      case .open(let obstacle): ("none", obstacle)
      }
    let second: Minimization.Obstacle? =
      if case .open(let obstacle) = result.proof.order { obstacle } else { nil }
    return [
      "requests": extent(result.requests), "events": extent(result.events),
      "minimal": .text(minimal), "minimal_obstacle": text(first),
      "shortest": .bool(second == nil), "shortest_obstacle": text(second),
      "runs": .whole(result.runs), "orders": .list([order.json]),
      "doubts": VerdictJSON.doubts(result.doubts, words),
      "output": .text(output),
    ]
  }
}

extension SessionMinimization {
  /// The first session that has the finding, and its minimizer.
  private static func minimizer(
    _ history: OpenHistory, _ plan: ReplayPlan, _ search: Search, _ reader: HistoryReader
  ) throws -> (PlayedSession, Minimizer, recorded: Finding?, others: Int) {
    for session in try plan.sessions(of: history) {
      let subject = try PlayedSession(session, of: history, plan)
      // The recording has no findings of another controller.
      let found =
        plan.kinds.isEmpty
        ? try search.wanted.findings(session, plan.choice, reader, plan.registry) : []
      if plan.kinds.isEmpty, found.isEmpty { continue }
      var (finding, options) = (found.first?.finding, search.options)
      if finding?.code == .invariant { (finding, options.codes) = (nil, [.invariant]) }
      do {
        let minimizer = try Minimizer(
          reader, session: session.id, finding: finding, only: subject.meant,
          registry: plan.registry, with: subject.replacement, options: options)
        return (subject, minimizer, finding, max(0, found.count - 1))
      } catch MinimizerError.nothingBroken {
        continue
      } catch let error as MinimizerError {
        throw Failure(error, of: found.first?.controller, history.path)
      }
    }
    if let text = plan.kinds.text { throw Failure.nothingBroken(by: text, history) }
    throw search.wanted.missing("Minimizing '\(history.path)'")
  }
}

extension Failure {
  /// - Parameter kinds: the kinds of controller that were played, in words.
  fileprivate static func nothingBroken(by kinds: String, _ history: OpenHistory) -> Failure {
    Failure(
      status: .inconclusive,
      message:
        "Minimizing '\(history.path)': played with \(kinds), it breaks no ordering rule that "
        + "is meant.",
      advice: "Without '--with' what was recorded is made smaller; what the rules say of that the "
        + "subcommand 'check' tells.")
  }

  /// - Parameter controller: the controller that was to be played, if it is known.
  fileprivate init(_ error: MinimizerError, of controller: ControllerRecord?, _ path: String) {
    let advice: String =
      switch error {
      case .nothingBroken: "The subcommand 'check' says what the rules find."
      case .notPlayed: "Choose another with '--rule' or '--finding'."
      case .unknownController: NextSteps.toMake(controller, path).sentence
      case .hasGaps: Failure.wholeAdvice
      case .beginsLate: Failure.earlierAdvice
      case .tellsTooLittle: Failure.fullAdvice
      case .tooLong: "Give it more with '--time'."
      case .notReproduced(.neverArrived), .notReproduced(.neverExited):
        "A state that does not answer is no bug of its controller, unless other visits wait for it."
      case .notReproduced: Failure.partedAdvice
      }
    self.init(
      status: .inconclusive, message: "Minimizing '\(path)': \(error)", advice: advice)
  }
}
