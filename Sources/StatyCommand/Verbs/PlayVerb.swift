import StatyHistory

/// `staty play`: goes through a history event by event, forward and back.
struct PlayVerb: Verb {
  static let spec = VerbSpec(
    name: "play", abstract: "Go through a history event by event, forward and back.",
    discussion: """
      At each event: what it happened in, who is on screen, who waits and what is awaited. The arrows \
      step, space plays and stops, 'g' goes to the event of a number, 'n' to the next finding, 'm' to \
      the next mark ('N' and 'M' go back), 'b' to the first event, 'e' to the last, 'q' quits.

      Where there is no terminal, the state at '--at' is printed.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: [
      .valued("session", "n", "The session with this number. Default: the last one."),
      .valued(
        "controller", "name", "Show only the controllers recorded under this name."
      ).repeatable,
      .valued(
        "at", "seq",
        "Begin at the event with this number. Default: the first; where there is no terminal, the last."
      ),
      .valued("speed", "n", "How many times as fast as it was recorded to play. Default: 1."),
      .valued("idle", "time", "How long nothing may happen while playing. Default: 1s."),
    ])

  private let path: String
  private let choice: SessionChoice
  private let seq: Int64?
  private let pace: PlayLoop.Pace

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments.arguments[0]
    choice = try SessionChoice(arguments)
    seq = try arguments.seq("at")
    var pace = PlayLoop.Pace()
    if let text = arguments.text("speed") {
      guard let speed = Double(text), speed.isFinite, (0.001...100_000).contains(speed) else {
        throw arguments.misuse(
          "The value '\(text)' is invalid for '--speed <n>'. Please provide a number such as '0.5' or "
            + "'10'.")
      }
      pace.speed = speed
    }
    pace.idle = try arguments.duration("idle", atMost: 86_400_000_000) ?? pace.idle
    self.pace = pace
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(path)
    defer { history.noteWaiting(run) }
    let record = try history.doing("Reading the sessions of") { _ in
      let records = try choice.sessions(of: history, verifying: false)
      try choice.checkNames(records, of: history)
      if let last = records.last { try history.verify(last) }
      return records.last
    }
    guard let record else {
      run.note("There is no session.")
      return .done
    }
    try history.saying("Playing") { reader in
      var played = try PlayedHistory(record, reader)
      guard played.now.event != nil else {
        return run.note("There is no event in session \(record.id).")
      }
      try begin(&played, run)
    }
    return .done
  }

  private func begin(_ played: inout PlayedHistory, _ run: ToolRun) throws {
    if let seq {
      try played.go(to: seq)
      guard played.now.seq == seq else {
        throw Failure(
          status: .usage,
          message: "There is no event \(seq) in session \(played.session.record.id) of '\(path)'.",
          advice: "The nearest before it is \(played.now.seq).")
      }
    }
    if run.console.hasKeyboard {
      let terminal = try PlayTerminal(run.console)
      var loop = PlayLoop(played, choice, style: run.style, pace: pace)
      return try loop.run(terminal)
    }
    if seq == nil {
      try played.go(to: .max)
      run.note("Note: this is no terminal, so the last event is shown; '--at' shows another.")
    }
    let screen = PlayScreen(played, choice, width: run.console.width, style: run.style)
    try run.print(screen.lines().map { $0 + "\n" }.joined())
  }
}
