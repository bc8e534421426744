/// A value that identifies a state in a table of routes or states: an enumeration case or a string.
public protocol StateKey: NamedState, Hashable, Sendable {}

extension StateKey {
  /// The name of the case, without its values.
  public var stateName: StateName { StateName(ofCase: self, isNamed: false) }
}

extension StateKey where Self: RawRepresentable, RawValue == String {
  /// The raw value.
  public var stateName: StateName { StateName(rawValue) }
}

extension String: StateKey {
  /// The string itself.
  public var stateName: StateName { StateName(self) }
}
