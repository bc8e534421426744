import StatyHistory

/// Which sessions and controllers of the files the command line means.
struct SessionChoice {
  let session: Int64?
  let controllers: [String]

  static let options: [OptionSpec] = [
    .valued("session", "n", "Only the session with this number."),
    .valued("controller", "name", "Only the controllers recorded under this name.").repeatable,
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    session = try arguments.seq("session")
    controllers = arguments.texts("controller")
  }

  init(session: Int64?, controllers: [String]) {
    self.session = session
    self.controllers = controllers
  }

  /// All that there is.
  static let all = SessionChoice(session: nil, controllers: [])

  /// The sessions of a file that are meant, which are as they were stored; the error lists those
  /// there are.
  ///
  /// - Parameter verifying: whether it fails if one is not as it was stored. Who says no verifies
  ///   those that it judges, or only lists them and says so with ``OpenHistory/noteDamage(_:_:)``.
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

  /// Whether a controller is meant.
  func means(_ controller: ControllerRecord?) -> Bool {
    guard let controller else { return controllers.isEmpty }
    return controllers.isEmpty || controllers.contains(controller.name)
  }

  /// Fails if a name was given that no controller of the sessions has; says which names there are.
  func checkNames(_ sessions: [SessionRecord], of history: OpenHistory) throws {
    try checkNames(controllers, sessions, of: history)
  }

  /// Fails if one of these names is none of a controller of the sessions.
  func checkNames(
    _ controllers: [String], _ sessions: [SessionRecord], of history: OpenHistory
  ) throws {
    if controllers.isEmpty { return }
    var known: Set<String> = []
    for session in sessions {
      known.formUnion(try history.reader.controllers(session: session.id).map(\.name))
    }
    guard let missing = controllers.first(where: { !known.contains($0) }) else { return }
    let nearest = Spelling.nearest(to: missing, among: known.sorted())
    let listed = known.sorted().prefix(12).map { "'\($0)'" }.joined(separator: ", ")
    throw Failure(
      status: .usage,
      message: "No controller in '\(history.path)' is called '\(missing)'."
        + (nearest.map { " Did you mean '\($0)'?" } ?? ""),
      advice: known.isEmpty ? "No controller was recorded." : "Recorded are \(listed).")
  }
}

extension Failure {
  /// There is nothing in a history of which anything could be said.
  ///
  /// - Parameter question: what cannot be said: whether this is so.
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
