import Foundation
import Staty
import StatyRecorder

/// Opens a recorder, records ten events and is killed, like an app that crashes at each launch.
///
/// Prints `opening` before it opens the recorder, and afterwards the microseconds that this took.
func crash(at path: String) -> Never {
  say("opening")
  let began = EventSource.clock
  let recorder = open(path)
  say("\((EventSource.clock - began) / 1_000)")
  let controller = StateController<Page>()
  let page = Page()
  // Two events: attached, and a request.
  recorder.attach(to: controller, as: "launch")
  controller.transition(to: Asked())
  // Three: resumed, and its state enters. Five: another request, one state exits and the other enters.
  controller.bind(to: page)
  controller.transition(to: Asked())
  kill(getpid(), SIGKILL)
  while true { sleep(1) }
}
