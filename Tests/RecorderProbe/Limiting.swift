import Foundation
import StatyRecorder

/// Records with a limit on the size of files.
///
/// Then it removes the limit, like a disk that has space again, and closes. Prints the statistics before and after.
func recordWithLimit(at path: String, bytes: UInt64) {
  signal(SIGXFSZ, SIG_IGN)
  setLimit(bytes)
  var options = RecorderOptions()
  options.eventsPerThread = 64
  let recorder = open(path, options)
  // Sometimes waits, because on a busy machine the ring would drop the events that have to fill the disk.
  for number in 0..<20_000 {
    recorder.mark("a note of some length, so that the file fills soon: \(number)")
    if number % 50 == 0 { try? recorder.flush(atMost: .milliseconds(20)) }
  }
  do throws(RecorderError) {
    try recorder.flush()
    say("flushed")
  } catch {
    say("\(error)")
  }
  say("\(recorder.statistics.stored < recorder.statistics.observed)")
  setLimit(.max)
  try? recorder.flush()
  recorder.mark("room again")
  recorder.close()
  let statistics = recorder.statistics
  say("\(statistics.observed) \(statistics.stored) \(statistics.lost) \(statistics.queued)")
}

/// Sets the soft limit only, so that it can be lifted.
private func setLimit(_ bytes: UInt64) {
  var limit = rlimit()
  #if canImport(Glibc)
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = min(rlim_t(bytes), limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
    getrlimit(RLIMIT_FSIZE, &limit)
    limit.rlim_cur = min(rlim_t(bytes), limit.rlim_max)
    setrlimit(RLIMIT_FSIZE, &limit)
  #endif
}
