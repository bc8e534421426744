internal import StatyHistory
internal import StatyReport

extension TestScenario {
  /// Expects that no ordering rule is broken, even if only deferred steps of the controller follow.
  ///
  /// A completion that the test has not made is not an error of the controller.
  ///
  /// - Parameter warnings: whether all warnings count; by default only `stale-answer` and `double-push` do,
  ///   besides the errors.
  public func expectNoViolations(
    warnings: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let location = TestLocation(fileID, filePath, line, column)
    guard let (ended, violations) = ended(location) else { return }
    let broken = violations.filter { warnings || $0.code.isSought }
    guard let first = broken.first else { return }
    reportFailure(
      """
      \(ended.sentences(broken))
      \(RunPicture(ended).text(marked: first.seq))
      """, at: location)
  }

  /// Returns the rules that are broken if only deferred steps of the controller follow.
  ///
  /// - Throws: an error of the controller's factory.
  public func violations() throws -> [RuleCode] {
    try script.playToEnd(registry).violations.map(\.code)
  }

  /// Plays a copy of the run to its end.
  ///
  /// The run itself can continue.
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
  /// The findings, one per line, and how to declare another discipline if a finding depends on it.
  func sentences(_ findings: [Finding]) -> String {
    let hint = findings.lazy.compactMap { finding in
      self.controllers.first { $0.id == finding.controller }.flatMap(finding.hint)
    }.first
    return (findings.map(sentence) + (hint.map { [$0] } ?? [])).joined(separator: "\n")
  }

  /// A finding with the code of its rule.
  func sentence(_ finding: Finding) -> String {
    "\(finding.severity.rawValue)[\(finding.code.rawValue)]: \(finding.detail { self.names[$0] })"
  }
}
