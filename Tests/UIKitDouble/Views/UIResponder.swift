/// An element of the chain from a view to its window.
@preconcurrency @MainActor open class UIResponder: NSObject {
  public override init() {
    super.init()
  }

  /// The next element of the chain.
  open var next: UIResponder? { nil }
}
