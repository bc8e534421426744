import Dispatch
import Foundation
import Staty
import StatyRecorder

/// Records a number of events a second on several threads for some seconds, and closes the recorder
/// then.
func recordSteadily(at path: String, eventsPerSecond rate: Int, seconds: Int) {
  let recorder = open(path)
  let threads = 3
  let begin = ContinuousClock.now
  let group = DispatchGroup()
  for thread in 0..<threads {
    group.enter()
    Thread.detachNewThread {
      let page = Page()
      let controllers = (0..<2).map { number in
        let controller = StateController<Page>()
        recorder.attach(to: controller, as: "screen \(thread).\(number)")
        controller.bind(to: page)
        return controller
      }
      var next = 0
      while true {
        let passed = ContinuousClock.now - begin
        if passed >= .seconds(seconds) { break }
        let wanted = UInt64(passed / .seconds(1) * Double(rate))
        while recorder.statistics.observed < wanted {
          controllers[next % 2].transition(to: Asked())
          next += 1
        }
        usleep(2_000)
      }
      group.leave()
    }
  }
  say("ready")
  group.wait()
  recorder.close()
}
