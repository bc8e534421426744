public import Observation

/// The current state of a controller, as an observable object for views.
///
/// Use it with SwiftUI and other code that tracks `@Observable` objects:
///
/// ```swift
/// let screen = ObservableState(controller)
/// // in a view's body:
/// switch screen.current { … }
/// ```
@Observable
public final class ObservableState {
  /// The state that was told to enter last; `nil` before the first.
  ///
  /// It is set when the state begins to enter, and kept after it has exited. See ``phase``.
  public private(set) var current: StateName?

  /// The visit of the current state.
  public private(set) var visit: VisitNumber?

  /// The phase of the current state.
  public private(set) var phase = Phase.empty

  /// Whether the current state is entering or exiting.
  public var isTransitioning: Bool { phase == .entering || phase == .exiting }

  /// Whether it is not told that a state is told to enter.
  @ObservationIgnored private let isThreeKind: Bool

  /// Observes a controller or a probe from now on.
  public init(_ controller: some Recordable) {
    let snapshot = controller.events.snapshot
    isThreeKind = snapshot.fidelity == .threeKind
    let standing = snapshot.standing.standing.last
    current = standing?.request.state
    visit = standing?.request.visit
    phase = standing?.phase ?? .empty
    controller.events.add(ObservableLink(self, controller.events))
  }

  fileprivate func follow(_ event: borrowing TransitionEvent) {
    switch event.kind {
    case .entering:
      current = event.state
      visit = event.visit
      phase = .entering
    case .entered where isThreeKind:
      (current, visit, phase) = (event.state, event.visit, .entered)
    case .entered where event.visit == visit: phase = .entered
    // By its deadline it counts as entered.
    case .deadline where event.visit == visit:
      if case .deadline(.entered, .force) = event.detail { phase = .entered }
    case .exiting where event.visit == visit: phase = .exiting
    case .exited where event.visit == visit, .discarded where event.visit == visit: phase = .exited
    default: break
    }
  }
}

/// Tells an observable state of events, as long as it exists.
private final class ObservableLink: TransitionObserver {
  private weak let state: ObservableState?
  private weak let source: EventSource?

  init(_ state: ObservableState, _ source: EventSource) {
    self.state = state
    self.source = source
  }

  func observe(_ event: borrowing TransitionEvent) {
    guard let state else {
      source?.remove(self)
      return
    }
    state.follow(event)
  }
}
