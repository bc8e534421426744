protocol LoadingProvider: AnyObject {
  func showIndicator()
  func hideIndicator(completion: @escaping () -> Void)
}
final class CheckoutView: LoadingProvider {
  func showIndicator() {}
  func hideIndicator(completion: @escaping () -> Void) {}
}
final class AlertState: ScreenState {
  init(_ text: String) {}
  func enter(on target: CheckoutView, visit: Visit) { visit.entered() }
  func exit(from target: CheckoutView, visit: Visit) { visit.exited() }
}
@MainActor let view = CheckoutView()
