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

  /// Fails if no controller of the sessions has a given name; lists the existing names.
  func checkNames(_ sessions: [SessionRecord], of history: OpenHistory) throws {
    try checkNames(controllers, sessions, of: history)
  }

  /// Fails if no controller of the sessions has one of these names.
  func checkNames(
    _ controllers: [String], _ sessions: [SessionRecord], of history: OpenHistory
  ) throws {
    if controllers.isEmpty { return }
    var known: Set<String> = []
    for session in sessions {
      known.formUnion(try history.reader.controllers(session: session.id).map(\.name))
    }
    guard let missing = controllers.first(where: { !known.contains($0) }) else { return }
    let listed = known.sorted().prefix(12).map { "'\($0)'" }.joined(separator: ", ")
    throw Failure(
      status: .usage,
      message: "No controller in '\(history.path)' is called '\(missing)'."
        + Spelling.question(missing, among: known.sorted()),
      advice: known.isEmpty ? "No controller was recorded." : "Recorded are \(listed).")
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
