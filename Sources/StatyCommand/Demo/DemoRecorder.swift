import StatyRecorder

extension HistoryRecorder {
  /// A recorder for one recording of the demo.
  static func ofDemo(at path: String) throws(Failure) -> HistoryRecorder {
    var options = RecorderOptions(app: "staty demo", appVersion: StatyTool.version)
    options.eventsPerThread = 1_024
    do throws(RecorderError) {
      return try HistoryRecorder(at: path, options: options)
    } catch {
      throw Failure(
        status: .cannotWrite, message: "Recording into '\(path)': \(error.description)")
    }
  }

  /// Ends a recording of the demo, which must be whole.
  func endDemo(at path: String) throws(Failure) {
    close()
    guard statistics.lost == 0 else {
      throw Failure(
        status: .cannotWrite, message: "Recording into '\(path)': not all of it was stored.",
        advice: "Make space, or choose another folder with '-o'.")
    }
  }
}
