import StatyHistory
import StatyReport
import StatySpecimens

/// The text of the demo, for readers who do not know Staty yet.
struct DemoTour {
  private let stops: [DemoStop]
  private let folder: DemoFolder
  private let tool: String
  private let page: TextSections

  /// One scenario for each error of the rules that a specimen can show.
  static let scenarios: [SpecimenScenario] = [
    "second-last", "closed-alert", "second-exit", "dropped-presentation", "unknown-key",
    "interrupted-animation", "appeared-twice",
  ].compactMap { name in SpecimenScenario.all.first { $0.name == name } }

  init(_ stops: [DemoStop], in folder: DemoFolder, run: ToolRun) {
    self.stops = stops
    self.folder = folder
    tool = run.tool
    page = TextSections(width: run.console.width, style: run.style)
  }

  /// The text of the tour.
  var text: String {
    get throws {
      guard let first = stops.first else { return "" }
      let others = try stops.dropFirst().map(short).joined(separator: "\n")
      return try [
        opening, recorded, checked(first), replayed(first), replaced(first),
        page.heading("The other recordings") + others, next(first),
      ].joined(separator: "\n")
    }
  }
}

// The parts, in their order.
extension DemoTour {
  private var opening: String {
    page.block(
      "A screen moves from state to state, and each transition takes time. When a controller gets "
        + "their order wrong, an alert never appears or a spinner never stops, and it happens once "
        + "in a while. Staty records what happens at a controller, names the rule that was broken, "
        + "and replays the recording, so that what went wrong once goes wrong each time you look.")
  }

  private var recorded: String {
    let kinds = Set(stops.map(\.scenario.specimen)).count
    let column = (stops.map { $0.name.count }.max() ?? 0) + 2
    return page.heading("1. Recorded")
      + page.block(
        "Models of \(kinds) published controllers, each with the faults that it had, played "
          + "\(Decimal.count(stops.count, "scene")). A recorder was attached to them, as in an app. "
          + "Each recording is an SQLite file in '\(folder.path.visible)':")
      + stops.map {
        page.labelled(
          $0.name,
          "\($0.scenario.specimen), \(Decimal.count($0.replay.session.stored, "event"))",
          column: column)
      }.joined()
  }

  private func checked(_ stop: DemoStop) throws -> String {
    page.heading("2. Checked: what is wrong with \(stop.name)?")
      + page.block(
        stop.scenario.fault + " You do not have to know that: 'check' tests every recording "
          + "against the ordering rules, and reports, maybe among others:")
      + "\n" + page.block(stop.broken, indent: 2) + "\n" + (try stop.picture(page))
  }

  private func replayed(_ stop: DemoStop) throws -> String {
    page.heading("3. Replayed: does it happen again?")
      + page.block(
        "'replay' makes a new controller of the same kind, tells it everything that the recorded one "
          + "was told, and compares each of its decisions with the recorded one. The second time it "
          + "does so in a process of its own, with another time zone and another hash seed:")
      + "\n" + page.block(try stop.reproduced, indent: 2) + "\n"
      + page.block("So you can look at the fault as often as you like, and none of it was chance.")
  }

  private func replaced(_ stop: DemoStop) throws -> String {
    page.heading("4. Replaced: which controller gets it right?")
      + page.block(
        "Told the same, the policy '\(stop.scenario.mend)', which comes with Staty, decides "
          + "otherwise where the fault was:")
      + "\n" + page.block(try stop.replaced, indent: 2) + "\n"
      + page.block(
        "Played again with it, the requests made when they were made and the states taking as long "
          + "as they took, it is")
      + "\n" + page.block(stop.fixed, indent: 2)
  }

  private func short(_ stop: DemoStop) throws -> String {
    let column = (stops.map { "replay --with \($0.scenario.mend)".count }.max() ?? 0) + 2
    return page.block("\(stop.name): \(stop.scenario.fault)")
      + page.labelled("check", stop.broken, column: column)
      + page.labelled("replay", try stop.reproduced, column: column)
      + page.labelled("replay --with \(stop.scenario.mend)", try stop.replaced, column: column)
  }

  private func next(_ stop: DemoStop) -> String {
    // A command stays on one line, so that it can be copied.
    let commands = [
      "cd \(NextSteps.quoted(folder.path))", "\(tool) check \(stop.name)",
      "\(tool) replay \(stop.name)", "\(tool) replay --with \(stop.scenario.mend) \(stop.name)",
      "\(tool) replay *.sqlite",
    ]
    return page.heading("What to type next") + commands.map { "  \($0)\n" }.joined() + "\n"
      + page.block(
        "To record your own app, attach a HistoryRecorder to its controller, which takes one line; "
          + "see the README. '\(tool) help' lists what else there is.")
  }
}
