/// A state without the type of its target, so that code that handles states is not generic.
///
/// Every ``ScreenState`` conforms. Do not conform to this protocol yourself.
public protocol ErasedState: AnyObject {
  /// The name of the state in recordings.
  var name: StateName { get }

  /// A key that is equal for requests of the same state. The policy `coalesce` compares it.
  var coalescingKey: AnyHashable? { get }

  /// What a recorder stores with the state's name.
  var payload: StatePayload? { get }

  /// Whether it exits only when the user closes it, as an alert does.
  ///
  /// Told to exit, it may then take as long as the user takes. It is asked when the state is requested, and
  /// again when it is told to exit.
  var awaitsUser: Bool { get }

  /// Enters on the target of a holder; `false` if the target was released.
  ///
  /// The state is of this type. It is passed without reference counting; the caller keeps it alive.
  static func enter(
    _ state: Unmanaged<AnyObject>, in holder: TargetHolder, visit: Visit
  ) -> Bool

  /// Exits from the target of a holder; `false` if the target was released.
  ///
  /// The state is passed as to `enter(_:in:visit:)`.
  static func exit(
    _ state: Unmanaged<AnyObject>, in holder: TargetHolder, visit: Visit
  ) -> Bool
}

extension ErasedState {
  /// An object that is known to be of this type.
  static func state(_ object: Unmanaged<AnyObject>) -> Self {
    unsafeDowncast(object.takeUnretainedValue(), to: Self.self)
  }
}

extension ScreenState {
  @inlinable
  public static func enter(
    _ state: Unmanaged<AnyObject>, in holder: TargetHolder, visit: Visit
  ) -> Bool {
    Unmanaged<Self>.fromOpaque(state.toOpaque())._withUnsafeGuaranteedRef { state in
      holder.withTarget(as: Target.self) { state.enter(on: $0, visit: visit) }
    }
  }

  @inlinable
  public static func exit(
    _ state: Unmanaged<AnyObject>, in holder: TargetHolder, visit: Visit
  ) -> Bool {
    Unmanaged<Self>.fromOpaque(state.toOpaque())._withUnsafeGuaranteedRef { state in
      holder.withTarget(as: Target.self) { state.exit(from: $0, visit: visit) }
    }
  }
}

// The same code again, because the type of the target selects a faster overload.
extension ScreenState where Target: AnyObject {
  @inlinable
  public static func enter(
    _ state: Unmanaged<AnyObject>, in holder: TargetHolder, visit: Visit
  ) -> Bool {
    Unmanaged<Self>.fromOpaque(state.toOpaque())._withUnsafeGuaranteedRef { state in
      holder.withTarget(as: Target.self) { state.enter(on: $0, visit: visit) }
    }
  }

  @inlinable
  public static func exit(
    _ state: Unmanaged<AnyObject>, in holder: TargetHolder, visit: Visit
  ) -> Bool {
    Unmanaged<Self>.fromOpaque(state.toOpaque())._withUnsafeGuaranteedRef { state in
      holder.withTarget(as: Target.self) { state.exit(from: $0, visit: visit) }
    }
  }
}
