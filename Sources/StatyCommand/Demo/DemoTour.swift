import StatySpecimens
import StatyReport

/// The walk through a demo's recordings, for somebody who has seen nothing of Staty yet.
struct DemoTour {
  private let stops: [DemoStop]
  private let folder: DemoFolder
  private let tool: String
  private let width: Int
  private let style: Style

  /// One scenario for each error of the rules that the specimens can show.
  static let scenarios: [SpecimenScenario] = [
    "second-last", "closed-alert", "second-exit", "dropped-presentation", "unknown-key",
    "interrupted-animation",
  ].compactMap { name in SpecimenScenario.all.first { $0.name == name } }

  init(_ stops: [DemoStop], in folder: DemoFolder, run: ToolRun) {
    self.stops = stops
    self.folder = folder
    tool = run.tool
    width = run.console.width
    style = run.style
  }

  /// The walk.
  var text: String {
    get throws {
      guard let first = stops.first else { return "" }
      let others = try stops.dropFirst().map(short).joined(separator: "\n")
      return try [
        opening, recorded, checked(first), replayed(first), mended(first),
        heading("The other recordings") + others, next(first),
      ].joined(separator: "\n")
    }
  }
}

// The parts, in their order.
extension DemoTour {
  private var opening: String {
    block(
      "A screen moves from state to state, and the moves take time. When a controller gets their "
        + "order wrong, an alert never appears, or a spinner never stops, and it happens once in a "
        + "while. Staty records what happens at a controller, names the rule that was broken, and "
        + "plays the recording again, so that what went wrong once goes wrong each time you look.")
  }

  private var recorded: String {
    let kinds = Set(stops.map(\.scenario.specimen)).count
    return heading("1. Recorded")
      + block(
        "Models of \(kinds) published controllers, each with the faults it really had, played "
          + "\(Decimal.count(stops.count, "scene")). A recorder was attached to them, as it would be "
          + "in an app. Each recording is a file of SQLite in '\(folder.path.visible)':"
      )
      + stops.map {
        listed(
          $0.name, "\($0.scenario.specimen), \($0.length)")
      }.joined()
  }

  private func checked(_ stop: DemoStop) throws -> String {
    let picture = try stop.picture(width: width - 2)
    return heading("2. Checked: what is wrong with \(stop.name)?")
      + block(
        stop.scenario.fault + " Nobody has to know that: 'check' holds every recording "
          + "against the rules of a sound order, and says, maybe among others:")
      + "\n" + block(try stop.broken, indent: 2) + "\n"
      + picture.map { "  " + $0 + "\n" }.joined() + block(LanePicture.legend, indent: 2)
  }

  private func replayed(_ stop: DemoStop) -> String {
    heading("3. Replayed: does it happen again?")
      + block(
        "'replay' makes a new controller of the same kind, tells it all that the recorded one was "
          + "told, and compares each of its decisions with the recorded one. The second time it "
          + "does so in a process of its own, with another time zone and another hash seed:")
      + "\n" + block(stop.reproduced + ".", indent: 2) + "\n"
      + block("So the fault can be looked at as often as you like, and none of it was chance.")
  }

  private func mended(_ stop: DemoStop) throws -> String {
    heading("4. Mended: which controller gets it right?")
      + block(
        "Told the same, the policy '\(stop.scenario.mend)', which comes with Staty, decides "
          + "otherwise where the fault was:")
      + "\n" + block(try stop.parted + ".", indent: 2) + "\n"
      + block(
        "And played again with it, the requests coming when they came and the states taking as "
          + "long as they took, it is")
      + "\n" + block(try stop.fixed, indent: 2)
  }

  private func short(_ stop: DemoStop) throws -> String {
    block("\(stop.name): \(stop.scenario.fault)")
      + labelled("check", try stop.broken)
      + labelled("replay", stop.reproduced + ".")
      + labelled(
        "replay --with \(stop.scenario.mend)", try stop.parted + "; " + stop.whatIf)
  }

  private func next(_ stop: DemoStop) -> String {
    // A command is not broken: it is to be copied.
    let commands = [
      "cd \(NextSteps.quoted(folder.path))", "\(tool) check \(stop.name)",
      "\(tool) replay \(stop.name)", "\(tool) replay --with \(stop.scenario.mend) \(stop.name)",
      "\(tool) replay *.sqlite",
    ]
    return heading("What to type next") + commands.map { "  \($0)\n" }.joined() + "\n"
      + block(
        "To record your own app, attach a HistoryRecorder to its controller, which takes one line; "
          + "see the README. '\(tool) help' lists what else there is.")
  }
}

// How parts are laid out.
extension DemoTour {
  private func heading(_ text: String) -> String {
    TextWrap.lines(text, width: width).map { style.bold($0) + "\n" }.joined()
  }

  private func block(_ text: String, indent: Int = 0) -> String {
    let space = String(repeating: " ", count: indent)
    return TextWrap.lines(text, width: width - indent).map { space + $0 + "\n" }.joined()
  }

  private func listed(_ name: String, _ text: String) -> String {
    let column = (stops.map { $0.name.count }.max() ?? 0) + 4
    // Below each other where there is no room for two columns.
    guard column + 28 <= width else { return "  \(name)\n    \(text)\n" }
    return "  " + DisplayWidth.pad(name, to: column - 2) + text + "\n"
  }

  private func labelled(_ label: String, _ text: String) -> String {
    let column = 2 + (stops.map { "replay --with \($0.scenario.mend)".count }.max() ?? 0) + 2
    guard column + 40 <= width else {
      return "  \(label)\n" + block(text, indent: 4)
    }
    let lines = TextWrap.lines(text, width: width - column)
    return lines.enumerated().map { place, line in
      "  " + DisplayWidth.pad(place == 0 ? label : "", to: column - 2) + line + "\n"
    }.joined()
  }
}
