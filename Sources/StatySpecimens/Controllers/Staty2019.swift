package import Staty

/// A model of the first published controller: a queue that removes its head when any state reports that it has exited.
///
/// Its faults: it tells the second-last state of the queue to exit, whether it has entered or not.
/// A state that exits by itself while alone stays at the head. A second exit of any state removes
/// the head. It shows a state in a later turn of the main queue, but tells it to exit at once.
package final class Staty2019: Specimen {
  package static let name = "staty-2019"

  package let probe: ControllerProbe
  private let timer: any TransitionTimer
  private var queue: [any SpecimenState] = []
  private var steps: [any ScheduledStep] = []

  package init(probe: ControllerProbe, timer: any TransitionTimer) {
    self.probe = probe
    self.timer = timer
  }

  package func request(
    _ state: any SpecimenState, asked: StateName?, by origin: (any SpecimenState)?
  ) {
    transit(to: state, by: origin)
  }

  /// Requests a state.
  package func transit(to state: any SpecimenState, by origin: (any SpecimenState)? = nil) {
    state.owner = self
    probe.requested(state, named: state.name, by: origin) {
      queue.append(state)
      if queue.count == 1 {
        show(state)
      } else {
        // Not the head, which is on screen, but the one before the newest.
        tell(.exit, queue[queue.count - 2])
      }
    }
  }

  package func didEnter(_ state: any SpecimenState) {
    probe.completed(.entered, state)
  }

  package func didExit(_ state: any SpecimenState) {
    probe.completed(.exited, state) {
      // Without a next state the head stays, so that the current state is known. Whichever state
      // exited, the head is removed.
      guard queue.count > 1 else { return }
      queue.removeFirst()
      show(queue[0])
    }
  }

  /// Shows a state in a later turn of the main queue.
  private func show(_ state: any SpecimenState) {
    let step = probe.deferred { [unowned self] in tell(.enter, state) }
    if steps.count > 64 { steps.removeFirst(32) }
    steps.append(timer.schedule(after: .zero, step))
  }
}
