#if canImport(UIKit)
  public import Staty
  public import UIKit

  extension StateAwareView where Self: UIResponder {
    /// Binds the view model's state controller to this view or view controller.
    ///
    /// Call it when the view exists, for example in `viewDidLoad`. Earlier requests are pending
    /// until then. Completions on other threads are handled on the main actor. A model that
    /// outlives its view needs a new controller for the next one.
    @MainActor public func bindWithState() {
      viewModel.stateController.bind { [weak self] in self?.stateTarget }
    }
  }

  extension StateAwareView where Self: UIResponder, ViewModelType.Target == Self {
    /// The view itself.
    public var stateTarget: Self { self }
  }
#endif
