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
      \(ended.sentences(broken))
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

extension ScheduleRun {
  /// What is wrong, a line for each, and how to declare another discipline, if one depends on that.
  func sentences(_ findings: [Finding]) -> String {
    let hint = findings.lazy.compactMap { finding in
      self.controllers.first { $0.id == finding.controller }.flatMap(finding.hint)
    }.first
    return (findings.map(sentence) + (hint.map { [$0] } ?? [])).joined(separator: "\n")
  }

  /// What is wrong, with the code of the rule.
  func sentence(_ finding: Finding) -> String {
    "\(finding.severity.rawValue)[\(finding.code.rawValue)]: \(finding.detail { self.names[$0] })"
  }
}
