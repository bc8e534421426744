import StatyHistory
import StatyReplay
import StatyRules

/// `staty minimize`: finds the fewest requests of a history that break a rule.
struct MinimizeVerb: Verb {
  static let spec = VerbSpec(
    name: "minimize",
    abstract: "Reduce a history to the fewest requests and messages that break the same rule.",
    discussion: """
      The recording is played again with fewer and fewer requests and messages, as long as the same rule is \
      broken at the visits of the same requests. Every possible order of the rest is searched for \
      one with fewer steps, and for one with a request less. The result is a history like any other.

      When a request is left out, everything that was requested because of it is left out too or, if \
      that is too much, the request alone. When a message is left out, so are its answers. Only a broken rule can be minimized, not a replay that diverges without one. Of \
      several errors the first is kept, unless '--rule' or '--finding' chooses another.

      Exits with 0 if each remaining request was tried without, 2 if a limit was reached before, no \
      rule is broken, or the recording cannot be played again: events are missing, it records too \
      little, or the controller is not known.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: SessionChoice.options + [
      .kinds(
        "Play controllers of this kind, such as 'latest', or one of them, as in 'checkout=latest', "
          + "and keep what they break first.")
    ] + FindingChoice.options("Keep", where: \.isPlayed)
      + OptionSpec.limits("a search of all orders", "it")
      + OptionSpec.historyOutput("Write what is left as a history."))

  let arguments: ParsedArguments

  init(arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    if arguments.has("finding"), arguments.has("with") {
      throw arguments.misuse(
        "'--finding' is about what was recorded, and '--with' about what another controller does.")
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let plan = try ReplayPlan(arguments, run)
    let out = try OutputHistory.ifNamed(arguments, doing: "Minimizing")
    let history = try OpenHistory(arguments.path, progress: run.progress)
    defer { history.noteWaiting(run) }
    var minimization = try SessionMinimization(
      history, plan: plan, SessionMinimization.Search(arguments), progress: run.progress)
    if let out {
      try minimization.played.write(out.writer, asApp: ScheduleRun.minimizedAppName)
      try out.close()
    }
    minimization.output = arguments.output.path
    minimization.next = try next(minimization, run)
    var report = VerdictReport(
      SessionMinimization.words, verb: "minimize", arguments, run,
      delivery: try Delivery(OutputChoice(path: nil, of: arguments), run.console))
    try report.add([minimization])
    try report.finish()
    return minimization.status
  }

  /// What to try next with the minimized run.
  private func next(
    _ minimization: SessionMinimization, _ run: ToolRun
  ) throws -> [NextSteps.Step] {
    guard let path = arguments.output.path else {
      // The same command line, with an output file.
      let words = arguments.words(but: ["output", "force", "json", "quiet", "color"])
      let file = ShellWords.quoted(arguments.path)
      let command = [run.tool, "minimize"] + words + ["-o", "small.sqlite", file]
      return [.init(text: "Keep it as a history:", command: command.joined(separator: " "))]
    }
    let file = ShellWords.quoted(path)
    let show = NextSteps.Step(
      text: "What happens in it, event by event:", command: "\(run.tool) show \(file)")
    guard let (words, maker) = try test(of: minimization.result.finding, run) else { return [show] }
    return [
      show,
      .init(
        text: "A test that fails until the controller is fixed\(maker.note):",
        command: ([run.tool, "test"] + words + [file]).joined(separator: " ")),
    ]
  }

  /// The words that generate a test of the result, and what makes its controller; none if no test can be
  /// generated.
  private func test(
    of finding: Finding, _ run: ToolRun
  ) throws -> ([String], TestSubject.Maker)? {
    guard finding.isSought, let path = arguments.output.path else { return nil }
    return try OpenHistory(path).doing("Trying") { reader in
      let choice = FindingChoice(codes: [finding.code])
      guard let subject = try TestSubject(reader.sessions(), .all, choice, reader, run.registry)
      else {
        return nil
      }
      guard (try? subject.writer(reader, run.registry, right: nil)) != nil else { return nil }
      return (["--rule", finding.code.rawValue] + subject.maker.words, subject.maker)
    }
  }
}

extension SessionMinimization.Search {
  /// The options of the command line.
  fileprivate init(_ arguments: ParsedArguments) {
    var options = Minimizer.Options()
    (options.mostSteps, options.mostBytes, options.time) = arguments.limits
    options.codes = arguments.rules
    self.init(
      options: options,
      wanted: FindingChoice(codes: options.codes, seq: arguments.number("finding")))
  }
}
