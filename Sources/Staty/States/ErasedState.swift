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
    guard let target = holder.target(as: Target.self) else { return false }
    enter(on: target, visit: visit)
    return true
  }

  @inlinable
  public func exit(in holder: TargetHolder, visit: Visit) -> Bool {
    guard let target = holder.target(as: Target.self) else { return false }
    exit(from: target, visit: visit)
    return true
  }
}

/// Finds the target of a controller each time a state is told something.
public class TargetHolder {
  init() {}

  /// Takes hold of the target until `letGo`; `false` if it has gone.
  func hold() -> Bool { false }

  /// Lets go of the target.
  func letGo() {}

  /// Whether the target is there.
  var hasTarget: Bool { false }

  /// The target, if it is there.
  @inlinable
  final func target<Target>(as type: Target.Type) -> Target? {
    // A controller takes only states of its own target's type and makes its holder for the same,
    // so the cast holds; unchecked in release, because it is made twice a visit.
    let holder = unsafeDowncast(self, to: TypedTargetHolder<Target>.self)
    return holder.held ?? holder.find()
  }
}

/// The holder for targets of one type.
@usableFromInline
final class TypedTargetHolder<Target>: TargetHolder {
  /// Finds the target; set once when the controller is bound, again if it is bound anew.
  // Unchecked: both are used in the controller's isolation only, and no access lasts while other
  // code runs; what `find` runs finds the target and nothing else.
  @exclusivity(unchecked) @usableFromInline var find: () -> Target? = { nil }
  /// The target while it is held, so that it need not be found twice.
  @exclusivity(unchecked) @usableFromInline var held: Target?

  override func hold() -> Bool {
    held = find()
    return held != nil
  }

  override func letGo() {
    held = nil
  }

  override var hasTarget: Bool { held != nil || find() != nil }
}
