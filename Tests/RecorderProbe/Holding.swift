import Foundation
import Staty
import StatyRecorder

/// Records a mark for each line of its input, prints so, and closes when the input ends.
///
/// If asked to flush, it prints the result, which can take a second.
func hold(at path: String) {
  let recorder = open(path)
  let probe = ControllerProbe("probe")
  say("ready")
  while let line = readLine() {
    switch line {
    case "flush":
      do {
        say("flushing")
        try recorder.flush(atMost: .seconds(1))
        say("stored")
      } catch {
        say("\(error)")
      }
    case "suspend":
      try? recorder.suspend()
      say("suspended")
    case "launched":
      recorder.launchedInBackground()
      say("launched")
    case "resume":
      recorder.resume()
      say("resumed")
    case "leave":
      recorder.attach(to: probe, as: "screen")
      leaveMidway(probe)
      say("left")
    default:
      recorder.mark(line)
      say("marked")
    }
  }
  recorder.close()
  say("closed")
}

/// Shows a state, tells a second one to enter, and lets a third one wait.
private func leaveMidway(_ probe: ControllerProbe) {
  final class State {}
  let (content, alert) = (State(), State())
  probe.requested(content, named: "content")
  probe.telling(.enter, content) { probe.completed(.entered, content) }
  probe.requested(alert, named: "alert")
  probe.telling(.enter, alert) {}
  probe.requested(State(), named: "loading")
}
