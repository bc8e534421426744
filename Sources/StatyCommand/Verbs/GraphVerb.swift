import StatyHistory
import StatyReport

/// `staty graph`: a drawing of states and the moves between them.
struct GraphVerb: Verb {
  static let spec = VerbSpec(
    name: "graph", abstract: "Draw states and transitions as a graph.",
    discussion: """
      Each transition has its count and the median of its time, from the request until the state has \
      entered; each state has its count and the median of its time on screen. All sessions of the file \
      are drawn together unless one is named.

      Where a controller keeps to routes, those that were never taken are dashed, and transitions that \
      no route declares are red. The text is a flowchart of Mermaid, which many draw in Markdown.

      With '--sequence' it is a sequence diagram of one session, the last unless one is named: who asked \
      whom, with the numbers of the events. What came from outside comes from 'user' if it answers \
      nothing; answers and the reports of states come from 'platform'.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: SessionChoice.options + [
      .flag("sequence", "Draw who asked whom, as a sequence diagram.")
    ] + EventFilter.times + [
      .valued(
        "limit", "n", "No more than the last of these arrows and notes; 0 for all. Default: 40.")
    ] + OptionSpec.output)

  let arguments: ParsedArguments

  init(arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    let alone = ["since", "until", "limit"].first(where: arguments.has)
    if let alone, !arguments.has("sequence") {
      throw arguments.misuse("'--\(alone)' is for a sequence diagram: add '--sequence'.")
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(arguments.path, progress: run.progress)
    defer { history.noteWaiting(run) }
    let delivery = try Delivery(arguments.output, run.console)
    if arguments.has("sequence") {
      try delivery.write(try sequence(history, run))
      try delivery.finish()
      return .done
    }
    let graph = try history.doing("Drawing") { reader in
      let choice = SessionChoice(arguments)
      let sessions = try choice.sessions(of: history, verifying: false)
      try choice.checkNames(sessions, of: history)
      history.noteDamage(sessions, run)
      return try TransitionGraph(reader, sessions) { choice.means($0) }
    }
    if graph.controllers.isEmpty { run.note("No controller was recorded.") }
    try delivery.write(graph.mermaid)
    try delivery.finish()
    return .done
  }

  private func sequence(_ history: OpenHistory, _ run: ToolRun) throws -> String {
    let diagram = try history.doing("Drawing") { reader in
      let filter = EventFilter(arguments)
      let sessions = try filter.choice.sessions(of: history, verifying: false)
      guard let session = sessions.last else { return nil as SequenceDiagram? }
      if sessions.count > 1 {
        run.note("Note: session \(session.id) is drawn, the last; '--session' selects another.")
      }
      try filter.checkNames([session], of: history)
      history.noteDamage([session], run)
      let wanted = filter.wanted(
        of: try ListedSession(session, reader), end: try filter.end(sessions, history))
      return try SequenceDiagram(
        reader, session: session, times: wanted.times ?? .max ... .max,
        limit: arguments.limit(orElse: 40)
      ) { filter.choice.means($0) }
    }
    if diagram?.isCut == true {
      run.note(
        "Note: only the last \(arguments.limit(orElse: 40)) are drawn; more with '--limit', others "
          + "with '--since' and '--until'.")
    }
    if diagram?.isEmpty ?? true { run.note("There is no such event.") }
    return diagram?.mermaid ?? "sequenceDiagram\n"
  }
}
