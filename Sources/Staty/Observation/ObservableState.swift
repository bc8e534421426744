public import Observation

/// Where a controller is, for views that observe.
///
/// Works with SwiftUI and anything else that tracks `@Observable` objects:
///
/// ```swift
/// let screen = ObservableState(controller)
/// // in a view's body:
/// switch screen.current { … }
/// ```
@Observable
public final class ObservableState: TransitionObserver {
  /// The state that was told to come in last; `nil` before the first.
  ///
  /// It is said from the moment in which the state begins to come in, and stays when the state has
  /// left. ``phase`` says how far it is.
  public private(set) var current: StateName?

  /// Its visit.
  public private(set) var visit: VisitNumber?

  /// How far it is.
  public private(set) var phase = Phase.empty

  /// Whether a state is coming in or leaving.
  public var isTransitioning: Bool { phase == .entering || phase == .exiting }

  /// Follows a controller or probe from where it is now, as long as that exists.
  public init(_ controller: some Recordable) {
    let standing = controller.events.snapshot.standing.standing.last
    current = standing?.request.state
    visit = standing?.request.visit
    phase = standing?.phase ?? .empty
    controller.events.add(self)
  }

  public func observe(_ event: borrowing TransitionEvent) {
    switch event.kind {
    case .entering:
      current = event.state
      visit = event.visit
      phase = .entering
    case .entered where event.visit == visit: phase = .entered
    case .exiting where event.visit == visit: phase = .exiting
    case .exited where event.visit == visit, .discarded where event.visit == visit: phase = .left
    default: break
    }
  }
}
