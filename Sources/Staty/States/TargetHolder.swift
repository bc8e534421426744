/// Finds the target of a controller each time a state is told something.
///
/// An object is held without its type. Code that is generic over the target needs a type look-up
/// each time, which costs more than the rest of a transition.
public class TargetHolder {
  // Unchecked: all of these are used only in the controller's isolation, and no access lasts while
  // other code runs.
  @exclusivity(unchecked) private final weak var object: AnyObject?
  /// The object while it is held, so that it is not looked up twice; retained by `hold`.
  // Unmanaged, because reference counting is slow for an object that is also weakly referenced.
  @exclusivity(unchecked) @usableFromInline final var heldObject: Unmanaged<AnyObject>?
  /// The targets that were replaced while a state was just told of them.
  @exclusivity(unchecked) private final var replaced: [AnyObject] = []
  /// Whether the target was bound as an object.
  @exclusivity(unchecked) private final var isObject = false
  /// Whether the target is only let go of: its controller was released while a state was being told something.
  @exclusivity(unchecked) private final var isForgotten = false

  init() {}

  /// Sets the target to an object, which is held weakly.
  final func set(_ target: AnyObject) {
    if isObject { replace() } else { letGoOfFound() }
    object = target
    isObject = true
  }

  /// Retains the target until `letGo`, unless it is already retained; `false` if it was released.
  final func hold() -> Bool {
    if isForgotten { return false }
    guard isObject else { return holdFound() }
    if heldObject == nil, let object { heldObject = .passRetained(object) }
    return heldObject != nil
  }

  /// Releases the target.
  final func letGo() {
    if isObject { heldObject.take()?.release() } else { letGoOfFound() }
    if replaced.isEmpty { return }
    // Releasing runs code of the app.
    let old = replaced
    replaced = []
    withExtendedLifetime(old) {}
  }

  /// Holds a target that is replaced until `letGo`: a state may just be told of it.
  private final func replace() {
    if let old = heldObject.take() { replaced.append(old.takeRetainedValue()) }
  }

  /// Whether there is a target.
  final var hasTarget: Bool {
    isObject ? heldObject != nil || object != nil : findsTarget
  }

  /// Removes the target.
  func forget() {
    object = nil
    replace()
    isObject = false
  }

  /// Removes the target, but for what holds it now.
  func forgetLater() { (object, isForgotten) = (nil, true) }

  deinit {
    heldObject?.release()
  }

  // For targets that a closure returns.
  fileprivate func holdFound() -> Bool { false }
  fileprivate func letGoOfFound() {}
  fileprivate var findsTarget: Bool { false }

  /// Calls a body with the target; `false` if there is none.
  @inlinable
  final func withTarget<Target>(as type: Target.Type, _ body: (Target) -> Void) -> Bool {
    // A controller accepts only states and objects of its target's type, and creates its holder for
    // this type, so the casts are valid. Unchecked, because this runs twice per visit.
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

  /// The same for a class type, without reference counting: the caller of `hold` calls `letGo` only
  /// after the state was told.
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
  // Unchecked: as above. `find` only returns the target.
  /// Returns the target; set when the controller is bound to a closure.
  @exclusivity(unchecked) private var find: () -> Target? = { nil }
  /// The target while it is held, so that it is not looked up twice.
  @exclusivity(unchecked) @usableFromInline var held: Target?

  /// Sets a closure that returns the target.
  func set(_ find: @escaping () -> Target?) {
    forget()
    self.find = find
  }

  override func forget() {
    super.forget()
    held = nil
    find = { nil }
  }

  override func forgetLater() {
    super.forgetLater()
    find = { nil }
  }

  override fileprivate func holdFound() -> Bool {
    if held == nil { held = find() }
    return held != nil
  }

  override fileprivate func letGoOfFound() { held = nil }

  override fileprivate var findsTarget: Bool { held != nil || find() != nil }
}
