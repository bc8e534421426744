// What the tests of the recorder need another process for. `RecorderProbe TASK HISTORY …`; it says
// `ready` once it is at work, or why it is not.

import Foundation
import StatyRecorder

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  say("usage: RecorderProbe record|hold|crash|fork|limit|prune|script HISTORY …")
  exit(64)
}

switch arguments[1] {
case "record":
  recordUntilKilled(
    at: arguments[2], acknowledging: arguments[3], Int(arguments[4])!,
    arguments.dropFirst(5).first.flatMap(Occupation.init))
case "hold": hold(at: arguments[2])
case "crash": crash(at: arguments[2])
case "fork": fork(recordingAt: arguments[2])
case "prune": recordAndPrune(at: arguments[2])
case "limit": recordWithLimit(at: arguments[2], bytes: UInt64(arguments[3])!)
case "script": try Script(path: arguments[2]).carryOut(arguments.dropFirst(3))
default: exit(64)
}

func say(_ text: String) {
  let line = text + "\n"
  _ = line.withCString { write(1, $0, strlen($0)) }
}

/// The recorder at a path; says why there is none, and ends, if that is so.
///
/// It keeps everything, unless the options limit the bytes.
func open(_ path: String, _ options: RecorderOptions = RecorderOptions()) -> HistoryRecorder {
  var options = options
  if options.retention == RecorderOptions().retention { options.retention = Retention() }
  do throws(RecorderError) {
    return try HistoryRecorder(at: path, options: options)
  } catch {
    say("\(error)")
    exit(1)
  }
}
