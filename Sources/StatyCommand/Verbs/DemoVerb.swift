import StatySpecimens

/// `staty demo`: a tour that needs no file.
struct DemoVerb: Verb {
  static let spec = VerbSpec(
    name: "demo", abstract: "Record faults of published controllers, and walk through them.",
    discussion: """
      Needs no file: it plays scenes to models of published controllers, records each fault as a \
      history of its own, and shows what the other subcommands say of them. It may be repeated: \
      in a folder that a demo has made its recordings are removed first, and nothing else is; any other \
      folder with something in it is refused.

      With '--fleet' it makes the histories of so many devices instead, a file each: an app in five \
      versions on four systems, with faults planted in it, of which 'planted.json' beside the files \
      says where they are (file, session, code, controller, event), which version introduced one, \
      which transition got slower in which version, and which state gets stuck on which system. The \
      same seed gives the same histories.
      """,
    options: [
      .valued(
        "output", short: "o", "folder",
        "The folder to record into, which is made. Default: staty-demo."),
      .valued("fleet", "n", "Make the histories of so many devices."),
      .valued(
        "seed", "n",
        "What the fleet's chance follows from. Default: \(FleetDemo.defaultSeed)."),
    ])

  private let path: String
  private let fleet: FleetPlan?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments.text("output") ?? "staty-demo"
    let seed = try arguments.number("seed", in: 0...Int64.max)
    if let devices = try arguments.number("fleet", in: 1...1_000_000) {
      fleet = FleetPlan(
        seed: seed.map { UInt64($0) } ?? FleetDemo.defaultSeed, devices: Int(devices))
    } else {
      fleet = nil
      if seed != nil { throw arguments.misuse("'--seed' says something with '--fleet' only.") }
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    if let fleet { return try FleetDemo(plan: fleet, path: path).run(run) }
    let scenarios = DemoTour.scenarios
    try checkKinds(scenarios, run)
    let folder = try DemoFolder(path)
    try folder.mark(scenarios.map { "\($0.name).sqlite: \($0.fault)" })
    let stops = try scenarios.map { try DemoStop($0, in: folder, run: run) }
    if !run.isQuiet { try run.print(DemoTour(stops, in: folder, run: run).text) }
    return .done
  }

  /// An app's own tool may know the app's controllers alone.
  private func checkKinds(_ scenarios: [SpecimenScenario], _ run: ToolRun) throws(Failure) {
    let known = Set(run.engine.names)
    let wanted = scenarios.flatMap { [$0.specimen, $0.mend] }
    guard let missing = wanted.first(where: { !known.contains($0) }) else { return }
    throw Failure(
      status: .usage, message: "This tool cannot show the demo: it does not know '\(missing)'.",
      advice: "Let its registry begin as 'ControllerRegistry.withSpecimens'.")
  }
}
