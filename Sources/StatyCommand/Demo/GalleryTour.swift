import LibC
import Staty
import StatyGallery
import StatyRecorder
import StatyRules

/// The demo's gallery: bugs that people have reported, and what the verbs say of them.
struct GalleryTour {
  /// The recordings in the order of the reports.
  private let folder: DemoFolder
  private let tool: String
  private let page: TourPage

  init(_ folder: DemoFolder, _ run: ToolRun) {
    (self.folder, tool) = (folder, run.tool)
    page = TourPage(folder, run)
  }

  /// The folder, in that of the gallery, of the recordings in which the user waits for every answer.
  static let usual = "usual"

  /// The file of a bug, in either folder.
  static func file(of bug: KnownBug) -> String { "\(bug.name).sqlite" }

  /// How long a user looks at what is there: longer than any rule waits.
  private static let rest = CheckOptions().patience + .milliseconds(200)

  /// Plays the bugs and records them.
  @MainActor static func record(
    _ bugs: [KnownBug], in folder: DemoFolder, usual: DemoFolder
  ) throws(Failure) {
    var playing: [(scene: Scene, recorder: HistoryRecorder, path: String)] = []
    for bug in bugs {
      for (folder, order) in [(folder, Scene.Order.reported), (usual, .harmless)] {
        let path = folder.place(for: file(of: bug))
        let recorder = try HistoryRecorder.ofDemo(at: path)
        let scene = bug.scene(.reported)
        for one in scene.parts { recorder.attach(to: one.part, as: "\(one.name)") }
        scene.play(order)
        playing.append((scene, recorder, path))
      }
    }
    usleep(UInt32(clamping: rest.inMicroseconds))
    for (_, recorder, path) in playing { try recorder.endDemo(at: path) }
  }

  /// Shows all bugs, and what a check says of them.
  func show(_ bugs: [KnownBug]) throws {
    try page.say(
      nil,
      "Bugs that people have reported, each in an app of at most 60 lines. Each was recorded twice: into "
        + "'\(folder.path.visible)' in the order of the report, and into '\(Self.usual)' in it, where the user "
        + "waits for every answer.")
    for bug in bugs {
      try page.print("\n" + page.layout.heading(bug.name))
      try page.print(page.layout.block(bug.symptom, indent: 2))
      try page.print(page.layout.labelled("Reported", bug.report))
      try page.print(page.layout.labelled("Decides", bug.decides))
    }
    try page.say(
      "What do the recordings say?",
      "'check' needs no code of the app. It exits with 1: there are errors.")
    // In the order of a shell.
    try page.type(["check", "--oneline"], bugs.map(Self.file).sorted(), shown: "*.sqlite")
    try page.say(
      "One of them",
      "To see what else the same taps can lead to, and what decides, type "
        + "'\(tool) demo \(bugs[0].name)', or another name.")
  }

  /// Explains one bug.
  func explain(_ bug: KnownBug) throws {
    let file = Self.file(of: bug)
    let usual = "\(Self.usual)/\(file)"
    try page.say(bug.symptom, "Reported: \(bug.report). What decides: \(bug.decides).")
    // The tool's verbs run on the main thread.
    let scene = MainActor.assumeIsolated {
      let scene = bug.scene(.reported)
      return (steps: scene.steps.map(\.name), isCompared: scene.parts.count > 1)
    }
    try page.say("The user does", scene.steps.joined(separator: ", ") + ".")
    try page.say("What is wrong?", "'check' needs no code of the app:")
    try page.type(["check", "--limit=1"], [file])
    if scene.isCompared {
      try page.say(
        nil,
        "This finding compares two tracks. What follows runs the app again, which has one of them.")
    } else {
      try page.say("What decides?", "The nearest order in which it does not happen:")
      try page.type(["why"], [file])
    }
    try page.say(
      "What else can come of the same taps?",
      "In this recording the user waited for every answer. "
        + (bug.dependsOnOrder
          ? "Nothing is wrong in it. 'explore' lets the app do the same in every other order:"
          : "The bug happens even so: it does not depend on the order."))
    try page.type(["explore"], [usual])
    try page.say("Does it happen again?", "The app is told again what was recorded:")
    try page.type(["replay"], [file])
    if let kept = bug.minimizing {
      try page.say("What does it need?", "Everything is left out that the bug does not need:")
      try page.type(["minimize"] + kept, [file])
    }
    try page.say("Is it fixed?", "The same search, with the fixed app:")
    try page.type(["explore", "--with=\(bug.kind)-fixed"], [usual])
  }
}
