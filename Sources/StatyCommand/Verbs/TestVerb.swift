internal import Foundation
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules
import StatySpecimens

/// `staty test`: a test of what a history shows.
struct TestVerb: Verb {
  static let spec = VerbSpec(
    name: "test", abstract: "Write a test that is red until a broken rule is mended.",
    discussion: """
      The file is for Swift Testing and imports 'StatyTesting'. It says step by step what happened to \
      the controller that broke a rule first, and expects the order of one that is right. Both are \
      tried before it is written: on the recorded controller the test is red, on the right one green.

      Nothing is written, and the exit status is 2, if no rule is broken, or what was recorded cannot \
      be said in a test.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history; the shorter, the better.")],
    options: SessionChoice.options + [
      .valued(
        "with", "kind", "The kind of controller whose order is right. Default: queue."),
      .valued(
        "registry", "swift",
        "How a test gets at the registry that makes the app's own controller, as in '.shop'."),
      .valued("import", "module", "A module that the test is to import for that.").repeatable,
    ] + OptionSpec.output)

  private let path: String
  private let choice: SessionChoice
  private let right: String
  private let registry: String?
  private let imports: [String]
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments.arguments[0]
    choice = try SessionChoice(arguments)
    right = arguments.text("with") ?? "queue"
    registry = arguments.text("registry")
    imports = arguments.texts("import")
    output = OutputChoice(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    guard run.engine.names.contains(right) else { throw unknown(right, run) }
    let history = try OpenHistory(path, progress: run.progress)
    let delivery = try Delivery(output, run.console)
    try history.doing("Writing a test of") { reader in
      let sessions = try choice.sessions(of: history)
      try choice.checkNames(sessions, of: history)
      guard let guilty = try GuiltyController(sessions, choice, reader) else {
        throw Failure(TestWriterError.nothingBroken, path)
      }
      let (session, controller) = (guilty.session, guilty.controller)
      let surroundings = try surroundings(controller.policy, run)
      let writer = try write(history) {
        try run.engine.testWriter(
          reader, session: session.id, controller: controller.id, right: right, surroundings)
      }
      try delivery.write(writer.text)
      run.note(
        "A test of '\(controller.name.visible)' in session \(session.id): red on "
          + "'\(controller.policy.visible)', which breaks the rule '\(writer.code)', and green on "
          + "'\(right.visible)'.")
    }
    try delivery.finish()
    return .done
  }

  private func write<Result>(_ history: OpenHistory, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as TestWriterError {
      throw Failure(error, history.path)
    }
  }

  private func surroundings(
    _ kind: String, _ run: ToolRun
  ) throws -> TestWriter.Surroundings {
    guard run.engine.names.contains(kind) else {
      throw Failure(
        status: .inconclusive,
        message:
          "Writing a test of '\(path)': there is no controller of the kind '\(kind)' to try it on.",
        advice: "Register an app's own in the tool that links it. There are "
          + "\(run.engine.names.joined(separator: ", ")).")
    }
    var surroundings = TestWriter.Surroundings()
    surroundings.source = URL(fileURLWithPath: path).lastPathComponent
    surroundings.imports = imports
    if let path = output.path {
      surroundings.name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }
    surroundings.registry = registry
    if registry != nil || ControllerRegistry().contains(kind) { return surroundings }
    guard Specimens.all.contains(where: { $0.name == kind }) else {
      throw Failure(
        status: .usage,
        message: "Writing a test of '\(path)': '\(kind)' is a controller of the app's own.",
        advice: "Say with '--registry' how a test gets at the registry that makes it, and with "
          + "'--import' what it imports for that, as in '--registry .shop --import Shop'.")
    }
    surroundings.registry = ".withSpecimens"
    surroundings.imports.append("StatySpecimens")
    return surroundings
  }

  private func unknown(_ kind: String, _ run: ToolRun) -> Failure {
    let nearest = Spelling.nearest(to: kind, among: run.engine.names)
    return Failure(
      status: .usage,
      message: "There is no controller of the kind '\(kind)'."
        + (nearest.map { " Did you mean '\($0)'?" } ?? ""),
      advice: "There are \(run.engine.names.joined(separator: ", ")).")
  }
}

extension Failure {
  fileprivate init(_ error: TestWriterError, _ path: String) {
    let advice: String =
      switch error {
      case .nothingBroken: "The subcommand 'check' says what the rules find."
      case .beginsLate: "Record from the controller's beginning on, and do not prune."
      case .hasGaps: "Take a history that is whole; the subcommand 'doctor' says what is lost."
      case .tellsTooLittle: "Let the app's probe report in full."
      case .tooLong: "Take one that shows the same in fewer steps."
      case .unsaid: "Take a history that shows the same without it."
      case .wentAnotherWay: "The subcommand 'replay' says where it parts from what was recorded."
      case .notReproduced:
        "That a state is silent is no fault of its controller. Where else it parts from what was "
          + "recorded, the subcommand 'replay' says."
      case .notRight: "Name one that is right there with '--with'."
      }
    self.init(
      status: .inconclusive, message: "Writing a test of '\(path)': \(error)", advice: advice)
  }
}
