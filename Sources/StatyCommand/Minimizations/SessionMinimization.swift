import StatyHistory
import StatyReplay
import StatyRules

/// What a session shows, made smaller.
struct SessionMinimization {
  let history: OpenHistory
  let session: SessionRecord
  let kinds: KindChoice
  let result: Minimization
  let played: ScheduleRun
  /// How many findings of the session were meant beside the one that is kept.
  let others: Int

  /// What is to be kept, and how far to go.
  struct Search {
    var options: Minimizer.Options
    var wanted: FindingChoice
  }

  /// Whether every request was at least left out once; else nothing is known of how small it can get.
  var status: ExitCode {
    if case .open = result.proof.requests { .inconclusive } else { .done }
  }

  /// - Throws: a `Failure` if nothing is broken that could be made smaller.
  init(
    _ history: OpenHistory, _ choice: SessionChoice, _ kinds: KindChoice, _ search: Search,
    _ engine: ReplayEngine, progress: ProgressLine
  ) throws {
    self.history = history
    self.kinds = kinds
    let target = Target(
      history: history, choice: choice, kinds: kinds, search: search, engine: engine)
    let (session, minimizer, others) = try history.doing("Minimizing") {
      try target.minimizer($0)
    }
    self.session = session
    self.others = others
    result = try history.saying("Minimizing") { _ in
      try minimizer.run { now in
        progress.tell(
          "\(Decimal.count(now.requests, "request")) left, \(Decimal.count(now.runs, "run"))")
      }
    }
    played = try minimizer.run(of: result)
  }
}

/// Looks for what is to be made smaller.
private struct Target {
  let history: OpenHistory
  let choice: SessionChoice
  let kinds: KindChoice
  let search: SessionMinimization.Search
  let engine: ReplayEngine

  func minimizer(_ reader: HistoryReader) throws -> (SessionRecord, Minimizer, others: Int) {
    let sessions = try choice.sessions(of: history)
    try choice.checkNames(sessions, of: history)
    try choice.checkNames(kinds.controllers, sessions, of: history)
    do {
      for session in sessions {
        if let (minimizer, others) = try minimizer(session, reader) {
          return (session, minimizer, others)
        }
      }
      if let text = kinds.text { throw Failure.nothingBroken(by: text, history) }
      throw search.wanted.missing("Minimizing '\(history.path)'")
    } catch let error as MinimizerError {
      throw Failure(error, history.path, known: engine.names)
    }
  }

  /// What makes a session smaller; none if it does not show what is meant.
  private func minimizer(
    _ session: SessionRecord, _ reader: HistoryReader
  ) throws -> (Minimizer, others: Int)? {
    let controllers = try reader.controllers(session: session.id).filter(choice.means)
    // What another controller breaks is not in the recording.
    let found = kinds.isEmpty ? try search.wanted.findings(session, choice, reader) : []
    if kinds.isEmpty, found.isEmpty { return nil }
    do {
      let minimizer = try engine.minimizer(
        session, reader, keeping: found.first?.finding,
        with: kinds.replacement(of: controllers), about: Set(controllers.map(\.id)),
        search.options)
      return (minimizer, max(0, found.count - 1))
    } catch MinimizerError.nothingBroken {
      return nil
    }
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

  fileprivate init(_ error: MinimizerError, _ path: String, known: [String]) {
    let advice: String =
      switch error {
      case .nothingBroken: "The subcommand 'check' says what the rules find."
      case .notPlayed: "Choose another with '--rule' or '--finding'."
      case .unknownController:
        "Register an app's own in the tool that links it. There are "
          + "\(known.joined(separator: ", "))."
      case .hasGaps: "Take a history that is whole; the subcommand 'doctor' says what is lost."
      case .beginsLate: "Record from the controller's beginning on, and do not prune."
      case .tellsTooLittle: "Let the app's probe report in full."
      case .tooLong: "Give it more with '--time'."
      case .notReproduced:
        "That a state is silent is no fault of its controller. Where else it parts from what was "
          + "recorded, the subcommand 'replay' says."
      }
    self.init(
      status: .inconclusive, message: "Minimizing '\(path)': \(error)", advice: advice)
  }
}
