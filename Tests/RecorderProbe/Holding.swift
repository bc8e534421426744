import Foundation
import StatyRecorder

/// Records a mark for each line of its input, says so, and closes when the input ends; asked to flush
/// it says what came of that, which may take a second.
func hold(at path: String) {
  let recorder = open(path)
  say("ready")
  while let line = readLine() {
    guard line == "flush" else {
      recorder.mark(line)
      say("marked")
      continue
    }
    do {
      say("flushing")
      try recorder.flush(atMost: .seconds(1))
      say("stored")
    } catch {
      say("\(error)")
    }
  }
  recorder.close()
  say("closed")
}
