import StatyHistory
import StatyReplay

/// What to replay, and how.
struct ReplayPlan {
  let choice: SessionChoice
  /// The number of the event to end with.
  let last: Int64?
  /// The kinds of controller to replay with instead of the recorded ones.
  let kinds: KindChoice
  /// What makes the controllers.
  let registry: ControllerRegistry
  /// The name of the tool.
  let tool: String

  /// The number of the event to end with in this session.
  ///
  /// - Parameter pin: the last event of the file when the first run began: later events are ignored
  ///   in every run.
  func end(of session: SessionRecord, pin: Int64?) -> Int64? {
    guard session.ended == .open, let pin else { return last }
    return min(last ?? pin, pin)
  }

  /// The selected sessions of a file; fails if a given name does not exist.
  ///
  /// - Parameter verifying: whether it also fails if one differs from what was stored.
  func sessions(
    of history: OpenHistory, verifying: Bool = true
  ) throws -> [SessionRecord] {
    let chosen = try choice.sessions(of: history, verifying: verifying)
    try choice.checkNames(chosen, and: kinds.controllers, of: history)
    guard let last else { return chosen }
    let end = chosen.compactMap(\.lastSeq).max() ?? 0
    guard last <= end else {
      let place = choice.session.map { "session \($0) of " } ?? ""
      throw Failure(
        status: .usage, message: "There is no event \(last) in \(place)'\(history.path)'.",
        advice: end == 0 ? "There is none at all." : "The last is \(end).")
    }
    let begun = chosen.filter { $0.firstSeq <= last }
    guard begun.isEmpty, let first = chosen.first else { return begun }
    throw Failure(
      status: .usage,
      message: "Event \(last) of '\(history.path)' comes before session \(first.id).",
      advice: "Its first is \(first.firstSeq).")
  }

  /// The plan as words of a command line.
  var words: [String] {
    var words = choice.controllers.map { "--controller=\($0)" }
    if let last { words.append("--until=\(last)") }
    return words + kinds.words
  }
}

extension ReplayPlan {
  /// The plan of a command line.
  init(_ arguments: ParsedArguments, _ run: ToolRun) throws(UsageError) {
    let choice = SessionChoice(arguments)
    self.init(
      choice: choice, last: arguments.number("until"),
      kinds: try KindChoice(arguments, choice, known: run.registry.names), registry: run.registry,
      tool: run.tool)
  }
}
