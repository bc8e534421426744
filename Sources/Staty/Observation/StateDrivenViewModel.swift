/// A view model with a state that its view shows.
public protocol StateDrivenViewModel<Target>: AnyObject {
  /// The type of the states' target: the view.
  associatedtype Target

  /// The current state, or the last one. Make it observable if views depend on it.
  var state: (any ScreenState<Target>)? { get set }
}

/// An object that is told which state is shown.
public protocol CurrentStateObserver<Target>: AnyObject {
  /// The type of the states' target: the view.
  associatedtype Target

  /// The controller of the states.
  var stateController: StateController<Target> { get }

  /// The controller tells a state to enter.
  func show(_ state: any ScreenState<Target>)
}

/// A view model that owns a state controller and has the current state as a property.
public typealias StatyViewModel = StateDrivenViewModel & CurrentStateObserver

extension CurrentStateObserver where Self: StateDrivenViewModel {
  /// Sets the view model's ``StateDrivenViewModel/state``.
  public func show(_ state: any ScreenState<Target>) {
    self.state = state
  }
}

extension CurrentStateObserver {
  /// Creates a controller that tells this observer which state is shown.
  ///
  /// ```swift
  /// private(set) lazy var stateController: StateController<CheckoutView> = setupStateController()
  /// ```
  ///
  /// - Parameters:
  ///   - policy: decides when states enter and exit.
  ///   - isolation: the actor that the controller lives on.
  public func setupStateController(
    _ policy: some TransitionPolicy = .queue, isolation: isolated (any Actor)? = #isolation
  ) -> StateController<Target> {
    let controller = StateController<Target>(policy: policy)
    controller.events.add(CurrentStateLink(self, controller))
    return controller
  }

  /// Starts to tell this observer which state is shown.
  ///
  /// Call it once, when the controller is created. A controller from
  /// ``setupStateController(_:isolation:)`` does not need it.
  public func observeCurrentState() {
    stateController.events.add(CurrentStateLink(self, stateController))
  }
}

/// Tells an observer of each state that enters, as long as the observer exists.
private final class CurrentStateLink<Observer: CurrentStateObserver>: TransitionObserver {
  private weak let observer: Observer?
  // The observer's property may not have it yet: it can be lazy.
  private weak let controller: StateController<Observer.Target>?

  init(_ observer: Observer, _ controller: StateController<Observer.Target>) {
    self.observer = observer
    self.controller = controller
  }

  func observe(_ event: borrowing TransitionEvent) {
    guard event.kind == .entering, let observer, let visit = event.visit,
      let state = controller?.state(of: visit)
    else { return }
    observer.show(state)
  }
}

/// A view that shows the states of a view model.
///
/// Any object can conform, such as a table cell.
public protocol StateAwareView: AnyObject {
  /// The type of its view model, which may be called `ViewModel`.
  associatedtype ViewModelType: CurrentStateObserver

  /// The view model.
  var viewModel: ViewModelType { get }

  /// The target of the states; `self` if the view itself is the target.
  var stateTarget: ViewModelType.Target { get }
}

extension StateAwareView {
  /// Binds the view model's state controller to this view.
  public func bindWithState(isolation: isolated (any Actor)? = #isolation) {
    viewModel.stateController.bind({ [weak self] in self?.stateTarget }, isolation: isolation)
  }
}
