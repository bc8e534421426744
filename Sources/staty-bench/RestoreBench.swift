import Foundation
import Staty
import StatyRecorder

/// How long an app that was killed waits, at its next start, for the state that it was in.
enum RestoreBench {
  static func run() -> [Figure] {
    [
      Figure(
        "restore_ms", slowest(), "last state right after a kill, history of a million events")
    ]
  }

  /// The events that a killed session has behind it; the write-ahead log is left shorter or longer.
  private static let lengths = (0..<4).map { 1_000_000 + $0 * 17_000 }

  /// Milliseconds for the call right after the recorder was made; the slowest of several histories,
  /// each with the median of three kills.
  ///
  /// Each was recorded by a process of its own, which killed itself with events in its ring.
  static func slowest() -> Double {
    lengths.map { length in median(of: 3) { afterKill(length) } }.max()!
  }

  private static func afterKill(_ length: Int) -> Double {
    let directory = BenchFolder.path("restore")
    try! FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/history.sqlite"
    record(length, at: path)
    return milliseconds(at: path)
  }

  private static func record(_ length: Int, at path: String) {
    #if os(macOS) || os(Linux)
      let process = Process()
      process.executableURL = Bundle.main.executableURL!
      process.arguments = [argument, path, String(length)]
      try! process.run()
      process.waitUntilExit()
    #else
      fatalError("An app cannot start another process, which is to be killed here.")
    #endif
  }

  private static func milliseconds(at path: String) -> Double {
    let recorder = try! HistoryRecorder(at: path, options: .keepingAll)
    let start = EventSource.clock
    let last = recorder.lastState(of: "checkout")
    let taken = Double(EventSource.clock - start) / 1e6
    precondition(last?.wasIn == true, "The last state was not found; the run is void.")
    recorder.close()
    return taken
  }

  /// Says that this process is one of those that kill themselves.
  static let argument = "--record-and-die"

  /// Records so many events into a file and dies; a thousand are not in the file then.
  static func recordAndDie(_ path: String, _ length: Int) -> Never {
    var options = RecorderOptions.keepingAll
    options.gathering = .milliseconds(20)
    let recorder = try! HistoryRecorder(at: path, options: options)
    let screen = Screen()
    let controller = StateController<Screen>(policy: .queue)
    recorder.attach(to: controller, as: "checkout")
    controller.bind(to: screen)
    let states = (0..<4).map { _ in Instant() }
    for round in 0..<(length / 5) {
      controller.transition(to: states[round & 3])
      if round & 255 == 0 {
        while recorder.statistics.queued > 8_000 { usleep(200) }
      }
    }
    try! recorder.flush()
    // Faster than the writer can come to it.
    for round in 0..<200 { controller.transition(to: states[round & 3]) }
    kill(getpid(), SIGKILL)
    exit(70)
  }
}
