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

/// The failure message of an exploration.
private struct SearchWords {
  private let exploration: Exploration
  /// The runs of the orders that were found.
  private let runs: [ScheduleRun?]
  private let doubts: [String]

  init(_ exploration: Exploration, _ explorer: Explorer, _ registry: ControllerRegistry) throws {
    self.exploration = exploration
    doubts = exploration.doubts.map { $0.advised(in: exploration.scenario, registry) }
    runs = try exploration.orders.map(explorer.run(of:))
  }

  /// What went wrong; `nil` if every order was tried and breaks no rule.
  var failure: String? {
    switch exploration.verdict {
    case .passed: nil
    case .inconclusive where exploration.orders.isEmpty:
      "Not every order could be tried: \(obstacle)"
    case .inconclusive: "It is in doubt whether this can happen: \(obstacle)\n\(broken)"
    case .broken: broken
    }
  }

  private var obstacle: String {
    switch exploration.orders.isEmpty ? exploration.cut : nil {
    case .steps:
      "there are longer ones than \(exploration.depth) steps. \(advice("mostSteps"))"
    case .runs: "\(exploration.transitions) runs did not suffice. \(advice("mostRuns"))"
    case .states: "\(exploration.states) states did not suffice. \(advice("mostStates"))"
    case .memory:
      "\(exploration.bytes) bytes were held, and more did not fit. \(advice("mostBytes"))"
    case .time: "the time was over after \(progress). \(advice("time"))"
    case nil where exploration.isEmpty && doubts.isEmpty: "nothing is requested. Request a state."
    case nil: doubts.joined(separator: " ")
    }
  }

  /// The number of states or runs so far.
  private var progress: String {
    let isByState = exploration.method == .states
    let count = isByState ? exploration.states : exploration.transitions
    return "\(count) \(isByState ? "state" : "run")\(count == 1 ? "" : "s")"
  }

  /// - Parameter option: the limit that was reached.
  private func advice(_ option: String) -> String {
    "Ask for less, or allow more with 'options.\(option)'."
  }

  private var broken: String {
    zip(exploration.orders, runs).map(told).joined(separator: "\n")
  }

  private func told(_ order: Exploration.Order, _ run: ScheduleRun?) -> String {
    guard let run else { return "A rule is broken in an order that cannot be played again." }
    let count = order.schedule.count
    let steps = "\(count) step\(count == 1 ? "" : "s")"
    let first = order.findings.first { order.codes.contains($0.code) }
    return """
      \(run.sentences(order.findings))
      \(exploration.isShortest ? "No shorter order does this than these" : "It takes these") \(steps):
      \(RunPicture(run).text(marked: first?.seq))
      """
  }
}
