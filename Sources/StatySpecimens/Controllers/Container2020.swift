package import Staty

/// A model of the fourth published controller: a container with one slot for a request that arrives during a
/// transition.
///
/// The old state exits while the new one enters. A transition ends when both have answered.
///
/// Its faults: it keeps the new state where it means the old one. An animation that does not end
/// never completes, and neither does its transition. A request that is replaced in the slot
/// vanishes without a report. Without animation, nothing ends the transition but the next request.
/// A child that has faded out stays transparent when it is shown again without animation. A
/// container that appears without animation makes the appearance calls of its children twice.
///
/// Recordings show neither the wrong old state nor a transparent child.
package final class Container2020: Specimen {
  package static let name = "container-2020"
  package static let discipline = Discipline.atOnce

  package static var namesRead: Set<StateName> { [unanimated, appearing] }

  /// What is asked for with a request that is not animated.
  package static let unanimated: StateName = "unanimated"
  /// What is asked for with the state that the container shows when it appears without animation.
  package static let appearing: StateName = "appearing"

  package let probe: ControllerProbe
  /// The states that it reported as the ones before, transition by transition.
  package private(set) var transitionsFrom: [StateName] = []
  /// The states that it has shown while their children were transparent.
  package private(set) var shownTransparent: [StateName] = []
  private var current: (any SpecimenState)?
  private var before: StateName?
  private var pending: Pending?
  private var isTransitioning = false
  private var arriving: (any SpecimenState)?
  private var leaving: (any SpecimenState)?
  /// The state of a transition that no animation ends.
  private var unreported: (any SpecimenState)?
  /// The states with children that have faded out.
  private var transparent: [any SpecimenState] = []

  private struct Pending {
    let state: any SpecimenState
    let animated: Bool
  }

  package init(probe: ControllerProbe, timer: any TransitionTimer) {
    self.probe = probe
  }

  package func request(
    _ state: any SpecimenState, asked: StateName?, by origin: (any SpecimenState)?
  ) {
    switch asked {
    case Self.appearing: appear(with: state, by: origin)
    case Self.unanimated: setNeedsStateTransition(to: state, animated: false, by: origin)
    default: setNeedsStateTransition(to: state, by: origin)
    }
  }

  /// Requests a state.
  package func setNeedsStateTransition(
    to state: any SpecimenState, animated: Bool = true, by origin: (any SpecimenState)? = nil
  ) {
    probe.requested(
      state, named: state.name, by: origin, asked: animated ? nil : Self.unanimated
    ) {
      begin(state, animated: animated)
    }
  }

  /// Shows a state while the container appears without animation.
  private func appear(with state: any SpecimenState, by origin: (any SpecimenState)?) {
    probe.requested(state, named: state.name, by: origin, asked: Self.appearing) {
      guard begin(state, animated: false) else { return }
      // The container forwards its own appearance calls to all children, also to those that have
      // just had theirs.
      tell(.enter, state)
      endIfPossible()
    }
  }

  package func didEnter(_ state: any SpecimenState) {
    // Only an animation has a completion.
    if state === unreported { return }
    probe.completed(.entered, state) {
      guard state === arriving else { return }
      arriving = nil
      endIfPossible()
    }
  }

  package func didExit(_ state: any SpecimenState) {
    probe.completed(.exited, state) {
      if state === leaving {
        leaving = nil
        transparent.append(state)
        endIfPossible()
      } else if state === current, !isTransitioning {
        current = nil
      }
    }
  }

  /// - Returns: whether the transition has begun. Otherwise the state waits in the slot.
  @discardableResult
  private func begin(_ state: any SpecimenState, animated: Bool) -> Bool {
    if isTransitioning {
      // A request that was waiting is lost.
      pending = Pending(state: state, animated: animated)
      endIfPossible()
      return false
    }
    isTransitioning = true
    // The old state would be right here.
    before = state.name
    (arriving, leaving, current) = (state, current, state)
    unreported = animated ? nil : state
    let old = leaving
    if let old { tell(.exit, old) }
    tell(.enter, state)
    if animated {
      transparent.removeAll { $0 === state }
    } else {
      finish(state, old)
    }
    return true
  }

  /// Adds and removes the children at once.
  ///
  /// The end of the transition should be reported here.
  private func finish(_ state: any SpecimenState, _ old: (any SpecimenState)?) {
    if transparent.contains(where: { $0 === state }) { shownTransparent.append(state.name) }
    arriving = nil
    if let old, old === leaving {
      leaving = nil
      probe.completed(.exited, old)
    }
  }

  private func endIfPossible() {
    guard isTransitioning, arriving == nil, leaving == nil else { return }
    isTransitioning = false
    if let state = unreported.take() { probe.completed(.entered, state) }
    if let before { transitionsFrom.append(before) }
    if let next = pending.take() { begin(next.state, animated: next.animated) }
  }
}
