import Staty
package import StatyHistory
package import StatyReplay
package import StatyRules

/// Writes a Swift Testing file of what was recorded of a controller: red as long as it breaks the rule
/// that it broke, green on a right one.
///
/// Both are tried before anything is written: the test's lines are played to the controller that was
/// recorded and to one that is right, whose order is what the test expects. The right one is played
/// under the recorded one's name, because by that the rules know which discipline it has to keep, and
/// so will they when the test is run.
package struct TestWriter {
  /// What the written file needs besides.
  package struct Surroundings {
    /// What the tool is called that writes it.
    package var tool = "staty"
    /// Where the history comes from, for the file's first line.
    package var source = ""
    /// What the written file is called, if it is one: no other of its module is called so.
    package var name = ""
    /// The modules to import besides.
    package var imports: [String] = []
    /// How a test gets at the registry, as Swift; none for what every registry has.
    package var registry: String?

    package init() {}
  }

  private let recorded: Scenario
  private let script: TestScript
  private let right: ScheduleRun
  private let finding: Finding
  /// The request to whose visit it happened, if to one.
  private let request: Int?
  private let names: [Int32: String]
  private let rightKind: String
  /// The discipline of the controller, if the test has to say it.
  private let discipline: Discipline?
  private let surroundings: Surroundings

  /// More lines nobody would read.
  private static let mostLines = 400

  /// Plays what was recorded of a controller, and makes the lines of a test of it.
  ///
  /// - Parameters:
  ///   - wanted: what was found in the recording; the test is of its controller, and about that.
  ///   - right: the kind of controller whose order is right.
  /// - Throws: a `TestWriterError`, a `HistoryError`, or a `RegistryError` if a controller cannot be
  ///   made.
  package init(
    _ reader: HistoryReader, session: Int64, about wanted: Finding, registry: ControllerRegistry,
    right: String, _ surroundings: Surroundings
  ) throws {
    rightKind = right
    self.surroundings = surroundings
    guard wanted.severity == .error else { throw TestWriterError.noError(wanted.code) }
    recorded = try Scenario(
      reader, session: session, only: [wanted.controller], registry: registry)
    guard try reader.losses(session: session).isEmpty else { throw TestWriterError.hasGaps }
    var lines = try RecordedLines(recorded, registry)
    var events = try SessionEvents(reader, session: reader.session(session))
    while let row = try events.next() {
      try lines.take(row, step: events.detail?.step ?? 0)
      guard lines.script.lines.count <= Self.mostLines else { throw TestWriterError.tooLong }
      if lines.run.findings.contains(where: { lines.isSame($0, as: wanted, in: lines.run) }) {
        break
      }
    }
    (script, self.right) = try Self.rightened(lines.script, right, registry)
    let (faulty, broken) = try script.playToEnd(registry)
    guard let again = broken.first(where: { lines.isSame($0, as: wanted, in: faulty) }) else {
      throw TestWriterError.notReproduced(wanted.code)
    }
    finding = again
    request = faulty.request(of: again.visit, controller: again.controller)
    names = faulty.names
    let one = script.scenario.controllers[0]
    let known = registry.discipline(of: one.kind) ?? .inOrder
    discipline = known == one.discipline ? nil : one.discipline
  }

  /// The lines as a right controller can go through them, too, and its run.
  private static func rightened(
    _ script: TestScript, _ kind: String, _ registry: ControllerRegistry
  ) throws -> (TestScript, ScheduleRun) {
    var both = TestScript(script.scenario)
    let mended = registry.making(script.scenario.controllers[0].kind, like: kind)
    let run = try ScheduleRun(script.scenario, registry: mended)
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
    let broken = try both.playToEnd(mended).violations
    if let error = broken.first(where: { $0.severity == .error }) {
      throw TestWriterError.notRight(kind, error.code)
    }
    return (both, run)
  }
}

// MARK: The file

extension TestWriter {
  /// The rule that the test is about.
  package var code: String { finding.code.rawValue }

  /// The file.
  package var text: String {
    let source = TestSource(script, right, named: recorded.controllers.first?.name ?? "")
    let broken = SwiftNames.comment(finding.detail { names[$0] })
    let kind = script.scenario.controllers[0].kind
    let origin = SwiftNames.comment(surroundings.source)
    var lines = [
      "// Written by `\(SwiftNames.comment(surroundings.tool)) test`"
        + (origin.isEmpty ? "." : " from \(origin)."), "//",
      "// error[\(finding.code.rawValue)]: \(broken)",
      "// The order expected is that of '\(SwiftNames.comment(rightKind))'. Where a right "
        + "'\(SwiftNames.comment(kind))' may go another way, change it.",
      "",
    ]
    lines += Set(["StatyTesting", "Testing"] + surroundings.imports).sorted().map { "import \($0)" }
    lines += [""] + declaration
    lines += source.opening(
      kind, surroundings.registry, discipline, script.scenario.controllers[0].snapshot)
    lines += [""] + source.statements
    lines += [""] + source.order + ["  \(source.controller).expectNoViolations()", "}"]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The function's beginning: on the main actor, where a registry of an app's controllers may be, and
  /// any other can be used, too.
  private var declaration: [String] {
    let name = SwiftNames.sentence(surroundings.name)
    // Two tests may be of one state and one rule.
    let unique = name.isEmpty ? title : "\(title) (\(name))"
    let (attributes, function) = ("@MainActor @Test", "func `\(unique)`() throws {")
    let line = "\(attributes) \(function)"
    return line.count > TestSource.width ? [attributes, function] : [line]
  }

  /// What a right controller does, as a sentence.
  private var title: String {
    let label = request.map(StepWords(script.scenario).label) ?? names[finding.state] ?? ""
    let sentence = SwiftNames.sentence(label)
    let name = sentence.isEmpty ? "a state" : sentence
    return switch finding.code {
    case .enteredDiscarded: "\(name) does not enter after it was discarded"
    case .exitBeforeEnter: "\(name) is not told to leave before it is in"
    case .overlap: "\(name) is not let in while another is still there"
    case .doubleEnter: "\(name) is let in only once"
    case .doubleExit: "\(name) leaves only once"
    case .neverEntered: "\(name) is let in when its turn has come"
    case .neverArrived: "nobody waits for ever for \(name) to come in"
    case .neverExited: "nobody waits for ever for \(name) to leave"
    case .outOfOrder: "\(name) is not let in before those that asked earlier"
    case .undeclaredTransition: "\(name) is let in only where a route leads"
    case .staleRequest: "\(name) is not asked for by a state that has gone"
    case .slowEnter: "\(name) enters in time"
    case .slowExit: "\(name) leaves in time"
    case .reentrantRequest: "\(name) is not asked for while another is being told"
    case .overlappingHandling: "nobody tells \(name) anything while another event is handled"
    case .staleAnswer: "\(name) does not follow from an answer that is out of date"
    case .doublePush: "\(name) is not put right above an equal one"
    }
  }
}
