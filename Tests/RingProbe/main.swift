// The part of the ring's tests that runs in another process: `RingProbe TASK PATH …`. It prints `ready` when it
// has begun.

import LibC
import StatyRecorder

func say(_ text: String) {
  let line = text + "\n"
  _ = line.withCString { write(1, $0, strlen($0)) }
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  say("usage: RingProbe hold|put|too-large PATH [ACKNOWLEDGED]")
  exit(64)
}

switch arguments[1] {
case "hold": hold(at: arguments[2])
case "put": putUntilKilled(at: arguments[2], acknowledging: arguments[3])
case "too-large": createBeyondLimit(at: arguments[2])
default: exit(64)
}

/// Keeps a ring open until standard input ends.
func hold(at path: String) {
  do {
    let ring = try FlightRing(
      creatingAt: path, options: RingOptions(lanes: 2, pieces: 2, records: 16))
    say("ready")
    var byte: UInt8 = 0
    while read(0, &byte, 1) > 0 {}
    ring.close(removingFile: true)
  } catch {
    say("\(error)")
  }
}

/// Tries to create a ring that is larger than this process may write.
func createBeyondLimit(at path: String) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
  #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
    setrlimit(RLIMIT_FSIZE, &limit)
  #endif
  do throws(RingError) {
    _ = try FlightRing(creatingAt: path)
    say("created")
  } catch .noRoom(let bytes, _) {
    say("no room for \(bytes)")
  } catch {
    say("\(error)")
  }
}
