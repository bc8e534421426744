/// A view model that has a state, which its view shows.
public protocol StateDrivenViewModel<Target>: AnyObject {
  /// What states are shown on: the view.
  associatedtype Target

  /// The state that is shown, or the last one that was. Make it observable if views depend on it.
  var state: (any ScreenState<Target>)? { get set }
}

/// Somebody who is told which state is shown now.
public protocol CurrentStateObserver<Target>: AnyObject {
  /// What states are shown on: the view.
  associatedtype Target

  /// What moves between the states.
  var stateController: StateController<Target> { get }

  /// The controller tells this state to come in.
  func show(_ state: any ScreenState<Target>)
}

/// A view model that moves between states and knows the one that is shown.
public typealias StatyViewModel = StateDrivenViewModel & CurrentStateObserver

extension CurrentStateObserver where Self: StateDrivenViewModel {
  /// Puts the state into the view model's own.
  public func show(_ state: any ScreenState<Target>) {
    self.state = state
  }
}

extension CurrentStateObserver {
  /// Begins to tell this observer which state is shown.
  ///
  /// Call it once, when the controller is made.
  public func observeCurrentState() {
    stateController.events.add(CurrentStateLink(self))
  }
}

/// Tells an observer of each state that comes in, as long as the observer exists.
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

/// A view whose states come from a view model; any object can be one, a table's cell too.
public protocol StateAwareView: AnyObject {
  /// The type of its view model.
  ///
  /// It may be nested in the view. If the view has another type of the name `ViewModel`, that would be
  /// taken for it: give that one another name.
  associatedtype ViewModel: CurrentStateObserver

  /// The model that moves between states.
  var viewModel: ViewModel { get }

  /// The view as the states want it; `self` for a view that is the states' target itself.
  var stateTarget: ViewModel.Target { get }
}

extension StateAwareView {
  /// From now on the model's states come in on this view.
  public func bindWithState() {
    viewModel.stateController.bind { [weak self] in self?.stateTarget }
  }
}
