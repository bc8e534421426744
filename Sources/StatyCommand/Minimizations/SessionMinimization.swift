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

  /// What is to be kept, and how far to go.
  struct Search {
    var options: Minimizer.Options
    /// The number of the guilty event; none for the first that breaks a rule that is meant.
    var seq: Int64?
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
    let (session, minimizer) = try history.doing("Minimizing") { try target.minimizer($0) }
    self.session = session
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

  func minimizer(_ reader: HistoryReader) throws -> (SessionRecord, Minimizer) {
    let sessions = try choice.sessions(of: history)
    try choice.checkNames(sessions, of: history)
    try choice.checkNames(kinds.controllers, sessions, of: history)
    do {
      for session in sessions {
        if let minimizer = try minimizer(session, reader) { return (session, minimizer) }
      }
      throw MinimizerError.nothingBroken
    } catch let error as MinimizerError {
      if error == .nothingBroken, let text = kinds.text {
        throw Failure.nothingBroken(by: text, history)
      }
      if error == .nothingBroken, let seq = search.seq { throw Failure.noFinding(seq, history) }
      if error == .nothingBroken, let codes = search.options.codes {
        throw Failure.notBroken(codes, history)
      }
      throw Failure(error, history.path, known: engine.names)
    }
  }

  /// What makes a session smaller; none if it does not show what is meant.
  private func minimizer(
    _ session: SessionRecord, _ reader: HistoryReader
  ) throws -> Minimizer? {
    let controllers = try reader.controllers(session: session.id).filter(choice.means)
    let numbers = Set(controllers.map(\.id))
    // What another controller breaks is not in the recording.
    let finding = kinds.isEmpty ? try finding(session, numbers, reader) : nil
    if kinds.isEmpty, finding == nil { return nil }
    do {
      return try engine.minimizer(
        session, reader, keeping: finding, with: kinds.replacement(of: controllers),
        about: numbers, search.options)
    } catch MinimizerError.nothingBroken {
      return nil
    }
  }

  private func finding(
    _ session: SessionRecord, _ controllers: Set<Int32>, _ reader: HistoryReader
  ) throws -> Finding? {
    try HistoryCheck(reader).session(session.id).findings.first { finding in
      guard controllers.contains(finding.controller) else { return false }
      if let seq = search.seq, seq != finding.seq { return false }
      if let codes = search.options.codes { return codes.contains(finding.code) }
      return search.seq != nil || finding.severity == .error
    }
  }
}

extension Failure {
  fileprivate static func noFinding(_ seq: Int64, _ history: OpenHistory) -> Failure {
    Failure(
      status: .usage,
      message: "Minimizing '\(history.path)': no rule that is meant is broken at event \(seq).",
      advice: "The subcommand 'check' says what the rules find, and at which event.")
  }

  fileprivate static func notBroken(_ codes: Set<RuleCode>, _ history: OpenHistory) -> Failure {
    let names = codes.map { "'\($0.rawValue)'" }.sorted().joined(separator: " or ")
    return Failure(
      status: .inconclusive,
      message: "Minimizing '\(history.path)': nothing in it breaks \(names).",
      advice: "The subcommand 'check' says what the rules find.")
  }

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
      case .notReproduced:
        "That a state is silent is no fault of its controller. Where else it parts from what was "
          + "recorded, the subcommand 'replay' says."
      }
    self.init(
      status: .inconclusive, message: "Minimizing '\(path)': \(error)", advice: advice)
  }
}
