package import Staty

/// A model of the second published controller: one object that moves between the views of an application.
///
/// Its faults: the platform silently drops a presentation that is requested during another.
/// `previous` means the view that is below when it is called.
package final class Presenter: Specimen {
  package static let name = "presenter"

  package let probe: ControllerProbe
  private var stack: [any SpecimenState] = []
  private var visible: (any SpecimenState)?
  /// The platform's knowledge: whether a presentation is under way.
  private var isPresenting = false

  package init(probe: ControllerProbe, timer: any TransitionTimer) {
    self.probe = probe
  }

  package func request(
    _ state: any SpecimenState, asked: StateName?, by origin: (any SpecimenState)?
  ) {
    if asked == "previous" { showPrevious(by: origin) } else { show(state, by: origin) }
  }

  /// Shows a view on top of the earlier ones.
  package func show(_ state: any SpecimenState, by origin: (any SpecimenState)? = nil) {
    probe.requested(state, named: state.name, by: origin) {
      stack.append(state)
      move(to: state)
    }
  }

  /// Shows the view below, if there is one.
  func showPrevious(by origin: (any SpecimenState)? = nil) {
    guard stack.count > 1 else { return }
    let below = stack[stack.count - 2]
    probe.requested(below, named: below.name, by: origin, asked: "previous") {
      stack.removeLast()
      move(to: below)
    }
  }

  package func didEnter(_ state: any SpecimenState) {
    probe.completed(.entered, state) { isPresenting = false }
  }

  package func didExit(_ state: any SpecimenState) {
    probe.completed(.exited, state) {
      if visible === state { visible = nil }
    }
  }

  private func move(to state: any SpecimenState) {
    if let leaving = visible, !isPresenting {
      visible = nil
      tell(.exit, leaving)
    }
    state.owner = self
    probe.telling(.enter, state) {
      if isPresenting { return }
      isPresenting = true
      visible = state
      state.enter()
    }
  }
}
