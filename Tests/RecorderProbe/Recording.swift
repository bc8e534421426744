import Foundation
import Staty
import StatyRecorder

/// Records requests on several threads until it is killed, from controllers and probes alternately.
///
/// After each call has returned, the thread's counter in a mapped file is incremented. It tells the test which
/// events must be stored.
func recordUntilKilled(
  at path: String, acknowledging file: String, _ threads: Int, _ occupation: Occupation?
) -> Never {
  let counts = Counts(at: file)
  let recorder = open(path)
  for thread in 0..<threads {
    Thread.detachNewThread {
      if thread.isMultiple(of: 2) {
        let probe = ControllerProbe("probe")
        recorder.attach(to: probe, as: "thread \(thread)")
        let state = StateObject()
        counts.count(thread, recorder) { probe.requested(state, named: "asked") }
      } else {
        let controller = StateController<Page>()
        let page = Page()
        recorder.attach(to: controller, as: "thread \(thread)")
        controller.bind(to: page)
        counts.count(thread, recorder) { controller.transition(to: Asked()) }
      }
    }
  }
  occupation?.begin(recorder, at: path)
  // A process that is killed before its first event leaves no session.
  while recorder.statistics.observed == 0 { usleep(100) }
  say("ready")
  while true { sleep(1) }
}

final class StateObject {}

final class Page {}

/// Enters and exits at once.
final class Asked: ScreenState {
  var name: StateName { "asked" }
  var payload: StatePayload? { .open("of asked") }
  func enter(on target: Page, visit: Visit) { visit.entered() }
  func exit(from target: Page, visit: Visit) { visit.exited() }
}

/// A counter for each thread, in a file.
// Unchecked because it contains a pointer. The proof: it is never unmapped, and each thread writes only its own
// aligned word.
private struct Counts: @unchecked Sendable {
  private let words: UnsafeMutablePointer<UInt64>

  init(at path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    guard ftruncate(descriptor, 4_096) == 0,
      let mapped = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    else { exit(1) }
    words = mapped.assumingMemoryBound(to: UInt64.self)
  }

  /// Repeats the call, and counts after each return.
  func count(_ thread: Int, _ recorder: HistoryRecorder, _ body: () -> Void) -> Never {
    var random = SystemRandomNumberGenerator()
    for count in 1... {
      body()
      words[thread] = UInt64(count)
      guard count % 64 == 0 else { continue }
      usleep(UInt32.random(in: 100...1_500, using: &random))
      // Wait, so that no event is dropped even if the writer's thread does not run for a while.
      while recorder.statistics.queued > 4_096 { usleep(1_000) }
    }
    fatalError("Integers end only after centuries.")
  }
}
