public import Foundation
internal import StatyHistory
internal import StatyReading
internal import StatyReport

extension TestScenario {
  /// Expects that no ordering rule is broken, even if only deferred steps of the controller follow.
  ///
  /// A completion that the test has not made is not an error of the controller.
  ///
  /// - Parameter warnings: whether all warnings count; by default only `late-answer`,
  ///   `double-push` and `mirror` do, besides the errors.
  public func expectNoFindings(
    warnings: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let location = TestLocation(fileID, filePath, line, column)
    do {
      let (ended, all) = try script.playToEnd(registry)
      let doubts = ended.doubts + ended.silent
      report(doubts, at: location)
      // What is in doubt accuses nobody.
      if !doubts.isEmpty { return }
      let findings = all.filter { warnings || $0.isSought }
      guard let first = findings.first else { return }
      reportFailure(
        """
        \(ended.sentences(findings))
        \(RunPicture(ended).text(marked: first.seq))
        """, at: location)
    } catch {
      reportFailure("The controller could not be made: \(error)", at: location)
    }
  }

  /// Returns the rules that are broken if only deferred steps of the controller follow; none if it is in
  /// doubt, which fails the test.
  ///
  /// - Throws: an error of the controller's factory.
  public func brokenRules(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws -> [RuleCode] {
    let (ended, findings) = try script.playToEnd(registry)
    let doubts = ended.doubts + ended.silent
    report(doubts, at: TestLocation(fileID, filePath, line, column))
    return doubts.isEmpty ? findings.map(\.code) : []
  }
}

/// Expects that no ordering rule is broken in a recorded history.
///
/// It fails, too, if nothing has happened that could be judged. A mirror that could not be compared is a
/// warning. Below each finding is the line of code that made the request, if it was recorded. Warnings that do
/// not count are reported as warnings of Swift Testing, which do not let the test fail; XCTest has none.
///
/// - Parameters:
///   - history: a path, or the name of a file, with or without `.sqlite`. The file is searched in
///     the folder `Histories` next to the test, next to the test, and in the bundle. It is only
///     read.
///   - warnings: whether all warnings count; by default only `late-answer`, `double-push` and
///     `mirror` do, besides the errors.
///   - bundle: the bundle to search if there is no such file next to the test, for example on a
///     device.
public func expectNoFindings(
  in history: String, warnings: Bool = false, bundle: Bundle? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = TestLocation(fileID, filePath, line, column)
  do {
    let kept = try KeptHistory(history, bundle, location)
    let names = try kept.reader.names()
    let results = try HistoryCheck(kept.reader).file()
    if results.allSatisfy(\.judged.isEmpty) {
      return reportFailure(
        "Inconclusive: nothing that could be judged is recorded in the history '\(history)'. Attach the recorder "
          + "before the first event, and do what the test is about before 'close()'.", at: location)
    }
    for result in results {
      let findings = result.findings.filter { warnings || $0.isSought }
      let others = result.findings.filter { !warnings && !$0.isSought }
      // A mirror that could not be compared has not passed.
      let silent = try kept.mirrors(of: result)
      let lines = try kept.lines(of: others, names, at: location) + silent
      if !lines.isEmpty { reportWarning(lines.joined(separator: "\n"), at: location) }
      guard let first = findings.first else { continue }
      try kept.reportFailure(
        kept.lines(of: findings, names, at: location),
        kept.timeline(session: result.session, marked: first.seq), at: location)
    }
  } catch {
    reportFailure("The history '\(history)' could not be checked: \(error)", at: location)
  }
}

/// Expects that no rule is broken when what a history holds is replayed in its order.
///
/// The history keeps a bug as a test: it fails until the bug is fixed. Other than
/// `expectReproduced`, it does not matter whether the models do what they did when it was recorded.
///
/// ```swift
/// @Test @MainActor func `a late answer changes nothing`() {
///   expectNoFindings(replaying: "late-answer", in: .feed)
/// }
/// ```
///
/// The parameters are those of `explore(history:in:)`. The rules are all errors, `lateAnswer`,
/// `doublePush` and `mirror`. A late answer behind something that the user did may be right: it is a warning
/// of Swift Testing, and `expectOneOutcome` asks about it.
public func expectNoFindings(
  replaying history: String, in registry: ControllerRegistry, bundle: Bundle? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = TestLocation(fileID, filePath, line, column)
  do {
    let kept = try KeptHistory(history, bundle, location)
    for (session, known) in try kept.known(registry) {
      let whatIf = try WhatIf(
        kept.reader, session: session, only: Set(known.map(\.id)), registry: registry)
      let result = try whatIf.run().confirmed(by: whatIf.run())
      let called: (Int32) -> String? = { id in known.first { $0.id == id }?.name }
      let undecided = result.findings.filter { $0.severity == .warning && !$0.isSought }
      if !undecided.isEmpty {
        let lines = undecided.map { $0.line(naming: { result.names[$0] }, track: called) }
        let advice = "Whether that is right, 'expectOneOutcome' asks."
        reportWarning((lines + [advice]).joined(separator: "\n"), at: location)
      }
      let lines =
        result.decisive.map { $0.line(naming: { result.names[$0] }, track: called) }
        + result.doubts.map { doubt in
          doubt.advised { id in known.first { $0.id == id }?.name ?? "?" }
        }
      if lines.isEmpty { continue }
      try kept.reportFailure(lines, kept.timeline(result, session: session), at: location)
    }
  } catch {
    reportFailure("The history '\(history)' could not be replayed: \(error)", at: location)
  }
}

extension KeptHistory {
  /// The mirrors of a session that could not be compared, and why.
  fileprivate func mirrors(of result: HistoryCheck.Result) throws -> [String] {
    let silent = result.silent.filter { $0.code == .mirror }
    if silent.isEmpty { return [] }
    let tracks = try reader.controllers(session: result.session)
    return silent.map { rule in
      let name = tracks.first { $0.id == rule.controller }?.name ?? "?"
      return "The mirror of '\(name)' could not be judged. \(rule.reason)"
    }
  }

  /// Lets the test fail with these lines and lanes, and attaches the history.
  fileprivate func reportFailure(
    _ lines: [String], _ picture: String, at location: TestLocation
  ) throws {
    StatyTesting.reportFailure("\(lines.joined(separator: "\n"))\n\(picture)", at: location)
    try attach(at: location)
  }
}

extension ScheduleRun {
  /// The findings, one per line, and how to declare another discipline if a finding depends on it.
  func sentences(_ findings: [Finding]) -> String {
    let hint = findings.lazy.compactMap { finding in
      self.controllers.first { $0.id == finding.controller }.flatMap(finding.hint)
    }.first
    let lines = findings.map { finding in
      finding.line(
        naming: { self.names[$0] },
        track: { id in self.controllers.first { $0.id == id }?.name })
    }
    return (lines + (hint.map { [$0] } ?? [])).joined(separator: "\n")
  }
}

extension Finding {
  /// The finding in one line, with the code of its rule.
  ///
  /// - Parameters:
  ///   - place: where the rule is broken, if the line says so.
  ///   - name: the text of a name by its number.
  ///   - track: the name of a track by its number.
  func line(
    _ place: String? = nil, naming name: @escaping (Int32) -> String?,
    track: @escaping (Int32) -> String? = { _ in nil }
  ) -> String {
    let rule = "\(severity.rawValue)[\(code.rawValue)]"
    return "\(rule)\(place.map { " " + $0 } ?? ""): \(detail(naming: name, track: track))"
  }
}
