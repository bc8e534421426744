import StatyRecorder
import StatyUIKit
import UIKit

/// The listings of the page for those who come from Staty.
enum Feed {
  @MainActor final class ViewModel: @MainActor StatyViewModel {
    private(set) lazy var stateController: StateController<FeedViewController> =
      setupStateController()
    var state: (any ScreenState<FeedViewController>)?

    func start() {
      stateController.transition(to: LoadingState())
      load { [stateController] problem in
        stateController.transition(to: AlertState(problem))
      }
    }
  }

  final class FeedViewController: UIViewController, @MainActor StateAwareView,
    LoadingStateStrategyProvider, AlertStateStrategyProvider
  {
    let viewModel = ViewModel()

    override func viewDidLoad() {
      super.viewDidLoad()
      bindWithState()
      viewModel.start()
    }
  }

  @MainActor static func record(_ viewModel: ViewModel, _ recorder: HistoryRecorder) {
    recorder.attach(to: viewModel.stateController, as: "feed")
  }
}

extension Feed.ViewModel {
  fileprivate func load(_ done: @escaping @MainActor @Sendable (String) -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { done("Offline") }
  }
}
