import StatyHistory

/// The sessions and controllers that the command line selects.
struct SessionChoice {
  let session: Int64?
  let controllers: [String]

  static let options: [OptionSpec] = [
    .valued("session", "n", "Only the session with this number."),
    .valued("controller", "name", "Only the controllers recorded under this name.").repeatable,
  ]

  init(_ arguments: ParsedArguments) {
    session = arguments.number("session")
    controllers = arguments.texts("controller")
  }

  init(session: Int64?, controllers: [String]) {
    self.session = session
    self.controllers = controllers
  }

  /// Everything.
  static let all = SessionChoice(session: nil, controllers: [])

  /// The selected sessions of a file, verified; the error lists the existing ones.
  ///
  /// - Parameter verifying: whether it fails if one differs from what was stored. A caller that
  ///   passes `false` verifies the sessions that it judges, or only lists them and reports damage
  ///   with ``OpenHistory/noteDamage(_:_:)``.
  func sessions(
    of history: OpenHistory, verifying: Bool = true
  ) throws -> [SessionRecord] {
    let sessions = try meant(history)
    if verifying { for session in sessions { try history.verify(session) } }
    return sessions
  }

  private func meant(_ history: OpenHistory) throws -> [SessionRecord] {
    let sessions = try history.reader.sessions()
    guard let session else { return sessions }
    let chosen = sessions.filter { $0.id == session }
    guard chosen.isEmpty else { return chosen }
    let numbers = sessions.prefix(8).map { "\($0.id)" }.joined(separator: ", ")
    throw Failure(
      status: .usage, message: "There is no session \(session) in '\(history.path)'.",
      advice: sessions.isEmpty
        ? "There is none at all."
        : "There \(sessions.count == 1 ? "is only" : "are") \(numbers)"
          + (sessions.count > 8 ? " and others; the subcommand 'sessions' lists them." : "."))
  }

  /// Whether a controller is selected.
  func means(_ controller: ControllerRecord?) -> Bool {
    guard let controller else { return controllers.isEmpty }
    return controllers.isEmpty || controllers.contains(controller.name)
  }

  /// Fails if no controller of the sessions has a given name, or one of these; lists the existing
  /// names.
  func checkNames(
    _ sessions: [SessionRecord], and others: [String] = [], of history: OpenHistory
  ) throws {
    let wanted = controllers + others
    if wanted.isEmpty { return }
    var known: Set<String> = []
    for session in sessions {
      known.formUnion(try history.reader.controllers(session: session.id).map(\.name))
    }
    if let missing = wanted.first(where: { !known.contains($0) }) {
      throw Failure(
        missing, isNo: "controller", among: known.sorted(), of: history, session: session)
    }
  }
}

extension OpenHistory {
  /// Fails if nothing in the file has one of these names; lists the states.
  func checkStates(_ states: [String]) throws {
    if states.isEmpty { return }
    let names = Set(try reader.names().values)
    if let missing = states.first(where: { !names.contains($0) }) {
      throw Failure(missing, isNo: "state", among: try reader.stateNames(), of: self)
    }
  }
}

extension Failure {
  /// The failure if nothing in a history has a given name.
  fileprivate init(
    _ missing: String, isNo kind: String, among known: [String], of history: OpenHistory,
    session: Int64? = nil
  ) {
    let most = 12
    let listed = known.prefix(most).map { "'\($0)'" }.joined(separator: ", ")
    self.init(
      status: .usage,
      message: "No \(kind) in \(session.map { "session \($0) of " } ?? "")'\(history.path)' is "
        + "called '\(missing)'."
        + Spelling.question(missing, among: known),
      advice: known.isEmpty
        ? "No \(kind) was recorded."
        : "Recorded are \(listed)\(known.count > most ? " and others" : "").")
  }
}

extension Failure {
  /// The failure if a history has no session to judge.
  ///
  /// - Parameter question: what cannot be answered.
  static func noSession(
    in history: OpenHistory, doing: String, asked question: String
  ) -> Failure {
    Failure(
      status: .inconclusive,
      message: "\(doing) '\(history.path)': it cannot be said whether \(question), for there is no "
        + "session in it.",
      advice: "Take the file that the app has recorded into.")
  }
}
