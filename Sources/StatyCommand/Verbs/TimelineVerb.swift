import StatyHistory
import StatyReport

/// `staty timeline`: draws the visits of a history as lanes.
struct TimelineVerb: Verb {
  static let spec = VerbSpec(
    name: "timeline", abstract: "Draw the visits of a history as lanes, from left to right.",
    discussion: """
      One line for each visit: pending, entering, on screen and exiting are drawn with different \
      characters, and a letter marks each broken rule; the legend is below. Each event has a column \
      of its own where there is room, so that the order can always be seen. Idle time is folded and \
      marked with its length.

      If there are more visits than '--limit', those with findings and those that are stuck come \
      first, then the last ones. '--since' and '--until' look closer.

      With '--svg' and '--finding' the picture is about one finding: the events around it, each as wide \
      as the others, and an arrow from the event that is to blame. See 'why'.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: SessionChoice.options + [
      .valued("state", "name", "Only visits of the state with this name.").repeatable
    ] + EventFilter.times + [
      .valued("limit", "n", "No more visits of a session than these; 0 for all. Default: 40."),
      .flag("svg", "Draw it as an SVG picture, for documents and pages."),
      .valued(
        "finding", "what",
        "Draw what is around it: an event's number, a rule's code, or a visit such as '#3'."
      ).excluding("state", "since", "until", "limit"),
    ] + OptionSpec.output)

  let arguments: ParsedArguments

  init(arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    guard arguments.timeBound("since")?.isAfter(arguments.timeBound("until")) != true else {
      throw arguments.misuse("'--since' is after '--until': nothing is in between.")
    }
    guard !arguments.has("finding") || arguments.has("svg") else {
      throw arguments.misuse("'--finding' is drawn as a picture: add '--svg'.")
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let delivery = try Delivery(arguments.output, run.console)
    let history = try OpenHistory(arguments.path, progress: run.progress)
    if let what = arguments.text("finding") {
      let scene = try scene(what, history, run)
      try delivery.write(FindingSVG(scene).text)
      history.noteWaiting(run)
      try delivery.finish()
      return .done
    }
    let timelines = try history.doing("Drawing the visits of") { reader in
      let filter = EventFilter(arguments)
      let records = try filter.choice.sessions(of: history)
      try filter.checkNames(records, of: history)
      let end = try filter.end(records, history)
      return try records.map {
        try SessionTimeline($0, reader, filter, end: end, limit: arguments.limit(orElse: 40))
      }
    }
    // If visits or a time are selected, sessions without any are not mentioned.
    let drawn = timelines.filter { !$0.isEmpty }
    if arguments.has("svg") {
      try delivery.write(TimelineSVG(drawn).text)
    } else {
      for (place, timeline) in drawn.enumerated() {
        let text = TimelineText(timeline, width: run.console.width, style: run.style)
        try delivery.write((place == 0 ? "" : "\n") + text.lines.map { $0 + "\n" }.joined())
      }
    }
    note(drawn, of: timelines, run)
    history.noteWaiting(run)
    try delivery.finish()
    return .done
  }

  private func scene(
    _ what: String, _ history: OpenHistory, _ run: ToolRun
  ) throws -> FindingScene {
    let choice = SessionChoice(arguments)
    let sessions = try choice.sessions(of: history)
    try choice.checkNames(sessions, of: history)
    return try history.doing("Explaining") { reader in
      try FindingScene(WhyReport(what, sessions, choice, history, reader, run), reader)
    }
  }

  /// Reports what is not drawn.
  private func note(_ drawn: [SessionTimeline], of timelines: [SessionTimeline], _ run: ToolRun) {
    if timelines.isEmpty {
      run.note("There is no session.")
    } else if drawn.isEmpty {
      let hasTimes = arguments.has("since") || arguments.has("until")
      run.note(hasTimes ? "There is no such visit in that time." : "There is no such visit.")
    }
    for timeline in drawn where timeline.lanes.count > timeline.lanes.lanes.count {
      run.note(
        "Note: \(Decimal.grouped(Int64(timeline.lanes.lanes.count))) of "
          + "\(Decimal.count(timeline.lanes.count, "visit")) of session \(timeline.record.id) are "
          + "drawn, those with findings first, then the last; look closer with '--since' and "
          + "'--until', '--controller' or '--state', or draw more with '--limit'.")
    }
  }
}
