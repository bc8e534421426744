public import Foundation
internal import StatyHistory
internal import StatyReading
internal import StatyReport
internal import StatyText

/// Expects that no order of what a history holds breaks a rule.
///
/// ```swift
/// @Test @MainActor func `no order of the answers breaks the feed`() {
///   explore(history: "two-searches", in: .feed)
/// }
/// ```
///
/// The rules are all errors, `lateAnswer`, `doublePush` and `mirror`, unless the options name others. A
/// recording without a bug is enough: it says what may happen, and every order of it is tried.
///
/// - Parameters:
///   - history: a path, or the name of a file, as for `replay(_:in:)`.
///   - registry: creates what is played; it has to know every controller and track of the history.
///   - options: the limits of the search, and the rules to check.
///   - bundle: the bundle to search if there is no such file next to the test.
/// - Returns: the result for each session.
@discardableResult
public func explore(
  history: String, in registry: ControllerRegistry, options: Explorer.Options = Explorer.Options(),
  bundle: Bundle? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> [Exploration] {
  let location = TestLocation(fileID, filePath, line, column)
  do {
    let kept = try KeptHistory(history, bundle, location)
    return try kept.known(registry).compactMap { session, _ in
      // What is not registered is in doubt, as in the tool.
      let scenario = try Scenario(kept.reader, session: session, registry: registry)
      return explore(
        scenario, in: registry, options: options, fileID: fileID, filePath: filePath, line: line,
        column: column)
    }
  } catch {
    reportFailure("The history '\(history)' could not be explored: \(error)", at: location)
    return []
  }
}

/// Reduces a history to the fewest requests and messages that break the same rule.
///
/// ```swift
/// try minimize("long-session", in: .feed, writingTo: "/tmp/late-answer.sqlite")
/// ```
///
/// - Parameters:
///   - history: a path, or the name of a file, as for `replay(_:in:)`.
///   - registry: creates what is played.
///   - options: the limits, and the rules that count.
///   - output: the path of the history to write; it must not exist.
///   - bundle: the bundle to search if there is no such file next to the test.
/// - Returns: what is left.
/// - Throws: a `MinimizerError` if no rule is broken or it cannot be replayed, or an error if the
///   history does not exist or is damaged.
@discardableResult
public func minimize(
  _ history: String, in registry: ControllerRegistry,
  options: Minimizer.Options = Minimizer.Options(), writingTo output: String? = nil,
  bundle: Bundle? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) throws -> Minimization {
  let kept = try KeptHistory(history, bundle, TestLocation(fileID, filePath, line, column))
  guard let first = try kept.broken(registry, options.codes) else {
    throw MinimizerError.nothingBroken
  }
  var options = options
  let isRule = first.finding.code != .invariant
  // A condition of the app's own is found in the run, where it has its name.
  if !isRule { options.codes = [.invariant] }
  let minimizer = try Minimizer(
    kept.reader, session: first.session, finding: isRule ? first.finding : nil,
    registry: registry, options: options)
  let minimization = try minimizer.run()
  if let output { try minimizer.run(of: minimization).write(to: output) }
  return minimization
}

/// Generates the source of a test from a history: it fails until the bug is fixed.
///
/// It is tried before: with the recorded controller it fails. If a right one is named, the test
/// expects its order and passes with it; without one it expects that no rule is broken.
///
/// - Parameters:
///   - history: a path, or the name of a file, as for `replay(_:in:)`.
///   - registry: creates what is played.
///   - right: the name in the registry of the controller or model without the bug, if there is one.
///   - expression: how the test gets at the registry, such as `.feed`.
///   - modules: the modules that the test imports for that.
///   - bundle: the bundle to search if there is no such file next to the test.
/// - Returns: the source of the test.
/// - Throws: an error that says why no test can be generated.
public func generateTest(
  from history: String, in registry: ControllerRegistry, right: String? = nil,
  as expression: String,
  importing modules: [String] = [], bundle: Bundle? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) throws -> String {
  let kept = try KeptHistory(history, bundle, TestLocation(fileID, filePath, line, column))
  guard let first = try kept.broken(registry, nil) else { throw MinimizerError.nothingBroken }
  var surroundings = TestWriter.Surroundings()
  surroundings.source = URL(fileURLWithPath: kept.path).lastPathComponent
  surroundings.registry = expression
  surroundings.imports = modules
  return try TestWriter(
    kept.reader, session: first.session, about: first.finding, registry: registry, right: right,
    surroundings
  ).text
}

extension KeptHistory {
  /// The sessions with the controllers and tracks that a registry knows; an error if there are none.
  func known(
    _ registry: ControllerRegistry
  ) throws -> [(session: Int64, known: [ControllerRecord])] {
    let all = try sessions.map { session in
      let controllers = try reader.controllers(session: session.id)
      return (session: session.id, known: controllers.filter { registry.contains($0.kind) })
    }.filter { !$0.known.isEmpty }
    if all.isEmpty { throw try NothingKnown(self, registry) }
    return all
  }

  /// The first finding that counts, at a controller or track that the registry knows.
  ///
  /// - Parameter codes: the rules that count; `nil` for those that a search is for.
  fileprivate func broken(
    _ registry: ControllerRegistry, _ codes: Set<RuleCode>?
  ) throws -> (session: Int64, finding: Finding)? {
    for (session, known) in try known(registry) {
      let records = try reader.controllers(session: session)
      let finding = try HistoryCheck(reader).session(session).findings.first { finding in
        (codes?.contains(finding.code) ?? finding.isSought)
          && known.contains { $0.id == finding.controller }
          && (finding.code != .mirror
            || registry.playsMirrors(of: finding.controller, among: records))
      }
      if let finding { return (session, finding) }
      guard codes?.contains(.invariant) ?? true else { continue }
      let conditions = try WhatIf(
        reader, session: session, only: Set(known.map(\.id)), registry: registry
      ).brokenConditions()
      if let first = conditions.first { return (session, first) }
    }
    return nil
  }
}

/// No controller, model or track of a history is registered.
struct NothingKnown: Error, CustomStringConvertible {
  /// The kinds in the history.
  private let kinds: [String]
  private let registered: [String]
  /// The kinds that are registered as models of plain async code.
  private let async: [String]

  init(_ history: KeptHistory, _ registry: ControllerRegistry) throws {
    let kinds = try history.sessions.flatMap { session in
      try history.reader.controllers(session: session.id).map(\.kind)
    }
    self.kinds = Set(kinds).sorted()
    let tracks = Set(registry.models.flatMap(\.tracks))
    async = self.kinds.filter(tracks.contains)
    registered = registry.names
  }

  var description: String {
    func list(_ names: [String]) -> String {
      names.map { "'\($0.escapedForOneLine)'" }.joined(separator: ", ")
    }
    if kinds.isEmpty {
      return "Nothing was recorded in the history. Attach the recorder before the first event, and "
        + "close it after the last."
    }
    if !async.isEmpty {
      return
        "\(list(async)) is registered as plain async code, whose recording is not replayed but "
        + "looked for. Use 'expectReproduced', 'reproduce', 'expectOneOutcome' or 'expectOutcomes' for it."
    }
    return "The history is of \(list(kinds)), and the registry has only \(list(registered)). "
      + "Register the same name."
  }
}
