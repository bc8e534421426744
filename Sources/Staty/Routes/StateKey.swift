/// A value that stands for a state in a table of routes or states: a case of an enumeration,
/// or a string.
public protocol StateKey: Hashable, Sendable {
  /// The name of the state.
  var stateName: StateName { get }
}

extension StateKey {
  /// The name of the case.
  ///
  /// One with associated values goes by its name without them, whatever its description; one without
  /// goes by its description, up to a parenthesis.
  public var stateName: StateName {
    let withValues = Mirror(reflecting: self).nameOfCaseWithValues
    return StateName(withValues ?? String(String(describing: self).prefix { $0 != "(" }))
  }
}

extension StateKey where Self: RawRepresentable, RawValue == String {
  /// The raw value.
  public var stateName: StateName { StateName(rawValue) }
}

extension String: StateKey {
  /// The text itself.
  public var stateName: StateName { StateName(self) }
}
