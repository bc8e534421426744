import Staty
import StatyUIKit
import UIKit

/// The article's view model: requests loading, and a second later alert, alert and loading at once.
@MainActor final class CheckoutViewModel: @MainActor StatyViewModel {
  let stateController = StateController<CheckoutViewController>()
  var state: (any ScreenState<CheckoutViewController>)?
  private(set) var shown: [StateName] = []

  init() {
    observeCurrentState()
  }

  func show(_ state: any ScreenState<CheckoutViewController>) {
    self.state = state
    shown.append(state.name)
  }

  func setUp() {
    stateController.transition(to: LoadingState())
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [stateController] in
      stateController.transition(to: AlertState("Sold out"))
      stateController.transition(to: AlertState("Try later"))
      stateController.transition(to: LoadingState())
    }
  }
}

/// A view controller that only declares which states it can show.
final class CheckoutViewController: UIViewController, @MainActor StateAwareView,
  LoadingStateStrategyProvider, AlertStateStrategyProvider
{
  let viewModel = CheckoutViewModel()

  override func viewDidLoad() {
    super.viewDidLoad()
    bindWithState()
  }

  var indicator: IndicatorView? { view.subviews.lazy.compactMap { $0 as? IndicatorView }.first }
  var alert: UIAlertController? { presentedViewController as? UIAlertController }
}

/// A cell with its own states.
final class DownloadCell: UITableViewCell, @MainActor StateAwareView, LoadingStateStrategyProvider {
  @MainActor final class ViewModel: @MainActor StatyViewModel {
    let stateController = StateController<DownloadCell>()
    var state: (any ScreenState<DownloadCell>)?
  }

  let viewModel = ViewModel()
}
