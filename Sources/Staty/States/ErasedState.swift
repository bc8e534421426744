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

  /// Enters on the target of a holder; `false` if the target was released.
  func enter(in holder: TargetHolder, visit: Visit) -> Bool

  /// Exits from the target of a holder; `false` if the target was released.
  func exit(in holder: TargetHolder, visit: Visit) -> Bool
}

extension ScreenState {
  @inlinable
  public func enter(in holder: TargetHolder, visit: Visit) -> Bool {
    holder.withTarget(as: Target.self) { enter(on: $0, visit: visit) }
  }

  @inlinable
  public func exit(in holder: TargetHolder, visit: Visit) -> Bool {
    holder.withTarget(as: Target.self) { exit(from: $0, visit: visit) }
  }
}

// The same code again, because the type of the target selects a faster overload.
extension ScreenState where Target: AnyObject {
  @inlinable
  public func enter(in holder: TargetHolder, visit: Visit) -> Bool {
    holder.withTarget(as: Target.self) { enter(on: $0, visit: visit) }
  }

  @inlinable
  public func exit(in holder: TargetHolder, visit: Visit) -> Bool {
    holder.withTarget(as: Target.self) { exit(from: $0, visit: visit) }
  }
}
