internal import StatyHistory
internal import StatyReport

/// A test of a controller, written line by line.
///
/// ```swift
/// @Test func `an alert enters when the indicator has exited`() throws {
///   let checkout = try TestScenario(policy: .queue)
///   let loading = checkout.request("loading")
///   let alert = checkout.request("alert")
///   checkout.complete(loading, .entered)
///   checkout.complete(loading, .exited)
///   checkout.expectOrder(
///     .entering(loading), .entered(loading), .exiting(loading), .exited(loading),
///     .entering(alert))
///   checkout.expectNoFindings()
/// }
/// ```
///
/// States do only what the test says, and time advances only with
/// ``advance(by:fileID:filePath:line:column:)``. Each line is carried out at once. A line that
/// cannot happen fails, for example if a state reports its exit but was never told to exit. For
/// each line, the whole scenario is played again from the start with a new controller. So the
/// controller must not depend on anything besides its inputs.
///
/// Works in Swift Testing and in XCTest.
public final class TestScenario {
  var script: TestScript
  let registry: ControllerRegistry
  /// The run of all lines so far.
  public internal(set) var run: ScheduleRun
  /// The doubts that have failed the test already.
  private var reported: Set<ReplayDoubt> = []

  /// The requests and states so far, without their order.
  public var scenario: Scenario { script.scenario }

  /// Creates a test from a scenario with one controller.
  ///
  /// - Throws: a `RegistryError` if the registry does not know the controller, or an error of its
  ///   factory.
  public init(_ scenario: Scenario, in registry: ControllerRegistry = ControllerRegistry()) throws {
    precondition(
      scenario.controllers.count == 1, "A test scenario is of one controller. Make one for each.")
    script = TestScript(scenario)
    self.registry = registry
    run = try ScheduleRun(scenario, registry: registry)
  }

  /// Fails the test for doubts that have not failed it yet.
  func report(_ doubts: [ReplayDoubt], at location: TestLocation) {
    let new = doubts.filter { reported.insert($0).inserted }
    if new.isEmpty { return }
    reportFailure(
      new.map { $0.advised(in: scenario) }.joined(separator: "\n"), at: location)
  }

  /// Creates a test of a controller in a registry.
  ///
  /// - Parameters:
  ///   - kind: the name of the controller in the registry.
  ///   - registry: creates the controller.
  ///   - discipline: the order in which states enter, unless the registry defines it.
  ///   - routes: the declared routes; for policies.
  ///   - isBound: whether there is a target from the beginning; for policies.
  /// - Throws: a `RegistryError` if the registry does not know the controller, or an error of its
  ///   factory.
  public convenience init(
    _ kind: String, in registry: ControllerRegistry = ControllerRegistry(),
    discipline: Discipline = .inOrder, routes: RouteTable? = nil, isBound: Bool = true
  ) throws {
    var standing = PolicySnapshot()
    standing.routes = routes
    standing.isWithholding = !isBound
    var scenario = Scenario(kind, discipline: discipline)
    scenario.controllers[0].snapshot = SnapshotRecord(
      ControllerSnapshot(policy: StateName(kind), standing: standing))
    try self.init(scenario, in: registry)
  }

  /// Creates a test of a policy.
  public convenience init<Policy: TransitionPolicy>(policy: Policy) throws {
    var registry = ControllerRegistry()
    let name = Policy.name.description
    registry.register(policy: name) { policy }
    try self.init(name, in: registry, routes: policy.snapshot.routes)
  }

  /// Creates a test of your own controller class.
  ///
  /// ```swift
  /// let checkout = try TestScenario("checkout") { context in
  ///   let checkout = CheckoutController(probe: context.probe)
  ///   return context.subject(makeState: ScriptedStep.init) { step, _ in checkout.show(step) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: a name for the controller.
  ///   - discipline: the order in which states enter, and whether several are shown at once.
  ///   - make: creates a new controller each time it is called.
  /// - Throws: an error of the factory.
  public convenience init(
    _ kind: String = "controller", discipline: Discipline = .inOrder,
    make: @escaping ControllerRegistry.Factory
  ) throws {
    var registry = ControllerRegistry()
    registry.register(kind, discipline: discipline, make)
    try self.init(kind, in: registry)
  }
}

/// A request of a test, which identifies its state in later lines.
public struct TestRequest: Hashable, Sendable {
  /// The number of the request in the scenario.
  public let id: Int
}
