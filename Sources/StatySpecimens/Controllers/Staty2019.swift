package import Staty

/// The first of the seeds: a queue that takes a state off when one reports that it has exited.
///
/// Its faults: it asks the second-last of the queue to leave, whether that came in or not; a state
/// that left by itself while alone stays at the head; any state's second exit takes the head off;
/// it shows a state in a later turn but asks it to leave at once.
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

  package func ask(
    for state: any SpecimenState, asked: StateName?, by origin: (any SpecimenState)?
  ) {
    transit(to: state, by: origin)
  }

  /// Somebody asks for a state.
  package func transit(to state: any SpecimenState, by origin: (any SpecimenState)? = nil) {
    state.owner = self
    probe.requested(state, named: state.name, by: origin) {
      queue.append(state)
      if queue.count == 1 {
        show(state)
      } else {
        // Not the head, which is on the screen: the one before the newest.
        tell(.exit, queue[queue.count - 2])
      }
    }
  }

  package func didEnter(_ state: any SpecimenState) {
    probe.told(.entered, state)
  }

  package func didExit(_ state: any SpecimenState) {
    probe.told(.exited, state) {
      // With nobody next the head stays, so that the current state is known; and whoever left, it
      // is the head that goes.
      guard queue.count > 1 else { return }
      queue.removeFirst()
      show(queue[0])
    }
  }

  /// On the main queue, in a later turn.
  private func show(_ state: any SpecimenState) {
    let step = probe.deferred { [unowned self] in tell(.enter, state) }
    if steps.count > 64 { steps.removeFirst(32) }
    steps.append(timer.schedule(after: .zero, step))
  }
}
