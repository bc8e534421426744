#if canImport(UIKit)
  public import Staty
  public import UIKit

  extension StateAwareView where Self: UIResponder {
    /// From now on the model's states come in on this view or view controller.
    ///
    /// Call it when the view is there, in `viewDidLoad` say; what was asked for before waits until
    /// then. What states say on other threads is carried out on the main actor.
    @MainActor public func bindWithState() {
      viewModel.stateController.bind { [weak self] in self?.stateTarget }
    }
  }

  extension StateAwareView where Self: UIResponder, ViewModel.Target == Self {
    /// The view itself.
    public var stateTarget: Self { self }
  }
#endif
