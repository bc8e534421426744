internal import StatyHistory
internal import StatyReport

extension TestScenario {
  /// Expects that no ordering rule is broken, also if nothing happens any more after this but what the
  /// controller has put off.
  ///
  /// What the test leaves a state to say is no fault of its controller.
  ///
  /// - Parameter warnings: whether warnings count, too.
  public func expectNoViolations(
    warnings: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let location = TestLocation(fileID, filePath, line, column)
    guard let (ended, violations) = ended(location) else { return }
    let broken = violations.filter { warnings || $0.severity == .error }
    guard let first = broken.first else { return }
    reportFailure(
      """
      \(broken.map(ended.sentence).joined(separator: "\n"))
      \(RunPicture(ended).text(marked: first.seq))
      """, at: location)
  }

  /// The rules that are broken if nothing happens any more after this but what the controller has put
  /// off.
  ///
  /// - Throws: what the controller's factory throws.
  public func violations() throws -> [RuleCode] {
    try script.playToEnd(registry).violations.map(\.code)
  }

  /// The same run at its end: the one at hand goes on.
  private func ended(
    _ location: TestLocation
  ) -> (run: ScheduleRun, violations: [Finding])? {
    do {
      return try script.playToEnd(registry)
    } catch {
      reportFailure("The controller could not be made: \(error)", at: location)
      return nil
    }
  }
}

/// A run as it stands in messages of failed tests.
struct RunPicture {
  private let run: ScheduleRun

  init(_ run: ScheduleRun) {
    self.run = run
  }

  private static let width = 100

  /// The steps as sentences, and what happened as lanes.
  ///
  /// - Parameter marked: the number of the event that it is about.
  func text(marked: Int64?) -> String {
    let words = StepWords(run.scenario)
    let steps = run.schedule.enumerated().map { "  \($0 + 1). \(words.sentence($1))" }
    let lanes = LanePicture(run.events, marked: marked) { controller, visit, state in
      let request = run.request(of: visit, controller: controller)
      return request.map(words.label) ?? run.names[state] ?? "#\(visit)"
    }.lines(width: Self.width)
    if steps.isEmpty { return "Nothing has happened." }
    return
      (["What happened:"] + steps + lanes.map { "  " + $0 } + ["  " + LanePicture.legend])
      .joined(separator: "\n")
  }
}

extension ScheduleRun {
  /// What is wrong, with the code of the rule.
  func sentence(_ finding: Finding) -> String {
    "\(finding.severity.rawValue)[\(finding.code.rawValue)]: \(finding.detail { self.names[$0] })"
  }
}
