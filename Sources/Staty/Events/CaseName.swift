import CStaty

/// A state, or a message, that says what it is called.
///
/// Of anything else the name of the case is recorded, or that of the type.
public protocol NamedState {
  /// The name, from a limited set: names are never freed.
  var stateName: StateName { get }
}

extension StateName {
  /// The name of an enumeration's case without its values: `ready(model)` is called `ready`.
  ///
  /// An optional goes by the name of what it holds, and by `none` if it holds nothing. A
  /// ``NamedState`` says its own name. A value of any other type goes by the name of the type, because
  /// its text could be anything and names are never freed. Nothing that a value says of itself is ever
  /// asked for: neither its description nor its mirror.
  public init<Value>(ofCase value: Value) {
    self.init(ofCase: value, isNamed: true)
  }

  /// - Parameter isNamed: whether a ``NamedState`` is asked for its name.
  init<Value>(ofCase value: Value, isNamed: Bool) {
    let type = UInt(
      bitPattern: unsafeBitCast(Value.self as any Any.Type, to: UnsafeRawPointer.self))
    guard let tag = Self.tag(of: value) else {
      self = Self.named(value, isNamed) ?? StateName(of: Value.self)
      return
    }
    // Found by the type and the number of the case; nobody else's names have such lengths.
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

  /// The number of an enumeration's case; none of any other type.
  private static func tag<Value>(of value: Value) -> UInt32? {
    let type = unsafeBitCast(Value.self as any Any.Type, to: UnsafeRawPointer.self)
    guard staty_type_has_cases(type) else { return nil }
    return withUnsafePointer(to: value) { staty_case_of($0, type) }
  }

  /// The name that the value says, or that what it holds has.
  private static func named<Value>(_ value: Value, _ isNamed: Bool) -> StateName? {
    // A text is a name where it is used as a key; as a value it may be anything.
    if isNamed, !(value is String), let named = value as? any NamedState { return named.stateName }
    if let holder = value as? any ValueHolder { return holder.heldName }
    return nil
  }

  private static func text<Value>(of value: Value, _ tag: UInt32) -> String {
    if let name = nameOfCase(value), name.pointee != 0 { return String(cString: name) }
    // The app was built without the names of cases.
    return "\(StateName(of: Value.self))#\(tag + 1)"
  }
}

/// The runtime's own name of a case: none if the app was built without.
@_silgen_name("swift_EnumCaseName")
private func nameOfCase<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// Something that is called as what it holds.
private protocol ValueHolder {
  var heldName: StateName { get }
}

extension Optional: ValueHolder {
  fileprivate var heldName: StateName {
    switch self {
    case .some(let value): StateName(ofCase: value)
    case .none: "none"
    }
  }
}
