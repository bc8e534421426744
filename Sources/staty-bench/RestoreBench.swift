import Foundation
import Staty
import StatyRecorder

/// The time that an app needs at launch to read its last state after it was killed.
enum RestoreBench {
  /// The numbers of events of the killed session.
  ///
  /// They leave write-ahead logs of different lengths.
  private static let lengths = (0..<4).map { 1_000_000 + $0 * 17_000 }

  /// The milliseconds of the call directly after the recorder was created: the slowest of several
  /// histories, each with the median of three kills.
  ///
  /// Each history is recorded by a separate process, which kills itself with events in its ring.
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
      fatalError("An app cannot start another process.")
    #endif
  }

  private static func milliseconds(at path: String) -> Double {
    let recorder = try! HistoryRecorder(at: path, options: .keepingAll)
    let start = EventSource.clock
    let last = recorder.lastState(of: "checkout")
    let taken = Double(EventSource.clock - start) / 1e6
    precondition(last?.wasShown == true, "The last state was not found; the run is void.")
    recorder.close()
    return taken
  }

  /// The argument for a process that kills itself.
  static let argument = "--record-and-die"

  /// Records events into a file and kills the process while a thousand are not in the file yet.
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
    // Faster than the writer can store them.
    for round in 0..<200 { controller.transition(to: states[round & 3]) }
    kill(getpid(), SIGKILL)
    exit(70)
  }
}
