import Foundation
import StatyRecorder

/// Records a mark for each line of its input, says so, and closes when the input ends.
func hold(at path: String) {
  let recorder = open(path)
  say("ready")
  while let line = readLine() {
    recorder.mark(line)
    say("marked")
  }
  recorder.close()
  say("closed")
}
