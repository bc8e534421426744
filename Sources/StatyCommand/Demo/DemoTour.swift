import StatyRecorder
import StatySpecimens

/// The demo's tour: what the verbs say of recorded bugs.
struct DemoTour {
  private let folder: DemoFolder
  private let run: ToolRun
  private let page: TourPage

  /// The bugs, the one that is explained first.
  static let scenarios: [SpecimenScenario] = [
    "second-last", "closed-alert", "second-exit", "dropped-presentation", "unknown-key",
    "interrupted-animation", "appeared-twice",
  ].compactMap { name in SpecimenScenario.all.first { $0.name == name } }

  init(_ folder: DemoFolder, _ run: ToolRun) {
    (self.folder, self.run) = (folder, run)
    page = TourPage(folder, run)
  }

  /// Plays a scenario to its specimen, and records it.
  static func record(_ scenario: SpecimenScenario, in folder: DemoFolder) throws(Failure) {
    let path = folder.place(for: scenario.name + ".sqlite")
    let recorder = try HistoryRecorder.ofDemo(at: path)
    // The scenario begins a fixed time after the recording, so that its times are the same in every
    // demo.
    let controller = scenario.begin(at: recorder.began + 100_000_000)
    recorder.attach(to: controller.controller.probe, as: "screen")
    controller.play()
    try recorder.endDemo(at: path)
  }

  /// Shows what was recorded, and runs the verbs on it.
  func show() throws {
    let (scenarios, first) = (Self.scenarios, Self.scenarios[0])
    try page.say(
      nil,
      "A screen moves from state to state, and each transition takes time. When a controller gets "
        + "their order wrong, an alert never appears or a spinner never stops, and it happens once "
        + "in a while. Staty records what happens at a controller, names the rule that was broken, "
        + "and replays the recording, so that what went wrong once goes wrong each time you look.")
    let kinds = Set(scenarios.map(\.specimen)).count
    try page.say(
      "1. Recorded",
      "Models of \(kinds) published controllers, each with the bugs that it had, played "
        + "\(Decimal.count(scenarios.count, "scene")). A recorder was attached to them, as in an "
        + "app. Each recording is an SQLite file in '\(folder.path.visible)':")
    for scenario in scenarios {
      try page.print(page.layout.labelled(scenario.name + ".sqlite", scenario.fault, column: 30))
    }
    let file = first.name + ".sqlite"
    try page.say(
      "2. What is wrong?",
      "'check' tests every recording against the ordering rules. It explains each broken rule; this "
        + "is the first:")
    try page.type(["check", "--limit=1"], [file], shown: file)
    try page.say(
      "3. Does it happen again?",
      "'replay' makes a new controller of the same kind, tells it everything that the recorded one "
        + "was told, and compares each of its decisions with the recorded one. It does so a second "
        + "time in a process of its own, with another time zone and another hash seed:")
    try page.type(["replay"], scenarios.map { $0.name + ".sqlite" }, shown: "*.sqlite")
    try page.say(
      "4. Which controller gets it right?",
      "The policy '\(first.right)' comes with Staty. Played again with it, requests are made when "
        + "they were made, and states take as long as they took:")
    try page.type(["replay", "--what-if", "--with=\(first.right)"], [file], shown: file)
    try page.say(
      "What to do next",
      "Try these commands on the other recordings. How to record your own app stands in the README. "
        + "'\(run.tool) help' lists what else there is.")
  }
}
