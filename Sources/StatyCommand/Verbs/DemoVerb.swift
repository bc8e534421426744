import StatyReplay
import StatySpecimens

/// `staty demo`: a tour that needs no file.
struct DemoVerb: Verb {
  static let spec = VerbSpec(
    name: "demo", abstract: "Record faults of published controllers, and explain them.",
    discussion: """
      Needs no file. It plays scenes to models of published controllers, records each fault as a \
      history of its own, and shows what the other subcommands say of them. You can repeat it: in a \
      folder that a demo has made, its recordings are replaced and nothing else is touched. Any \
      other folder that is not empty is refused.
      """,
    options: [
      .valued(
        "output", short: "o", "folder",
        "The folder to record into, which is made. Default: staty-demo.")
    ])

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let scenarios = DemoTour.scenarios
    try checkKinds(scenarios, run)
    let folder = try DemoFolder(arguments.text("output") ?? "staty-demo")
    try folder.mark(scenarios.map { "\($0.name).sqlite: \($0.fault)" })
    for scenario in scenarios { try DemoTour.record(scenario, in: folder) }
    if !run.isQuiet { try DemoTour(folder, run).show() }
    return .done
  }

  /// An app's own tool may know only the app's controllers.
  private func checkKinds(_ scenarios: [SpecimenScenario], _ run: ToolRun) throws(Failure) {
    let known = Set(run.registry.names)
    let wanted = scenarios.flatMap { [$0.specimen, $0.right] }
    guard let missing = wanted.first(where: { !known.contains($0) }) else { return }
    throw Failure(
      status: .usage, message: "This tool cannot show the demo: it does not know '\(missing)'.",
      advice: "Let its registry begin as 'ControllerRegistry.withSpecimens'.")
  }
}
