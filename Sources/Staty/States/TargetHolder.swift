/// Finds the target of a controller each time a state is told something.
///
/// A target that is an object is kept here without its type: what is generic over a target costs
/// a look-up of its type each time, more than everything else about a transition.
public class TargetHolder {
  // Unchecked: all of these are used in the controller's isolation only, and no access lasts while
  // other code runs.
  @exclusivity(unchecked) private final weak var object: AnyObject?
  /// The object while it is held, so that it need not be found twice; retained by `hold`.
  // Unmanaged, because counting references to an object that is also weakly referenced is slow.
  @exclusivity(unchecked) @usableFromInline final var heldObject: Unmanaged<AnyObject>?
  /// Whether the target is an object that was bound as such.
  @exclusivity(unchecked) private final var isObject = false

  init() {}

  /// From now on the target is this object, which is not kept alive.
  final func set(_ target: AnyObject) {
    letGo()
    object = target
    isObject = true
  }

  /// Takes hold of the target until `letGo`, unless it is held; `false` if it has gone.
  final func hold() -> Bool {
    guard isObject else { return holdFound() }
    if heldObject == nil, let object { heldObject = .passRetained(object) }
    return heldObject != nil
  }

  /// Lets go of the target.
  final func letGo() {
    if isObject { heldObject.take()?.release() } else { letGoOfFound() }
  }

  /// Whether the target is there.
  final var hasTarget: Bool {
    isObject ? heldObject != nil || object != nil : findsTarget
  }

  /// There is no target any more.
  func forget() {
    object = nil
    heldObject.take()?.release()
    isObject = false
  }

  deinit {
    heldObject?.release()
  }

  // For targets that are found by asking for them.
  fileprivate func holdFound() -> Bool { false }
  fileprivate func letGoOfFound() {}
  fileprivate var findsTarget: Bool { false }

  /// Does something with the target that is held; `false` if none is.
  @inlinable
  final func withTarget<Target>(as type: Target.Type, _ body: (Target) -> Void) -> Bool {
    // A controller takes only states of its own target's type, binds only objects of this type and
    // makes its holder for it, so the casts hold; unchecked, because this is done twice a visit.
    if let heldObject {
      body(unsafeBitCast(heldObject.takeUnretainedValue(), to: Target.self))
      return true
    }
    guard let target = unsafeDowncast(self, to: TypedTargetHolder<Target>.self).held else {
      return false
    }
    body(target)
    return true
  }

  /// The same for targets that are objects by their type, without counting a reference: who called
  /// `hold` lets go only after the state has been told.
  @inlinable
  final func withTarget<Target: AnyObject>(as type: Target.Type, _ body: (Target) -> Void) -> Bool {
    if let heldObject {
      Unmanaged<Target>.fromOpaque(heldObject.toOpaque())._withUnsafeGuaranteedRef(body)
      return true
    }
    guard let target = unsafeDowncast(self, to: TypedTargetHolder<Target>.self).held else {
      return false
    }
    body(target)
    return true
  }
}

/// The holder for targets of one type.
@usableFromInline
final class TypedTargetHolder<Target>: TargetHolder {
  // Unchecked: as above; what `find` runs finds the target and nothing else.
  /// Finds the target; set when the controller is bound to something that is no object.
  @exclusivity(unchecked) private var find: () -> Target? = { nil }
  /// The target while it is held, so that it need not be found twice.
  @exclusivity(unchecked) @usableFromInline var held: Target?

  /// From now on the target is what this finds.
  func set(_ find: @escaping () -> Target?) {
    forget()
    self.find = find
  }

  override func forget() {
    super.forget()
    held = nil
    find = { nil }
  }

  override fileprivate func holdFound() -> Bool {
    if held == nil { held = find() }
    return held != nil
  }

  override fileprivate func letGoOfFound() { held = nil }

  override fileprivate var findsTarget: Bool { held != nil || find() != nil }
}
