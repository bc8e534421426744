/// What histories have touched of the controllers in them.
public struct Coverage: Equatable, Sendable {
  /// A controller, wherever it is recorded.
  public struct Controller: Hashable, Sendable, Comparable {
    /// The name under which it is recorded.
    public var name: String
    /// The name of its policy.
    public var policy: String

    /// The controller of this name with this policy.
    init(name: String, policy: String) {
      self.name = name
      self.policy = policy
    }

    public static func < (one: Self, other: Self) -> Bool {
      (one.name, one.policy) < (other.name, other.policy)
    }
  }

  /// What was touched of each.
  public internal(set) var controllers: [Controller: ControllerCoverage] = [:]

  /// Nothing touched yet.
  public init() {}

  /// Adds what others have touched.
  public mutating func merge(_ other: Coverage) {
    for (controller, touched) in other.controllers {
      controllers[controller, default: ControllerCoverage()].merge(touched)
    }
  }

  /// Adds what was touched of a controller.
  mutating func merge(_ touched: ControllerCoverage, of controller: Controller) {
    controllers[controller, default: ControllerCoverage()].merge(touched)
  }
}
