internal import StatyReport

/// Expects that no order of callbacks breaks an ordering rule.
///
/// ```swift
/// @Test func `no order of callbacks breaks the checkout`() {
///   explore("checkout", in: .shop) { scenario in
///     scenario.request("loading")
///     scenario.request("alert") { $0.exitsByItself = true }
///     scenario.request("content")
///   }
/// }
/// ```
///
/// It tries every possible order of the requests and of the states' completions. The test fails
/// with a shortest order that breaks a rule. With an option, it reports one order for each broken
/// rule. The test also fails if not every order could be tried, or if nothing can happen.
///
/// A state that never completes is not an error of the controller. To detect hangs, add
/// `neverArrived` or `neverExited` to `options.codes`.
///
/// - Parameters:
///   - kind: the name of the controller in the registry.
///   - registry: creates the controller.
///   - options: the limits of the search, and the rules to check; by default one minute, and all
///     errors.
///   - describe: describes what may happen.
/// - Returns: the result; `nil` if the controller could not be created.
@discardableResult
public func explore(
  _ kind: String, in registry: ControllerRegistry = ControllerRegistry(),
  options: Explorer.Options = Explorer.Options(), _ describe: (inout Scenario) -> Void,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> Exploration? {
  var scenario = Scenario(kind)
  describe(&scenario)
  return explore(
    scenario, in: registry, options: options, fileID: fileID, filePath: filePath, line: line,
    column: column)
}

/// Expects that no order of callbacks breaks a rule when these states are requested independently.
///
/// The states enter and exit when they are told to.
///
/// `explore("checkout", requesting: "loading", "alert", "content", in: .shop)`
@discardableResult
public func explore(
  _ kind: String, requesting states: StateName...,
  in registry: ControllerRegistry = ControllerRegistry(),
  options: Explorer.Options = Explorer.Options(),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> Exploration? {
  var scenario = Scenario(kind)
  for state in states { scenario.request(state) }
  return explore(
    scenario, in: registry, options: options, fileID: fileID, filePath: filePath, line: line,
    column: column)
}

/// Expects that no order of callbacks breaks a rule with a policy.
@discardableResult
public func explore<Policy: TransitionPolicy>(
  policy: Policy, options: Explorer.Options = Explorer.Options(),
  _ describe: (inout Scenario) -> Void,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> Exploration? {
  var registry = ControllerRegistry()
  registry.register(policy: Policy.name.description) { policy }
  return explore(
    Policy.name.description, in: registry, options: options, describe, fileID: fileID,
    filePath: filePath, line: line, column: column)
}

/// Expects that no order of callbacks breaks a rule with your own controller class, or a live
/// controller.
///
/// - Parameters:
///   - kind: a name for the controller.
///   - discipline: the order in which states enter, and whether several are shown at once.
///   - make: creates a new controller each time it is called.
///   - options: the limits of the search, and the rules to check.
///   - describe: describes what may happen.
/// - Returns: the result; `nil` if the controller could not be created.
@discardableResult
public func explore(
  _ kind: String = "controller", discipline: Discipline = .inOrder,
  make: @escaping ControllerRegistry.Factory,
  options: Explorer.Options = Explorer.Options(), _ describe: (inout Scenario) -> Void,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> Exploration? {
  var registry = ControllerRegistry()
  registry.register(kind, discipline: discipline, make)
  return explore(
    kind, in: registry, options: options, describe, fileID: fileID, filePath: filePath,
    line: line, column: column)
}

/// Expects that no order of callbacks breaks a rule in an existing scenario, such as one from a
/// recording.
@discardableResult
public func explore(
  _ scenario: Scenario, in registry: ControllerRegistry = ControllerRegistry(),
  options: Explorer.Options = Explorer.Options(),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> Exploration? {
  let location = TestLocation(fileID, filePath, line, column)
  do {
    let explorer = try Explorer(scenario, registry: registry, options: options)
    let exploration = try explorer.run()
    if let words = try SearchWords(exploration, explorer, registry).failure {
      reportFailure(words, at: location)
    }
    return exploration
  } catch {
    reportFailure("The controller could not be made: \(error)", at: location)
    return nil
  }
}
