import Staty
package import StatyHistory
package import StatyReplay
package import StatyRules

/// Generates a Swift Testing file from a recording: it fails until the recorded bug is fixed.
///
/// The result is checked before anything is written: the lines must fail with the recorded
/// controller. A correct one need not exist yet: then the test expects only that no rule is broken.
/// If one is named, the lines must pass with it, and the test expects its order. It runs under the
/// name of the recorded one, because the rules take the discipline from the name, also when the test
/// runs.
package struct TestWriter {
  /// Further settings of the file.
  package struct Surroundings {
    /// The name of the tool that writes the file.
    package var tool = "staty"
    /// The name of the history, for the first line.
    package var source = ""
    /// The name of the written file, if there is one.
    ///
    /// It is unique in its module.
    package var name = ""
    /// Further modules to import.
    package var imports: [String] = []
    /// The Swift expression of the registry; `nil` for an ordinary registry.
    package var registry: String?
    /// Whether the controller is a model of a published one, which keeps its bug.
    package var isOfSpecimen = false

    package init() {}
  }

  private let recorded: Scenario
  private let script: TestScript
  /// The run of the lines with a correct controller; `nil` if there is none yet.
  private let right: ScheduleRun?
  private let finding: Finding
  /// The request of the finding's visit, if there is one.
  private let request: Int?
  private let names: [Int32: String]
  private let rightKind: String?
  /// The discipline of the controller, if the test must declare it.
  private let discipline: Discipline?
  private let surroundings: Surroundings

  /// The highest number of lines, because a longer test is not readable.
  private static let mostLines = 400

  /// Plays the recording of a controller, and makes the lines of a test.
  ///
  /// - Parameters:
  ///   - reader: the reader of the history.
  ///   - session: the session.
  ///   - wanted: the finding that the test is about.
  ///   - registry: creates controllers.
  ///   - right: the kind of the correct controller; `nil` if there is none yet.
  ///   - surroundings: further settings of the file.
  /// - Throws: a `TestWriterError`, a `HistoryError`, or a `RegistryError` if a controller cannot
  ///   be created.
  package init(
    _ reader: HistoryReader, session: Int64, about wanted: Finding, registry: ControllerRegistry,
    right: String?, _ surroundings: Surroundings
  ) throws {
    rightKind = right
    self.surroundings = surroundings
    guard wanted.isSought else { throw TestWriterError.noError(wanted.code) }
    recorded = try Scenario(
      reader, session: session, only: [wanted.controller], registry: registry)
    guard try reader.losses(session: session).isEmpty else { throw TestWriterError.hasGaps }
    if let right {
      try Replacement(some: [wanted.controller: right])
        .check(
          registry, reader.controllers(session: session).filter { $0.id == wanted.controller },
          only: nil)
    }
    var lines = try RecordedLines(recorded, registry)
    var events = try SessionEvents(reader, session: reader.session(session))
    // The lines up to the finding, if answers are to come behind it.
    var short: RecordedLines?
    do {
      while let row = try events.next() {
        try lines.take(row, step: events.detail?.step ?? 0)
        guard lines.script.lines.count <= Self.mostLines else { throw TestWriterError.tooLong }
        guard lines.run.allFindings.contains(where: { lines.isSame($0, as: wanted, in: lines.run) })
        else { continue }
        guard lines.mustGoOn else { break }
        if short == nil { short = lines }
      }
    } catch let error as TestWriterError {
      guard let short else { throw error }
      lines = short
    }
    if let right {
      (script, self.right) = try Self.rightened(
        lines.script, right, registry, least: wanted.severity)
    } else {
      self.right = nil
      script =
        try Self.relaxed(lines.script).first { script in
          let (faulty, broken) = try script.playToEnd(registry)
          return broken.contains { lines.isSame($0, as: wanted, in: faulty) }
        } ?? lines.script
    }
    let (faulty, broken) = try script.playToEnd(registry)
    guard faulty.doubts.isEmpty else { throw TestWriterError.inDoubt }
    guard let again = broken.first(where: { lines.isSame($0, as: wanted, in: faulty) }) else {
      throw TestWriterError.notReproduced(wanted.code)
    }
    finding = again
    request = faulty.request(of: again.visit, controller: again.controller)
    names = faulty.names
    let one = script.scenario.controllers[0]
    let known = registry.discipline(of: one.kind) ?? .inOrder
    // A track says itself that it is one.
    discipline = [known, .moves].contains(one.discipline) ? nil : one.discipline
  }

  /// The lines so that a correct controller can run them, too, whatever its order is: what states do
  /// happens if it can, and everything that is due follows.
  ///
  /// - Returns: several ways, the best one first: a fault may need that nothing follows.
  private static func relaxed(_ script: TestScript) -> [TestScript] {
    guard script.scenario.controllers.contains(where: { $0.discipline != .moves }) else {
      return [script]
    }
    var relaxed = TestScript(script.scenario)
    for line in script.lines {
      switch line {
      case .step(.make), .perhaps, .inside, .advance, .pass, .settle: relaxed.add(line)
      case .step(let step): relaxed.add(.perhaps(step))
      case .run: relaxed.add(.advance)
      }
    }
    var settled = relaxed
    settled.add(.settle)
    return [settled, relaxed]
  }

  /// Adapts the lines so that a correct controller can run them too, and returns its run.
  ///
  /// - Parameter least: which findings it may not have.
  private static func rightened(
    _ script: TestScript, _ kind: String, _ registry: ControllerRegistry, least: Severity
  ) throws -> (TestScript, ScheduleRun) {
    var both = TestScript(script.scenario)
    let fixed = registry.making(script.scenario.controllers[0].kind, like: kind)
    let run = try ScheduleRun(script.scenario, registry: fixed)
    for line in script.lines {
      if run.carryOut(line) {
        both.add(line)
      } else if case .step(let step) = line {
        both.add(.perhaps(step))
      }
    }
    if !run.due.isEmpty {
      both.add(.settle)
      _ = run.carryOut(.settle)
    }
    let (ended, broken) = try both.playToEnd(fixed)
    guard ended.doubts.isEmpty else { throw TestWriterError.inDoubt }
    if let first = broken.first(where: { least == .warning || $0.severity == .error }) {
      throw TestWriterError.notRight(kind, first.code)
    }
    return (both, run)
  }
}

// MARK: The file

extension TestWriter {
  /// The rule that the test is about.
  package var code: String { finding.code.rawValue }

  /// The rules that the lines of the test break with another kind of controller.
  package func brokenRules(
    with kind: String, _ registry: ControllerRegistry
  ) throws -> [RuleCode] {
    let made = registry.making(script.scenario.controllers[0].kind, like: kind)
    return try script.playToEnd(made).findings.filter(\.isSought).map(\.code)
  }

  /// The names of values in the test that sound like a secret.
  package var suspicious: [String] { SecretLook.names(in: script.scenario) }

  /// The text of the file.
  package var text: String {
    let source = TestSource(script, right, named: recorded.controllers.first?.name ?? "")
    let severity = finding.severity.rawValue
    let broken = SwiftNames.comment(finding.detail { names[$0] })
    let kind = script.scenario.controllers[0].kind
    let origin = SwiftNames.comment(surroundings.source)
    var lines = [
      "// Generated by `\(SwiftNames.comment(surroundings.tool)) test`"
        + (origin.isEmpty ? "." : " from \(origin)."), "//",
      "// \(severity)[\(finding.code.rawValue)]: \(broken)",
    ]
    if let rightKind {
      lines.append(
        "// The expected order is that of '\(SwiftNames.comment(rightKind))'. Change it if the fixed "
          + "'\(SwiftNames.comment(kind))' may choose another one.")
    }
    if surroundings.isOfSpecimen {
      lines += [
        "// Needs the products StatyTesting and StatySpecimens. '\(SwiftNames.comment(kind))' is a model "
          + "in StatySpecimens",
        "// that keeps its bug: to test a fix, use the registry that creates your controller.",
      ]
    }
    if !suspicious.isEmpty {
      lines.append(
        "// Look before you commit: \(SwiftNames.comment(suspicious.joined(separator: ", "))) may hold a "
          + "secret.")
    }
    lines += [""]
    lines += Set(["StatyTesting", "Testing"] + surroundings.imports).sorted().map { "import \($0)" }
    lines += [""] + declaration
    lines += source.opening(
      kind, surroundings.registry, discipline, script.scenario.controllers[0].snapshot)
    lines += [""] + source.statements
    let warnings = finding.severity == .warning ? "warnings: true" : ""
    lines +=
      [""] + (right == nil ? [] : source.order) + [
        "  \(source.controller).expectNoFindings(\(warnings))", "}",
      ]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The beginning of the test function.
  ///
  /// It is on the main actor, because a registry of the app's controllers may be.
  private var declaration: [String] {
    let name = SwiftNames.sentence(surroundings.name)
    // Two tests may be about the same state and rule.
    let unique = name.isEmpty ? title : "\(title) (\(name))"
    let (attributes, function) = ("@MainActor @Test", "func `\(unique)`() throws {")
    let line = "\(attributes) \(function)"
    return line.count > TestSource.width ? [attributes, function] : [line]
  }

  /// The name of the test: what a correct controller does.
  private var title: String {
    let label = request.map(StepWords(script.scenario).label) ?? names[finding.state] ?? ""
    let sentence = SwiftNames.sentence(label)
    let name = sentence.isEmpty ? "a state" : sentence
    return switch finding.code {
    case .enteredDiscarded: "\(name) does not enter after it was discarded"
    case .exitBeforeEnter: "\(name) is not told to exit before it has entered"
    case .overlap: "\(name) does not enter while another is still there"
    case .doubleEnter: "\(name) enters only once"
    case .doubleExit: "\(name) exits only once"
    case .neverEntered: "\(name) enters when its turn has come"
    case .neverArrived: "nothing waits forever for \(name) to enter"
    case .neverExited: "nothing waits forever for \(name) to exit"
    case .outOfOrder: "\(name) does not enter before earlier requests"
    case .undeclaredTransition: "\(name) enters only where a route leads"
    case .staleRequest: "\(name) is not requested by a state that has exited"
    case .slowEnter: "\(name) enters in time"
    case .slowExit: "\(name) exits in time"
    case .reentrantRequest: "\(name) is not requested while another is being told"
    case .overlappingHandling: "\(name) is not told anything while another event is handled"
    case .lateAnswer: "\(name) does not follow from an answer that is out of date"
    case .invariant: SwiftNames.sentence(names[finding.state] ?? "a condition holds")
    case .doublePush: "\(name) is not put right above an equal one"
    case .mirror: "what is shown is what its mirror shows"
    case .askedTwice: "\(name) does not come again before it was answered"
    case .answeredTwice: "nothing is answered twice by \(name)"
    case .neverAnswered: "\(name) is answered"
    case .aliveTwice: "there is one \(name)"
    case .neverReceived: "\(name) is received"
    case .neverLeft: "\(name) is left again"
    case .uncausedChange: "\(name) does not come outside of any message"
    }
  }
}
