import CStaty

/// A state or a message that defines its own name for recordings.
///
/// For any other value, the name of its enumeration case or of its type is recorded.
public protocol NamedState {
  /// The name. Use a limited set of names, because they are never freed.
  var stateName: StateName { get }
}

extension StateName {
  /// Creates the name of an enumeration case, without its values: `ready(model)` is named `ready`.
  ///
  /// An optional has the name of its value, or `none`, and a Boolean value is `true` or `false`. A ``NamedState`` defines its own name. A
  /// value of any other type has the name of the type, because names are never freed and its text
  /// could be anything. Staty never reads a value's description or its mirror.
  public init<Value>(ofCase value: Value) {
    self.init(ofCase: value, isNamed: true)
  }

  /// - Parameter isNamed: whether the name that a ``NamedState`` defines is used.
  init<Value>(ofCase value: Value, isNamed: Bool) {
    let type = Self.address(of: Value.self)
    guard let tag = Self.tag(of: value) else {
      self = Self.named(value, isNamed) ?? StateName(of: Value.self)
      return
    }
    // The key is the type and the number of the case. No other name has a length below -1.
    let (address, length) = (type &+ UInt(tag), -2 - Int(tag))
    if let known = Self(cachedAt: address, length: length) {
      self = known
      return
    }
    if let name = Self.named(value, isNamed) {
      self = name
      return
    }
    self.init(cachedAt: address, length: length) { Self.text(of: value, tag) }
  }

  /// The address of a type, by which what is known of it is found.
  static func address<Value>(of type: Value.Type) -> UInt {
    UInt(bitPattern: pointer(to: type))
  }

  /// Whether a type is an enumeration, and no optional.
  static func isEnumeration<Value>(_ type: Value.Type) -> Bool {
    staty_type_is_enumeration(pointer(to: type))
  }

  /// Whether a type is an enumeration of which no case has values: there may be more to a state than
  /// the phase that such a value names.
  static func isPhase<Value>(_ type: Value.Type) -> Bool {
    isEnumeration(type) && !staty_enumeration_has_values(pointer(to: type))
  }

  /// Whether a value is all in its name: a case without values, or a Boolean value.
  static func isWhole<Value>(_ value: Value) -> Bool {
    if Value.self == Bool.self { return true }
    guard let tag = tag(of: value), !(value is any NamedState) else { return false }
    return !staty_case_has_values(tag, pointer(to: Value.self))
  }

  private static func pointer<Value>(to type: Value.Type) -> UnsafeRawPointer {
    unsafeBitCast(type as any Any.Type, to: UnsafeRawPointer.self)
  }

  /// The number of an enumeration's case; `nil` for any other type.
  private static func tag<Value>(of value: Value) -> UInt32? {
    let type = pointer(to: Value.self)
    guard staty_type_has_cases(type) else { return nil }
    return withUnsafePointer(to: value) { staty_case_of($0, type) }
  }

  /// The name that the value defines, or the name of the value that an optional holds.
  private static func named<Value>(_ value: Value, _ isNamed: Bool) -> StateName? {
    // A string is a name only where it is used as a key. As a value it may be anything.
    if isNamed, !(value is String), let named = value as? any NamedState { return named.stateName }
    if let holder = value as? any ValueHolder { return holder.heldName }
    return nil
  }

  private static func text<Value>(of value: Value, _ tag: UInt32) -> String {
    if let name = nameOfCase(value), name.pointee != 0 { return String(cString: name) }
    // The app was built without case names.
    return "\(StateName(of: Value.self))#\(tag + 1)"
  }
}

/// The runtime's name of a case; `nil` if the app was built without case names.
@_silgen_name("swift_EnumCaseName")
private func nameOfCase<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// A value that has the name of the value it holds.
private protocol ValueHolder {
  var heldName: StateName { get }
}

extension Bool: ValueHolder {
  fileprivate var heldName: StateName { self ? "true" : "false" }
}

extension Optional: ValueHolder {
  fileprivate var heldName: StateName {
    switch self {
    case .some(let value): StateName(ofCase: value)
    case .none: "none"
    }
  }
}
