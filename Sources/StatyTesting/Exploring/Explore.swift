internal import StatyReport

/// Expects that no ordering rule is broken, in whatever order things happen.
///
/// ```swift
/// @Test func `no order of callbacks breaks the checkout`() {
///   explore("checkout", in: .shop) { scenario in
///     scenario.ask("loading")
///     scenario.ask("alert") { $0.leaves = true }
///     scenario.ask("content")
///   }
/// }
/// ```
///
/// Every order is tried in which the requests can be made and the states can answer. It fails with a
/// shortest one in which a rule is broken, or if the options say so with one for each such rule, and
/// also if not every order could be tried, or nothing can happen.
///
/// That a state keeps silent which was told something in its turn is no fault of the controller; who
/// lets others wait for it is asked if the options name `neverArrived` or `neverExited`.
///
/// - Parameters:
///   - kind: the name by which the registry makes the controller.
///   - options: how far to go, and which rules are meant; by default a minute, and all that are errors.
///   - describe: says what may happen.
/// - Returns: what came of it; `nil` if the controller could not be made.
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

/// The same, when these states are asked for, each by somebody else, and do what they are told.
///
/// `explore("checkout", asking: "loading", "alert", "content", in: .shop)`
@discardableResult
public func explore(
  _ kind: String, asking states: StateName...,
  in registry: ControllerRegistry = ControllerRegistry(),
  options: Explorer.Options = Explorer.Options(),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> Exploration? {
  var scenario = Scenario(kind)
  for state in states { scenario.ask(state) }
  return explore(
    scenario, in: registry, options: options, fileID: fileID, filePath: filePath, line: line,
    column: column)
}

/// The same with a policy.
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

/// The same with a controller class of one's own, or a live controller.
///
/// - Parameters:
///   - discipline: in which order it lets its states enter, and whether it shows several at once.
///   - make: makes the controller, each time that it is called a new one.
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

/// The same with a scenario that is there already, such as one that was made of a recording.
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
    if let words = try SearchWords(exploration, explorer).failure {
      reportFailure(words, at: location)
    }
    return exploration
  } catch {
    reportFailure("The controller could not be made: \(error)", at: location)
    return nil
  }
}

/// What a failed exploration says.
private struct SearchWords {
  private let exploration: Exploration
  /// Runs of the orders that were found.
  private let runs: [ScheduleRun?]

  init(_ exploration: Exploration, _ explorer: Explorer) throws {
    self.exploration = exploration
    runs = try exploration.orders.map(explorer.run(of:))
  }

  /// What went wrong; none if every order was tried and is right.
  var failure: String? {
    switch exploration.verdict {
    case .passed: nil
    case .inconclusive: "Not every order could be tried: \(obstacle)"
    case .broken: broken
    }
  }

  private var obstacle: String {
    switch exploration.cut {
    case .steps:
      "there are longer ones than \(exploration.depth) steps. \(advice("mostSteps"))"
    case .runs: "\(exploration.transitions) runs did not suffice. \(advice("mostRuns"))"
    case .states: "\(exploration.states) states did not suffice. \(advice("mostStates"))"
    case .memory:
      "\(exploration.bytes) bytes were held, and more did not fit. \(advice("mostBytes"))"
    case .time: "the time was over after \(progress). \(advice("time"))"
    case nil where exploration.isEmpty: "nobody asks for anything. Ask for a state."
    case nil: exploration.doubts.map(\.sentence).joined(separator: " ")
    }
  }

  /// How far it came.
  private var progress: String {
    let isByState = exploration.method == .states
    let count = isByState ? exploration.states : exploration.transitions
    return "\(count) \(isByState ? "state" : "run")\(count == 1 ? "" : "s")"
  }

  /// - Parameter option: the limit that was met.
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
    let first = order.violations.first { order.codes.contains($0.code) }
    return """
      \(run.sentences(order.violations))
      \(exploration.isShortest ? "No shorter order does this than these" : "It takes these") \(steps):
      \(RunPicture(run).text(marked: first?.seq))
      """
  }
}
