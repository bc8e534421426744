import StatyUIKit
import Testing
import UIKit

/// A model and a view under the names that their authors gave them, with one import of this package.
@MainActor @Suite struct OneImportTests {
  @Test func `A model may be called ViewModel, and sets its controller up in one line`() {
    let view = CartViewController()
    let window = show(view)
    view.viewModel.load()
    #expect(view.viewModel.state?.name == "loading")
    #expect(view.viewModel.shown == ["loading"])
    view.viewModel.stateController.transition(to: LoadingState(name: "paying"))
    UIKitDouble.run()
    #expect(view.viewModel.state?.name == "paying")
    #expect(view.viewModel.shown == ["loading", "paying"])
    #expect(window.rootViewController === view)
  }

  @Test func `A model chooses the policy of the controller that it sets up`() {
    UIKitDouble.reset()
    let view = RejectingView()
    view.bindWithState()
    for name in ["first", "second", "refused"] as [StateName] {
      view.viewModel.stateController.transition(to: LoadingState(name: name))
    }
    UIKitDouble.run()
    #expect(view.viewModel.state?.name == "second")
  }
}

@MainActor private final class ViewModel: @MainActor StatyViewModel {
  private(set) lazy var stateController: StateController<CartViewController> =
    setupStateController()
  var state: (any ScreenState<CartViewController>)? {
    didSet { if let state { shown.append(state.name) } }
  }
  private(set) var shown: [StateName] = []

  func load() { stateController.transition(to: LoadingState()) }
}

private final class CartViewController: UIViewController, @MainActor StateAwareView,
  LoadingStateStrategyProvider
{
  let viewModel = ViewModel()

  override func viewDidLoad() {
    super.viewDidLoad()
    bindWithState()
  }
}

private final class RejectingView: UIView, @MainActor StateAwareView, LoadingStateStrategyProvider {
  @MainActor final class Model: @MainActor StatyViewModel {
    private(set) lazy var stateController: StateController<RejectingView> =
      setupStateController(.reject)
    var state: (any ScreenState<RejectingView>)?
  }

  let viewModel = Model()
}
