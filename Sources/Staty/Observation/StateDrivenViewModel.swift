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
  /// Starts to tell this observer which state is shown.
  ///
  /// Call it once, when the controller is created.
  public func observeCurrentState() {
    stateController.events.add(CurrentStateLink(self))
  }
}

/// Tells an observer of each state that enters, as long as the observer exists.
private final class CurrentStateLink<Observer: CurrentStateObserver>: TransitionObserver {
  private weak let observer: Observer?

  init(_ observer: Observer) {
    self.observer = observer
  }

  func observe(_ event: borrowing TransitionEvent) {
    guard event.kind == .entering, let observer, let visit = event.visit,
      let state = observer.stateController.state(of: visit)
    else { return }
    observer.show(state)
  }
}

/// A view that shows the states of a view model.
///
/// Any object can conform, such as a table cell.
public protocol StateAwareView: AnyObject {
  /// The type of its view model.
  ///
  /// It can be nested in the view. If the view has another nested type named `ViewModel`, rename
  /// that type, because Swift would use it here.
  associatedtype ViewModel: CurrentStateObserver

  /// The view model.
  var viewModel: ViewModel { get }

  /// The target of the states; `self` if the view itself is the target.
  var stateTarget: ViewModel.Target { get }
}

extension StateAwareView {
  /// Binds the view model's state controller to this view.
  public func bindWithState() {
    viewModel.stateController.bind { [weak self] in self?.stateTarget }
  }
}
