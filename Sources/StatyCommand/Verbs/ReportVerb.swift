import StatyHistory
import StatyReplay
import StatyReport

/// `staty report`: writes a history as an HTML page.
struct ReportVerb: Verb {
  static let spec = VerbSpec(
    name: "report", abstract: "Create an HTML report.",
    discussion: """
      The page is one file that needs no network: lanes to zoom, the state of every controller at \
      any moment, findings that lead to their place, and tables of the times. It contains no \
      payloads. The newest session is shown first; a menu has the others, as many of the newest as \
      have '--limit' events together. With '--replay' each session in the page is replayed as by \
      'replay', and divergences are shown side by side. With '--outcomes' each is searched as by 'explore', \
      for ten seconds at most, and two orders that end differently are shown below each other, with \
      the first difference marked. The exit is 0 all the same. A session that is not as it was stored \
      is refused (65).

      With '--follow' the page shows what is recorded from now on, until Ctrl-C: it reads the script \
      'live.js' next to 'live.html' again and again, and needs no server.

      The address of the page names the event that is shown: 'page.html#12' opens it at event 12.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: SessionChoice.options + [
      .flag("replay", "Replay the sessions, and show where they diverge."),
      .flag("outcomes", "Search how else the sessions can end, and show where two orders part."),
      .flag("follow", "Keep the page up to date while the app records.")
        .excluding("replay", "outcomes", "session"),
      .flag("open", "Open the page."),
      .valued(
        "limit", "n",
        "How many events the page may have, the newest; 0 for all. Default: 300000."),
    ] + OptionSpec.output)

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let path = arguments.output.path
    if arguments.has("open"), path == nil {
      throw Failure(
        status: .usage, message: "'--open' opens the page, which needs a name.",
        advice: "Add '-o report.html'.")
    }
    func open() { if let path, arguments.has("open") { PageOpener.open(path, run) } }
    if arguments.has("follow") {
      var follower = try PageFollower(arguments, run) { history, reader, live, delivery in
        try write(history, reader, live, delivery, run)
      }
      try follower.follow(opened: open)
      return .done
    }
    let history = try OpenHistory(arguments.path, progress: run.progress)
    defer { history.noteWaiting(run) }
    let delivery = try Delivery(arguments.output, run.console)
    try history.doing("Reporting on") { try write(history, $0, nil, delivery, run) }
    try delivery.finish()
    open()
    return .done
  }

  private func write(
    _ history: OpenHistory, _ reader: HistoryReader, _ live: ReportPage.Live?,
    _ delivery: Delivery, _ run: ToolRun
  ) throws {
    let choice = SessionChoice(arguments)
    let most = arguments.limit(orElse: 300_000)
    let records = try choice.sessions(of: history, verifying: false)
    // A name may still be recorded while the page follows.
    if live == nil { try choice.checkNames(records, of: history) }
    let here = try inPage(records, reader, most: most)
    let page = ReportPage(
      reader, file: history.path.lastComponent,
      made: "Made by \(run.tool) \(StatyTool.version).",
      sessions: try records.map { try session($0, isHere: here.contains($0.id), history, run) },
      most: most, live: live)
    try page.write(where: choice.means) { try delivery.write($0) }
  }

  /// The sessions with events in the page: the newest, up to the limit of events, and the newest of
  /// all in any case.
  private func inPage(
    _ records: [SessionRecord], _ reader: HistoryReader, most: Int
  ) throws -> Set<Int64> {
    let choice = SessionChoice(arguments)
    var (chosen, events) = (Set<Int64>(), Int64(0))
    for record in records.reversed() {
      // In the session that is followed a controller may still come.
      let isMeant =
        try choice.controllers.isEmpty || arguments.has("follow") && chosen.isEmpty
        || reader.controllers(session: record.id).contains(where: choice.means)
      guard isMeant else { continue }
      events &+= record.stored
      if !chosen.isEmpty, events > most { break }
      chosen.insert(record.id)
    }
    return chosen
  }

  /// A session of the page's menu.
  ///
  /// Fails if it is in the page and differs from what was stored.
  private func session(
    _ record: SessionRecord, isHere: Bool, _ history: OpenHistory, _ run: ToolRun
  ) throws -> ReportPage.Session {
    if isHere { try history.verify(record) }
    let lost = try history.reader.losses(session: record.id).reduce(0) { $0 &+ $1.count }
    return ReportPage.Session(
      record: record, started: Decimal.date(record.wallTime), lost: lost, isHere: isHere,
      replay: isHere && arguments.has("replay") ? try replay(of: record, history, run) : nil,
      outcomes: isHere && arguments.has("outcomes") ? try outcomes(of: record, history, run) : nil)
  }

  private func plan(_ record: SessionRecord, _ run: ToolRun) -> ReplayPlan {
    ReplayPlan(
      choice: SessionChoice(session: record.id, controllers: arguments.texts("controller")),
      last: nil, kinds: KindChoice(), registry: run.registry, tool: run.tool)
  }

  private func outcomes(
    of record: SessionRecord, _ history: OpenHistory, _ run: ToolRun
  ) throws -> String? {
    var options = Explorer.Options()
    options.time = .seconds(10)
    let plan = plan(record, run)
    options.allowed = try AllowedOutcomes(
      beside: history.path, named: nil, isWritten: false
    ).texts(of: AllowedOutcomes.heading(of: record, plan))
    do {
      let exploration = try SessionExploration(
        record, of: history, plan: plan,
        .init(options: options, mayBeSilent: false, isStrict: false, hidesValues: true),
        progress: run.progress)
      try noteDoubt(exploration, record, history, run)
      return exploration.page.line
    } catch let failure as Failure {
      // The rest of the page is wanted all the same.
      run.report(failure)
      return nil
    }
  }

  private func replay(
    of record: SessionRecord, _ history: OpenHistory, _ run: ToolRun
  ) throws -> String? {
    let outcome = try ReplayRuns.verifying(plan(record, run)).replays(
      of: history, isRepeated: true, executable: run.executable)
    for failure in outcome.failures { run.report(failure) }
    guard let replay = outcome.replays.first else { return nil }
    try noteDoubt(replay, record, history, run)
    return try replay.json(file: history.path.lastComponent).line
  }

  /// Says what could not be judged: the page may be opened much later.
  private func noteDoubt<Judged: Verdict>(
    _ verdict: Judged, _ record: SessionRecord, _ history: OpenHistory, _ run: ToolRun
  ) throws {
    guard verdict.status == .inconclusive else { return }
    let said = "\(Judged.deed): \(verdict.word): \(try verdict.sentence)"
    run.note("Note: \(history.called), session \(record.id), \(said)")
  }
}
