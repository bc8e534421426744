// The part of the recorder's tests that runs in another process: `RecorderProbe TASK HISTORY …`. It prints
// `ready` when it has begun, or an error.

import Foundation
import StatyRecorder

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  say("usage: RecorderProbe record|steady|hold|crash|exit|fork|limit|prune|script HISTORY …")
  exit(64)
}

switch arguments[1] {
case "record":
  recordUntilKilled(
    at: arguments[2], acknowledging: arguments[3], Int(arguments[4])!,
    arguments.dropFirst(5).first.flatMap(Occupation.init))
case "steady":
  recordSteadily(
    at: arguments[2], eventsPerSecond: Int(arguments[3])!, seconds: Int(arguments[4])!)
case "hold": hold(at: arguments[2])
case "crash": crash(at: arguments[2])
case "exit":
  // Nobody closes the recorder.
  let left = Unmanaged.passRetained(open(arguments[2]))
  left.takeUnretainedValue().mark("the end")
  exit(0)
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

/// Opens a recorder at a path, or prints the error and exits.
///
/// It deletes nothing, unless the options limit the bytes.
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
