import StatyHistory
import StatyReplay
import StatyRules

/// `staty filter`: verdicts of sessions that come in as lines, for engines that run over many.
struct FilterVerb: Verb {
  static let spec = VerbSpec(
    name: "filter", abstract: "Judge sessions that come in as lines, a verdict a line.",
    discussion: """
      Reads events as 'export' writes them from standard input, and writes an object of JSON for \
      each session: what the rules find, and with '--replay' what a replay gives. Sessions may \
      come one after the other, or mixed if each line says by 'uuid' whose it is, as those of \
      'export --partitioned' do; in a session lines are in order. One of which only a part comes is \
      judged as far as it goes, and said to be incomplete; lines that make no sense are told of in \
      their session's verdict.

      Made for engines that pipe partitions through a program: it keeps nothing, its memory follows \
      the visits that are open, and it ends with success whatever it finds.
      """,
    options: [
      .flag("replay", "Replay each session, too; it is spooled into a file meanwhile."),
      .valued(
        "most-open", "n",
        "How many sessions may be open at once; then the oldest is broken off. Default: 1000, with "
          + "'--replay' 50."),
    ])

  private let replays: Bool
  private let mostOpen: Int

  init(_ arguments: ParsedArguments) throws(UsageError) {
    replays = arguments.has("replay")
    mostOpen = Int(
      try arguments.number("most-open", in: 1...1_000_000) ?? (replays ? 50 : 1_000))
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    do {
      try replays ? replay(run) : judge(run)
      return .done
    } catch let error as HistoryError {
      throw Failure(error, doing: "Filtering")
    }
  }

  private func judge(_ run: ToolRun) throws {
    try drive(run, keeper: { JudgedLines() }, store: { $0 }) { judged, isComplete in
      FilterVerdict.Judgement(
        judged.findings(), names: judged.names, controllers: judged.controllers,
        lost: judged.losses.reduce(0) { $0 &+ $1.count }, isComplete: isComplete)
    }
  }

  private func replay(_ run: ToolRun) throws {
    let folder = try ScratchFolder()
    try drive(run, keeper: { try folder.history() }, store: \.writer) { history, isComplete in
      try FilterVerdict.Judgement(HistoryReader(path: history.path), run.engine, isComplete)
    }
  }

  /// Reads to the end of standard input, and writes what is to be said of each session.
  private func drive<Keeper>(
    _ run: ToolRun, keeper: @escaping () throws -> Keeper,
    store: @escaping (Keeper) -> any LineStore,
    _ judge: @escaping (Keeper, _ isComplete: Bool) throws -> FilterVerdict.Judgement
  ) throws {
    let input = try InputText("-")
    var stream = SessionStream(mostOpen: mostOpen, makeKeeper: keeper, store: store) { ended in
      let judgement =
        try ended.problem == nil ? ended.keeper.map { try judge($0, ended.isComplete) } : nil
      let verdict = FilterVerdict(
        ended.opening, events: ended.events, isComplete: ended.isComplete,
        problem: ended.problem, judgement)
      try run.print(verdict.json.line + "\n")
    }
    while true {
      let part = try input.next()
      if part.isEmpty { break }
      try stream.take(part)
    }
    try stream.finish()
  }
}

extension FilterVerdict.Judgement {
  /// What the rules and a replay say of the one session of a history.
  fileprivate init(
    _ reader: HistoryReader, _ engine: ReplayEngine, _ isComplete: Bool
  ) throws {
    guard let session = try reader.sessions().first else { throw HistoryError.empty }
    let controllers = try reader.controllers(session: session.id)
    self.init(
      try HistoryCheck(reader).session(session.id).findings, names: try reader.names(),
      controllers: controllers,
      lost: try reader.losses(session: session.id).reduce(0) { $0 &+ $1.count },
      isComplete: isComplete)
    replay = try engine.replay(
      session, reader, through: nil, with: .none, about: Set(controllers.map(\.id)))
  }
}
