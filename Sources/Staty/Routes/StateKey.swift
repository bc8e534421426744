/// A value that stands for a state in a table of routes or states: a case of an enumeration,
/// or a string.
public protocol StateKey: NamedState, Hashable, Sendable {}

extension StateKey {
  /// The name of the case without its values, whatever its description.
  public var stateName: StateName { StateName(ofCase: self, isNamed: false) }
}

extension StateKey where Self: RawRepresentable, RawValue == String {
  /// The raw value.
  public var stateName: StateName { StateName(rawValue) }
}

extension String: StateKey {
  /// The text itself.
  public var stateName: StateName { StateName(self) }
}
