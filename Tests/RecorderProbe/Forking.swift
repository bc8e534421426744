import Foundation
import Staty
import StatyRecorder

/// Forks while it records.
///
/// The child calls all methods of the recorder, and ends.
///
/// Prints how the child ended, and the parent's statistics afterwards.
func fork(recordingAt path: String) {
  let recorder = open(path)
  let controller = StateController<Page>()
  let page = Page()
  recorder.attach(to: controller, as: "parent")
  controller.bind(to: page)
  controller.transition(to: Asked())
  // If another thread has a lock of Swift's runtime at the fork, the child waits for it forever. So fork while
  // the recorder's thread sleeps.
  try? recorder.flush()
  usleep(400_000)
  let child = forked()
  if child == 0 {
    controller.transition(to: Asked())
    recorder.mark("from the child")
    let other = StateController<Page>()
    recorder.attach(to: other, as: "child")
    other.transition(to: Asked())
    let refusals = [
      refusal { () throws(RecorderError) in try recorder.flush(atMost: .seconds(5)) },
      refusal { () throws(RecorderError) in try recorder.suspend(atMost: .seconds(5)) },
      refusal { () throws(RecorderError) in try recorder.share(to: path + "-child") },
      refusal { () throws(RecorderError) in _ = try HistoryRecorder(at: path) },
    ]
    recorder.resume()
    recorder.close()
    for refusal in refusals { say("child: \(refusal)") }
    exit(0)
  }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  controller.transition(to: Asked())
  recorder.close()
  say("child ended with \(status)")
  let statistics = recorder.statistics
  say("\(statistics.observed) = \(statistics.stored) + \(statistics.lost)")
}

private func refusal(_ body: () throws(RecorderError) -> Void) -> String {
  do throws(RecorderError) {
    try body()
    return "carried out"
  } catch {
    return "\(error)"
  }
}

/// Swift does not import `fork`, because little works in the child of a program with threads.
private func forked() -> pid_t {
  typealias Fork = @convention(c) () -> pid_t
  guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { exit(1) }
  return unsafeBitCast(symbol, to: Fork.self)()
}
