import StatyReplay

/// `staty why`: what led to an event or a finding, and the nearest order without it.
struct WhyVerb: Verb {
  static let spec = VerbSpec(
    name: "why", abstract: "Say what led to something, and in which order it does not happen.",
    discussion: """
      Name an event by its number, a finding by its rule, or a visit as '#3'; by default it is the \
      first error, else the first warning. The answer is the chain of what led to it, from what came from outside; of a \
      visit that has not entered, which one is on screen and what it waits for; and the nearest order \
      without it: the recorded one, but for one thing that comes earlier or later. That order has been played \
      to its end with the controllers of the recording.

      Exits with 0 if the nearest order is known, and with 2 if it is not.
      """,
    arguments: [
      ArgumentSpec(name: "file", help: "A history."),
      ArgumentSpec(
        name: "what", help: "An event's number, a rule's code, or a visit such as '#3'.",
        isOptional: true),
    ],
    options: SessionChoice.options + [
      .valued("time", "time", "How long the nearest order may be searched for. Default: 2s."),
      .flag("json", "Print one object of JSON."),
    ])

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(arguments.path, progress: run.progress)
    defer { history.noteWaiting(run) }
    let choice = SessionChoice(arguments)
    let sessions = try choice.sessions(of: history)
    try choice.checkNames(sessions, of: history)
    let delivery = try Delivery(OutputChoice(path: nil, of: arguments), run.console)
    let report = try history.doing("Explaining") { reader in
      let time = arguments.duration("time").map { Duration.microseconds($0) } ?? .seconds(2)
      return try WhyReport(
        arguments.words.dropFirst().first, sessions, choice, history, reader, run, time: time)
    }
    let page = TextSections(width: run.console.width, style: run.style)
    try delivery.write(arguments.has("json") ? report.json.pretty : report.text(page))
    try delivery.finish()
    return report.why.nearest == nil ? .inconclusive : .done
  }
}
