import Foundation
import Staty
import StatyRecorder

/// Records as fast as the ring allows into a history that always exceeds its limit, until it is killed.
func recordAndPrune(at path: String) {
  var options = RecorderOptions()
  options.retention.bytes = 600_000
  // The writer's time passes quickly, so that it checks the limits again at once.
  let clock = RecorderClock(
    wall: { Int64(EventSource.clock) }, events: { EventSource.clock &* 1_000 })
  guard let recorder = try? HistoryRecorder(at: path, options: options, clock: clock) else {
    return
  }
  let controller = StateController<Screen>(policy: .queue)
  recorder.attach(to: controller, as: "checkout")
  let screen = Screen()
  controller.bind(to: screen)
  say("ready")
  while true {
    controller.transition(to: Loading())
    while recorder.statistics.queued > 10_000 { usleep(100) }
  }
}

private final class Screen {}

private final class Loading: ScreenState {
  let name: StateName = "loading"
  func enter(on target: Screen, visit: Visit) { visit.entered() }
  func exit(from target: Screen, visit: Visit) { visit.exited() }
}
