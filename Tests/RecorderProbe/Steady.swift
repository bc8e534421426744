import Foundation
import Staty
import StatyRecorder

/// Records a number of events a second for some seconds, and closes the recorder then.
func recordSteadily(at path: String, eventsPerSecond rate: Int, seconds: Int) {
  let recorder = open(path)
  let page = Page()
  let controllers = (0..<4).map { number in
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "screen \(number)")
    controller.bind(to: page)
    return controller
  }
  say("ready")
  let begin = ContinuousClock.now
  var next = 0
  while true {
    let passed = ContinuousClock.now - begin
    if passed >= .seconds(seconds) { break }
    let wanted = UInt64(passed / .seconds(1) * Double(rate))
    while recorder.statistics.observed < wanted {
      controllers[next % controllers.count].transition(to: Asked())
      next += 1
    }
    usleep(2_000)
  }
  recorder.close()
}
