import StatyReading
internal import Foundation
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules

/// `staty test`: generates a test from a history.
struct TestVerb: Verb {
  static let spec = VerbSpec(
    name: "test", abstract: "Generate a test that fails until the bug is fixed.",
    discussion: """
      The test is for Swift Testing and imports 'StatyTesting'. It says step by step what happened \
      to the controller that broke a rule first, and expects that no rule is broken. It is tried \
      before it is written: on the recorded controller it fails. With '--with' it expects the order \
      of a controller that is right, and is tried on that one, too. Name a policy there only if the \
      fixed controller has to do exactly what it does: 'queue' keeps the order of all requests, and \
      'immediate' lets every state enter at once.

      Nothing is written, and the exit is 2, if no rule is broken, or the recording cannot be \
      expressed in a test.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history; the shorter, the better.")],
    options: SessionChoice.options + FindingChoice.options("Write a test of", where: \.isSought) + [
      .valued(
        "with", "kind",
        "The kind of controller that has the right order. Default: none; then any order is right that "
          + "breaks no rule."),
      .valued(
        "registry", "swift",
        "How a test gets at the registry that makes the app's own controller, as in '.shop'."),
      .valued("import", "module", "A module that the test is to import for that.").repeatable,
    ] + OptionSpec.output)

  let arguments: ParsedArguments

  init(arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    if let registry = arguments.text("registry"), !Self.isInLine(registry) {
      throw arguments.misuse(
        "The value '\(registry)' is invalid for '--registry <swift>'. Please provide how Swift calls "
          + "the registry, such as '.shop' or 'Shop.registry()'.")
    }
    if let module = arguments.texts("import").first(where: { !Self.isInLine($0) }) {
      throw arguments.misuse(
        "The value '\(module)' is invalid for '--import <module>'. Please provide the name of a "
          + "module, such as 'Shop'.")
    }
  }

  private var path: String { arguments.path }

  /// Whether a text of the user can stand in a line of Swift, where it hides nothing behind it; the
  /// compiler says more.
  private static func isInLine(_ text: String) -> Bool {
    !text.allSatisfy(\.isWhitespace) && !text.contains(where: \.isNewline)
      && !text.contains("//") && !text.contains("/*")
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let right = arguments.text("with")
    if let right, !run.registry.names.contains(right) { throw unknown(right, run) }
    let history = try OpenHistory(path, progress: run.progress)
    defer { history.noteWaiting(run) }
    let delivery = try Delivery(arguments.output, run.console)
    try history.doing("Writing a test of") { reader in
      let choice = SessionChoice(arguments)
      let wanted = FindingChoice(codes: arguments.rules, seq: arguments.number("finding"))
      let sessions = try choice.sessions(of: history)
      try choice.checkNames(sessions, of: history)
      guard let subject = try TestSubject(sessions, choice, wanted, reader, run.registry) else {
        throw wanted.missing(
          "Writing a test of '\(path)'",
          advice:
            "What may be right is a question for 'explore': how else it can end. It prints the line "
            + "of a test for that, too.")
      }
      guard subject.finding.isSought else {
        throw Failure(.noError(subject.finding.code), history.path)
      }
      let surroundings = try surroundings(subject, run)
      let writer: TestWriter
      do {
        writer = try subject.writer(reader, run.registry, right: right, surroundings)
      } catch let error as TestWriterError {
        throw Failure(error, history.path)
      }
      try delivery.write(writer.text)
      run.note(
        "A test of '\(subject.controller.name.visible)' in session \(subject.session.id): it fails with "
          + "'\(subject.controller.kind.visible)', which breaks the rule '\(writer.code)'"
          + (right.map { ", and passes with '\($0.visible)'." } ?? ".") + untried(subject))
      if !writer.suspicious.isEmpty {
        run.note(
          "Warning: \(writer.suspicious.map { "'\($0.visible)'" }.joined(separator: ", ")) in it may hold a "
            + "secret. What should not be recorded is 'omitted' by the message's 'recording'.")
      }
    }
    try delivery.finish()
    return .done
  }

  /// That a registry is written into the test without having been tried; empty if none is given.
  private func untried(_ subject: TestSubject) -> String {
    guard let registry = arguments.text("registry"), subject.maker != .app else { return "" }
    return " Both were created by this tool and not by '\(registry)', which has to create "
      + "'\(subject.controller.kind.visible)', too."
  }

  private func surroundings(
    _ subject: TestSubject, _ run: ToolRun
  ) throws -> TestWriter.Surroundings {
    let kind = subject.controller.kind
    guard run.registry.names.contains(kind) else {
      throw Failure(
        status: .inconclusive,
        message:
          "Writing a test of '\(path)': there is no controller of the kind '\(kind)' to try it on.",
        advice: NextSteps.toMake(subject.controller, path).sentence)
    }
    var surroundings = TestWriter.Surroundings()
    surroundings.tool = run.tool
    surroundings.source = URL(fileURLWithPath: path).lastPathComponent
    surroundings.imports = arguments.texts("import")
    if let path = arguments.output.path {
      surroundings.name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }
    surroundings.registry = arguments.text("registry")
    if surroundings.registry != nil { return surroundings }
    switch subject.maker {
    case .everyRegistry: break
    case .specimens:
      surroundings.registry = ".withSpecimens"
      surroundings.imports.append("StatySpecimens")
      surroundings.isOfSpecimen = true
    case .app:
      throw Failure(
        status: .usage,
        message: "Writing a test of '\(path)': '\(kind)' is a controller of the app's own.",
        advice: "Say with '--registry' how a test gets at the registry that makes it, and with "
          + "'--import' what it imports for that, as in '--registry .shop --import Shop'.")
    }
    return surroundings
  }

  private func unknown(_ kind: String, _ run: ToolRun) -> Failure {
    Failure(
      status: .usage,
      message: "There is no controller of the kind '\(kind)'."
        + Spelling.question(kind, among: run.registry.names),
      advice: "There are \(run.registry.names.kindList).")
  }
}

extension Failure {
  fileprivate init(_ error: TestWriterError, _ path: String) {
    let advice: String =
      switch error {
      case .noError:
        "A test of how it ends fails: 'staty explore' prints its line, 'expectOneOutcome(…)'. Or choose "
          + "another finding with '--rule' or '--finding'."
      case .beginsLate: Failure.earlierAdvice
      case .hasGaps: Failure.wholeAdvice
      case .tellsTooLittle: Failure.fullAdvice
      case .tooLong: "Take one that shows the same in fewer steps."
      case .unsaid: "Take a history that shows the same without it."
      case .wentAnotherWay: "The subcommand 'replay' says where it parts from what was recorded."
      case .notReproduced(.neverArrived), .notReproduced(.neverExited):
        "A state that does not answer is no bug of its controller, unless others wait for it, and a test "
          + "lets every state answer. 'staty explore --never --rule never-arrived' searches for that."
      case .notReproduced: Failure.partedAdvice
      case .inDoubt: "The subcommand 'replay' says what is in doubt, and what helps."
      case .notRight: "Name one that is right there with '--with'."
      }
    self.init(
      status: .inconclusive, message: "Writing a test of '\(path)': \(error)", advice: advice)
  }
}
