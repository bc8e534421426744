@MainActor final class Form {
  var isValid: Bool { true }
  func signIn() async {}
}
@MainActor let form = Form()
nonisolated(unsafe) let world: World! = nil
