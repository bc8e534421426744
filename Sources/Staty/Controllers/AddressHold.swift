#if canImport(ObjectiveC)
  import ObjectiveC
#endif

/// Keeps an object's address from being reused, without keeping the object alive.
///
/// An unowned reference does this for Swift objects. The memory of an Objective-C object is freed
/// with the object; for an `NSObject`, a weak reference tells whether it still exists. Such a
/// reference cannot be made in the object's `deinit`: it ends the process.
struct AddressHold {
  private unowned let object: AnyObject
  #if canImport(ObjectiveC)
    private let isWitnessed: Bool
    private weak let witness: NSObject?
  #endif

  init(_ object: AnyObject) {
    self.object = object
    #if canImport(ObjectiveC)
      witness = object as? NSObject
      isWitnessed = witness != nil
    #endif
  }

  /// Whether the address may have been reused for another object.
  var isOver: Bool {
    #if canImport(ObjectiveC)
      isWitnessed && witness == nil
    #else
      false
    #endif
  }
}
