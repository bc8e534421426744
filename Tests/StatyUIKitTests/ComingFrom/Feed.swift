import StatyRecorder
import StatyUIKit
import UIKit

/// The listings of the page for those who come from Staty.
enum Feed {
  @MainActor class FeedModel: @MainActor StatyViewModel {
    var state: (any ScreenState<FeedViewController>)?
    lazy var stateController: StateController<FeedViewController> = setupStateController()

    func start() {
      stateController.transition(to: LoadingState())
      load { problem in
        self.stateController.transition(to: AlertState(problem))
      }
    }
  }

  class FeedViewController: UIViewController, @MainActor StateAwareView,
    LoadingStateStrategyProvider, AlertStateStrategyProvider
  {
    var viewModel = FeedModel()

    override func viewDidLoad() {
      super.viewDidLoad()
      bindWithState()
      viewModel.start()
    }
  }

  @MainActor static func record(_ viewModel: FeedModel, _ recorder: HistoryRecorder) {
    recorder.attach(to: viewModel.stateController, as: "feed")
  }
}

extension Feed.FeedModel {
  fileprivate func load(_ done: @escaping @MainActor @Sendable (String) -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { done("Offline") }
  }
}
