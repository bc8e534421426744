public import Foundation
internal import StatyHistory
internal import StatyReading

/// Expects that what a history holds always ends in the same way, whenever the answers come.
///
/// ```swift
/// @Test @MainActor func `a refresh that ends late signs nobody in`() {
///   expectOneOutcome("sign-out", in: .session)
/// }
/// ```
///
/// The history need not show a bug. The test fails if another order of the same input ends in another
/// way, breaks a rule, or if something is in doubt. If several ways are right, name them with
/// `expectOutcomes`: the failure has the line to paste.
///
/// - Parameters:
///   - history: a path, or the name of a file, as for `replay(_:in:)`.
///   - registry: creates what is played. It has to know every controller and track of the history, unless
///     it has models of plain async code: what it does not know is then left out.
///   - options: the limits of the search, and the rules to check.
///   - order: the only order to run, as the failure of a model of plain async code names it.
///   - bundle: the bundle to search if there is no such file next to the test.
/// - Returns: the outcomes.
@discardableResult
public func expectOneOutcome(
  _ history: String, in registry: ControllerRegistry,
  options: Explorer.Options = Explorer.Options(), repeating order: String? = nil,
  bundle: Bundle? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> [Outcome] {
  let location = TestLocation(fileID, filePath, line, column)
  return expectOutcomes(history, in: registry, options, order, bundle, location)
}

/// Expects that what a history holds ends in one of the allowed ways, whenever the answers come.
///
/// ```swift
/// expectOutcomes("search", in: .search, allowed: "results, set by 'found'", "failed, set by 'failed'")
/// ```
///
/// - Parameters:
///   - history: a path, or the name of a file, as for `replay(_:in:)`.
///   - registry: creates what is played. It has to know every controller and track of the history, unless
///     it has models of plain async code: what it does not know is then left out.
///   - allowed: the outcomes that are right, as a failure writes them.
///   - options: the limits of the search, and the rules to check.
///   - order: the only order to run, as the failure of a model of plain async code names it.
///   - bundle: the bundle to search if there is no such file next to the test.
/// - Returns: the outcomes.
@discardableResult
public func expectOutcomes(
  _ history: String, in registry: ControllerRegistry, allowed: String...,
  options: Explorer.Options = Explorer.Options(), repeating order: String? = nil,
  bundle: Bundle? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> [Outcome] {
  var options = options
  options.allowed = allowed
  let location = TestLocation(fileID, filePath, line, column)
  return expectOutcomes(history, in: registry, options, order, bundle, location)
}

/// Expects that what a scenario describes always ends in the same way, whenever the states answer.
@discardableResult
public func expectOneOutcome(
  _ scenario: Scenario, in registry: ControllerRegistry = ControllerRegistry(),
  options: Explorer.Options = Explorer.Options(),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> [Outcome] {
  expectOutcomes(
    of: scenario, in: registry, options, TestLocation(fileID, filePath, line, column))
}

/// Expects that what a scenario describes ends in one of the allowed ways.
@discardableResult
public func expectOutcomes(
  _ scenario: Scenario, in registry: ControllerRegistry = ControllerRegistry(),
  allowed: String..., options: Explorer.Options = Explorer.Options(),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> [Outcome] {
  var options = options
  options.allowed = allowed
  return expectOutcomes(
    of: scenario, in: registry, options, TestLocation(fileID, filePath, line, column))
}

private func expectOutcomes(
  _ history: String, in registry: ControllerRegistry, _ options: Explorer.Options,
  _ order: String?, _ bundle: Bundle?, _ location: TestLocation
) -> [Outcome] {
  do {
    let kept = try KeptHistory(history, bundle, location)
    let models = try kept.sessions.flatMap { try kept.models(of: $0, in: registry) }
    if !models.isEmpty {
      guard MainActor.isCurrent else { throw NotOnMainActor() }
      // The registry's models are of the main actor, and so is a test that plays them.
      MainActor.assumeIsolated {
        for model in models { expectOutcomes(of: model, history, options, order, location) }
      }
      if order != nil { return [] }
      let tracks = registry.models.flatMap(\.tracks)
      return try kept.sessions.flatMap { session in
        let others = try kept.reader.controllers(session: session.id).filter {
          registry.makesOwn($0.kind) && !tracks.contains($0.kind)
        }
        if others.isEmpty { return [Outcome]() }
        let scenario = try Scenario(
          kept.reader, session: session.id, only: Set(others.map(\.id)), registry: registry)
        if scenario.requests.isEmpty, scenario.messages.isEmpty { return [] }
        return expectOutcomes(of: scenario, in: registry, options, location)
      }
    }
    if order != nil {
      reportFailure(
        "'repeating' names an order of plain async code, and '\(history)' has none.", at: location)
      return []
    }
    return try kept.known(registry).flatMap { session, _ in
      let scenario = try Scenario(kept.reader, session: session, registry: registry)
      return expectOutcomes(of: scenario, in: registry, options, location)
    }
  } catch {
    reportFailure("The history '\(history)' could not be explored: \(error)", at: location)
    return []
  }
}

private func expectOutcomes(
  of scenario: Scenario, in registry: ControllerRegistry, _ options: Explorer.Options,
  _ location: TestLocation
) -> [Outcome] {
  do {
    let explorer = try Explorer(scenario, registry: registry, options: options)
    let exploration = try explorer.run()
    if let failure = try SearchWords(exploration, explorer, registry).failureOfOutcomes {
      reportFailure(failure, at: location)
    }
    return exploration.outcomes.flatMap(\.outcomes)
  } catch {
    reportFailure("The controller could not be made: \(error)", at: location)
    return []
  }
}

/// Expects how a recording of plain async code ends.
@MainActor private func expectOutcomes(
  of model: KeptHistory.RecordedModel, _ history: String, _ options: Explorer.Options,
  _ order: String?, _ location: TestLocation
) {
  var limits = WorldOptions()
  (limits.mostDeviations, limits.time) = (options.mostDeviations, options.time)
  limits.mostOrders = options.mostRuns
  var search = WorldSearch(of: model.recorded, limits, model.make)
  var outcomes = search.run(allowed: options.allowed, repeating: order)
  if outcomes.verdict == .differs || outcomes.verdict == .broken {
    // Which of them the recording has is known only from an order that does the same.
    limits.time = min(limits.time ?? .seconds(10), .seconds(10))
    var reproduction = Reproduction(model.recorded, limits, model.make)
    reproduction.run()
    if reproduction.verdict == .reproduced {
      outcomes = search.mark(recorded: reproduction.text, if: reproduction.conditions)
    }
  }
  WorldWords(outcomes, recording: history).report(at: location)
}
