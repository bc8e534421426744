internal import StatyHistory
internal import StatyReport

/// A controller in a test, and what happens to it, line by line.
///
/// ```swift
/// @Test func `an alert comes in when the indicator has gone`() throws {
///   let checkout = try TestScenario(policy: .queue)
///   let loading = checkout.request("loading")
///   let alert = checkout.request("alert")
///   checkout.complete(loading, .entered)
///   checkout.complete(loading, .exited)
///   checkout.expectOrder(
///     .entering(loading), .entered(loading), .exiting(loading), .exited(loading),
///     .entering(alert))
///   checkout.expectNoViolations()
/// }
/// ```
///
/// States do nothing but what the test says, and no time passes but what the test lets pass with
/// ``advance(by:fileID:filePath:line:column:)``. Each line is carried out at once; one
/// that cannot happen, such as a state saying that it is out which was never told to leave, fails
/// where it stands. To that end everything is played again from the start with each line, with a new
/// controller: it must not ask anything beside what it is told.
///
/// Works in Swift Testing and in XCTest.
public final class TestScenario {
  var script: TestScript
  let registry: ControllerRegistry
  /// How the lines went so far.
  public internal(set) var run: ScheduleRun

  /// What was said so far of requests and states, without their order.
  public var scenario: Scenario { script.scenario }

  /// A scenario of this controller.
  ///
  /// - Throws: a `RegistryError` if there is no controller of that name, or what its factory throws.
  public init(_ scenario: Scenario, in registry: ControllerRegistry = ControllerRegistry()) throws {
    precondition(
      scenario.controllers.count == 1, "A test scenario is of one controller. Make one for each.")
    script = TestScript(scenario)
    self.registry = registry
    run = try ScheduleRun(scenario, registry: registry)
  }

  /// A scenario of the controller that a registry makes by this name.
  ///
  /// - Parameters:
  ///   - discipline: in which order it lets its states enter, unless the registry says it.
  ///   - routes: the declared moves that it is to keep to; for policies.
  ///   - isBound: whether what states are shown on is there from the beginning; for policies.
  /// - Throws: a `RegistryError` if there is none, or what its factory throws.
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

  /// A scenario of a controller with this policy.
  public convenience init<Policy: TransitionPolicy>(policy: Policy) throws {
    var registry = ControllerRegistry()
    let name = Policy.name.description
    registry.register(policy: name) { policy }
    try self.init(name, in: registry, routes: policy.snapshot.routes)
  }

  /// A scenario of a controller class of one's own.
  ///
  /// ```swift
  /// let checkout = try TestScenario("checkout") { context in
  ///   let checkout = CheckoutController(probe: context.probe)
  ///   return context.subject(makeState: ScriptedStep.init) { step, _ in checkout.show(step) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - discipline: in which order it lets its states enter, and whether it shows several at once.
  ///   - make: makes the controller, each time that it is called a new one.
  public convenience init(
    _ kind: String = "controller", discipline: Discipline = .inOrder,
    make: @escaping ControllerRegistry.Factory
  ) throws {
    var registry = ControllerRegistry()
    registry.register(kind, discipline: discipline, make)
    try self.init(kind, in: registry)
  }
}

/// A request that a test has made, by which its state is called from then on.
public struct TestRequest: Hashable, Sendable {
  /// Its number in the scenario.
  public let id: Int
}
