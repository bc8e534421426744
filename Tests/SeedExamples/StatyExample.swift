import Staty
import StatyRecorder
import StatyUIKit
import UIKit

/// The first article's example: loading, and a second later alert, alert and loading at once.
enum StatyExample {
  @MainActor final class CheckoutModel: @MainActor StatyViewModel {
    let stateController = StateController<Checkout>()
    var state: (any ScreenState<Checkout>)?

    func setUp() {
      observeCurrentState()
      stateController.transition(to: LoadingState())
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [stateController] in
        stateController.transition(to: AlertState("Sold out"))
        stateController.transition(to: AlertState("Try later"))
        stateController.transition(to: LoadingState())
      }
    }
  }

  final class Checkout: UIViewController, @MainActor StateAwareView,
    LoadingStateStrategyProvider, AlertStateStrategyProvider
  {
    let viewModel = CheckoutModel()

    override func viewDidLoad() {
      super.viewDidLoad()
      bindWithState()
      viewModel.setUp()
    }
  }

  @MainActor static func run(_ recorder: HistoryRecorder) {
    let controller = Checkout()
    recorder.attach(to: controller.viewModel.stateController, as: "checkout")
    let window = Stage.show(controller)
    UIKitDouble.run()
    for message in ["Sold out", "Try later"] {
      guard let alert = controller.presentedViewController as? UIAlertController else {
        Stage.fail("no alert says '\(message)'")
      }
      Stage.expect(alert.message == message, "the alert says '\(message)'")
      alert.press("OK")
      UIKitDouble.run()
    }
    Stage.expect(controller.view.subviews.last is IndicatorView, "loading is shown in the end")
    Stage.end(window)
  }
}

/// Shows the examples and checks what is expected of them.
@MainActor enum Stage {
  /// Objects that live until the process ends, like the screens of an app that is closed.
  static var kept: [AnyObject] = []

  static func show(_ root: UIViewController) -> UIWindow {
    UIKitDouble.reset()
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    window.rootViewController = root
    window.makeKeyAndVisible()
    return window
  }

  static func expect(_ condition: Bool, _ what: String) {
    if !condition { fail("it is not so that \(what)") }
  }

  static func fail(_ what: String) -> Never {
    print("SeedExamples: \(what)")
    exit(1)
  }

  /// Ends an example without a fault.
  ///
  /// UIKit must not have printed a warning.
  static func end(_ window: UIWindow) {
    expect(UIKitDouble.warnings.isEmpty, "UIKit has nothing to warn of: \(UIKitDouble.warnings)")
    kept.append(window)
  }
}
