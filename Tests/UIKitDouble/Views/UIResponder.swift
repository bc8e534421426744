/// What can be asked along the chain from a view to its window.
@MainActor open class UIResponder: NSObject {
  public override init() {
    super.init()
  }

  /// Who is asked next.
  open var next: UIResponder? { nil }
}
