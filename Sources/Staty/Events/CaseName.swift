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
    self.init(mirror.nameOfCaseWithValues ?? String(describing: value))
  }
}

extension Mirror {
  /// The name of an enumeration's case that has values; `nil` for anything else.
  ///
  /// Such a case has them as its only child, labelled with its name. What it says of itself could
  /// be another text for each of them, and take long.
  var nameOfCaseWithValues: String? { displayStyle == .enum ? children.first?.label : nil }
}
