import StatyHistory

/// `staty play`: plays a history event by event, forward and back.
struct PlayVerb: Verb {
  static let spec = VerbSpec(
    name: "play", abstract: "Step through a history event by event, forward and back.",
    discussion: """
      At each event: what it happened in, what is on screen, what is pending and what is awaited. \
      The arrows step, space plays and stops, '+' and '-' change the speed, 'g' goes to the event of \
      a number, 'n' to the next finding, 'N' to the one before, 'b' to the first event, 'e' to the \
      last, 'q' quits. Where there is no terminal, the state at '--at' is printed.
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
    ])

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(arguments.path)
    defer { history.noteWaiting(run) }
    let record = try history.doing("Reading the sessions of") { _ in
      let choice = SessionChoice(arguments)
      let records = try choice.sessions(of: history, verifying: false)
      try choice.checkNames(records, of: history)
      let seq = arguments.number("at")
      let meant = records.last { $0.firstSeq <= seq ?? .max } ?? records.last
      if let meant { try history.verify(meant) }
      return meant
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
    let (seq, choice) = (arguments.number("at"), SessionChoice(arguments))
    if let seq {
      try played.go(to: seq)
      guard played.now.seq == seq else {
        throw Failure(
          status: .usage,
          message:
            "There is no event \(seq) in session \(played.session.record.id) of '\(arguments.path)'.",
          advice: played.now.seq < seq
            ? "The nearest before it is \(played.now.seq)." : "The first is \(played.now.seq).")
      }
    }
    if run.console.hasKeyboard {
      let terminal = try PlayTerminal(run.console)
      var loop = PlayLoop(played, choice, style: run.style)
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
