extension StateName {
  /// The name of an enumeration's case without its values: `ready(model)` is called `ready`.
  ///
  /// A value of any other type goes by the name of the type, because its text could be anything
  /// and names are never freed.
  public init<Value>(ofCase value: Value) {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else {
      self.init(of: Value.self)
      return
    }
    // A case with values has them as its only child, labelled with the case's name; describing
    // them could take long.
    self.init(mirror.children.first?.label ?? String(describing: value))
  }
}
