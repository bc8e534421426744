/// A state without its target's type, so that what keeps and drives states is not generic.
///
/// Every ``ScreenState`` is one; there is nothing to implement.
public protocol ErasedState: AnyObject {
  /// What the state is called in recordings.
  var name: StateName { get }

  /// Requests with equal keys ask for the same.
  var coalescingKey: AnyHashable? { get }

  /// What is recorded of the state beyond its name, if a recorder is there.
  var payload: StatePayload? { get }

  /// Comes in on the target that the holder finds; `false` if it has gone.
  func enter(in holder: TargetHolder, visit: Visit) -> Bool

  /// Leaves the target that the holder finds; `false` if it has gone.
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

// The same text again, where the type says more.
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
