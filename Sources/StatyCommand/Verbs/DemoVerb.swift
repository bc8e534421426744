import LibC
import StatyGallery
import StatyReplay
import StatySpecimens

/// `staty demo`: a tour that needs no file.
struct DemoVerb: Verb {
  static let spec = VerbSpec(
    name: "demo", abstract: "Record bugs of published controllers, and explain them.",
    discussion: """
      Needs no file. It plays scenes to models of published controllers, records each bug as a \
      history of its own, and shows what the other subcommands say of them. You can repeat it: in a \
      folder that a demo has made, its recordings are replaced and nothing else is touched. Any \
      other folder that is not empty is refused.

      'demo gallery' shows bugs that people have reported, each in an app of a few lines: what they saw, \
      what 'check' says of it, and what the same taps can lead to. 'demo' with the name of one of them \
      explains it.
      """,
    arguments: [
      ArgumentSpec(
        name: "tour", help: "Another tour: the gallery, or one of its bugs.", isOptional: true,
        choices: [gallery] + KnownBug.all.map(\.name))
    ],
    options: [
      .valued(
        "output", short: "o", "folder",
        "The folder to record into, which is made. Default: staty-demo, or staty-gallery.")
    ])

  private static let gallery = "gallery"

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    if let tour = arguments.words.first {
      let bugs = KnownBug.all.filter { tour == Self.gallery || tour == $0.name }
      guard !bugs.isEmpty else {
        throw arguments.misuse(
          "There is no tour '\(tour)'."
            + Spelling.question(tour, among: [Self.gallery] + KnownBug.all.map(\.name))
            + " '\(run.tool) demo gallery' names them.")
      }
      try show(bugs, isOne: tour != Self.gallery, run)
      return .done
    }
    let scenarios = DemoTour.scenarios
    try checkKinds(scenarios.flatMap { [$0.specimen, $0.right] }, run)
    let folder = try DemoFolder(
      arguments.text("output") ?? "staty-demo", for: scenarios.map { "\($0.name).sqlite" })
    try folder.mark(scenarios.map { "\($0.name).sqlite: \($0.fault)" })
    for scenario in scenarios { try DemoTour.record(scenario, in: folder) }
    if !run.isQuiet { try DemoTour(folder, run).show() }
    return .done
  }

  /// An app's own tool may know only the app's controllers.
  private func checkKinds(_ wanted: [String], _ run: ToolRun) throws(Failure) {
    let known = Set(run.registry.names)
    guard let missing = wanted.first(where: { !known.contains($0) }) else { return }
    throw Failure(
      status: .usage, message: "This tool cannot show the demo: it does not know '\(missing)'.",
      advice: "Let its registry begin as 'ControllerRegistry.withSpecimens'.")
  }

  /// Records bugs of the gallery, and shows them.
  private func show(_ bugs: [KnownBug], isOne: Bool, _ run: ToolRun) throws {
    guard bugs.allSatisfy({ run.registry.contains($0.kind) }) else {
      throw Failure(
        status: .usage, message: "This tool cannot show the gallery: it is of another package.",
        advice: "Use 'staty', the tool of the package that has the gallery.")
    }
    let path = arguments.text("output") ?? "staty-gallery"
    let names = bugs.map(GalleryTour.file)
    let folder = try DemoFolder(path, for: names)
    let usual = try DemoFolder("\(path)/\(GalleryTour.usual)", for: names)
    try MainActor.assumeIsolated { try GalleryTour.record(bugs, in: folder, usual: usual) }
    for folder in [folder, usual] {
      try folder.mark(
        KnownBug.all.filter { access(folder.place(for: GalleryTour.file(of: $0)), F_OK) == 0 }
          .map { "\(GalleryTour.file(of: $0)): \($0.symptom)" })
    }
    let tour = GalleryTour(folder, run)
    if run.isQuiet { return }
    if isOne { try tour.explain(bugs[0]) } else { try tour.show(bugs) }
  }
}
