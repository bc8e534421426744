import LibC
import Staty
import StatyGallery
import StatyRecorder

/// The demo's gallery: bugs that people have reported, and what the verbs say of them.
struct GalleryTour {
  private let folder: DemoFolder
  private let run: ToolRun
  private let page: TextSections

  init(_ folder: DemoFolder, _ run: ToolRun) {
    (self.folder, self.run) = (folder, run)
    page = TextSections(width: run.console.width, style: run.style)
  }

  /// The files of a bug: the order of the report, and one in which nothing goes wrong.
  static func recordings(of bug: KnownBug) -> [String] {
    ["\(bug.name).sqlite", harmless(bug)]
  }

  private static func harmless(_ bug: KnownBug) -> String { "\(bug.name)-harmless.sqlite" }

  /// How long a user looks at what is there: longer than any rule waits.
  private static let rest: UInt32 = 2_200_000

  /// Plays the bugs and records them.
  @MainActor static func record(
    _ bugs: [KnownBug], in folder: DemoFolder
  ) throws(Failure) {
    var playing: [(scene: Scene, recorder: HistoryRecorder, path: String)] = []
    for bug in bugs {
      for (name, order) in zip(recordings(of: bug), [Scene.Order.reported, .harmless]) {
        let path = folder.place(for: name)
        var options = RecorderOptions(app: "staty demo", appVersion: StatyTool.version)
        options.eventsPerThread = 1_024
        do throws(RecorderError) {
          let recorder = try HistoryRecorder(at: path, options: options)
          let scene = bug.scene(.reported)
          for (name, part) in scene.parts { recorder.attach(to: part, as: "\(name)") }
          scene.play(order)
          playing.append((scene, recorder, path))
        } catch {
          throw Failure(
            status: .cannotWrite, message: "Recording into '\(path)': \(error.description)")
        }
      }
    }
    usleep(rest)
    for (_, recorder, path) in playing {
      recorder.close()
      guard recorder.statistics.lost == 0 else {
        throw Failure(
          status: .cannotWrite, message: "Recording into '\(path)': not all of it was stored.",
          advice: "Make space, or choose another folder with '-o'.")
      }
    }
  }

  /// Shows all bugs, and what a check says of them.
  func show(_ bugs: [KnownBug]) throws {
    try say(
      nil,
      "Bugs that people have reported, each in an app of 30 to 80 lines. Two orders of each were "
        + "recorded into '\(folder.path.visible)': that of the report, and a harmless one, in which the "
        + "user waits for every answer.")
    for bug in bugs {
      try run.print("\n" + page.heading(bug.name))
      try run.print(page.block(bug.symptom, indent: 2))
      try run.print(page.labelled("Reported", bug.report))
      try run.print(page.labelled("Decides", bug.decides))
    }
    try say("What do the recordings say?", "The rules need no code of the app:")
    try type(["check", "--oneline"], bugs.map { "\($0.name).sqlite" }, shown: "*.sqlite")
    try say(
      "One of them",
      "To see what else the same taps can lead to, and what decides, type "
        + "'\(run.tool) demo \(bugs[0].name)', or another name.")
  }

  /// Explains one bug.
  func explain(_ bug: KnownBug) throws {
    let (file, harmless) = ("\(bug.name).sqlite", Self.harmless(bug))
    try say(bug.symptom, "Reported: \(bug.report). What decides: \(bug.decides).")
    let steps = MainActor.assumeIsolated { bug.scene(.reported).steps.map(\.name) }
    try say("What the user does", "As \(steps.map { "'\($0)'" }.joined(separator: ", then ")).")
    try say("What is wrong?", "The rules need no code of the app:")
    try type(["check", "--limit=1"], [file])
    try say("What decides?", "The nearest order in which it does not happen:")
    try type(["why"], [file])
    try say(
      "What else can come of the same taps?",
      "In this recording the user waited for every answer. Nothing is wrong in it. 'explore' lets the app "
        + "do the same in every other order:")
    try type(["explore"], [harmless])
    try say("Does it happen again?", "The app is told again what was recorded:")
    try type(["replay"], [file])
    if let kept = bug.minimizing {
      try say("What does it need?", "Everything is left out that the bug does not need:")
      try type(["minimize"] + kept, [file])
    }
    try say("Is it fixed?", "The fixed app does the same in every order:")
    try type(["explore", "--with=\(bug.kind)-fixed"], [harmless])
  }

  private func say(_ title: String?, _ text: String) throws {
    try run.print(title.map { "\n" + page.heading($0) } ?? "")
    try run.print(page.block(text))
  }

  /// Runs a verb on recordings, below its command line.
  private func type(_ words: [String], _ names: [String], shown: String? = nil) throws {
    let command = words + [NextSteps.quoted(folder.path) + "/" + (shown ?? names[0])]
    try run.print("\n  $ \(run.tool) \(command.joined(separator: " "))\n\n")
    let files = names.map(folder.place)
    guard case .verb(let verb, _, _) = try Invocation(words + ["--"] + files) else { return }
    _ = try verb.run(run)
  }
}
