/// A test that plays models of the main actor is not on it.
struct NotOnMainActor: Error, CustomStringConvertible {
  var description: String {
    "the registry has a model of plain async code, which is played on the main actor: mark the test "
      + "'@MainActor'."
  }
}
