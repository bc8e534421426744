#if canImport(ObjectiveC)
  import ObjectiveC
#endif

/// Keeps an object's address from being given to another one, but not the object.
///
/// An unowned reference does that for Swift's own objects. The memory of one of Objective-C's goes
/// when the object goes; of an `NSObject` it is known whether it is still there.
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

  /// Whether the address may belong to another object by now.
  var isOver: Bool {
    #if canImport(ObjectiveC)
      isWitnessed && witness == nil
    #else
      false
    #endif
  }
}
