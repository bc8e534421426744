import Foundation
import StatyRecorder

/// Work for the recorder besides storing events, so that a kill can come during it.
enum Occupation: String {
  /// Closing the file, which copies the log into it, and opening it again.
  case checkpointing
  /// Making copies.
  case sharing

  /// Repeats it on a separate thread until the process ends.
  func begin(_ recorder: HistoryRecorder, at path: String) {
    Thread.detachNewThread {
      for number in 0... {
        switch self {
        case .checkpointing:
          try? recorder.suspend()
          recorder.resume()
        case .sharing:
          let copy = "\(path)-copy-\(number % 2)"
          unlink(copy)
          try? recorder.share(to: copy)
        }
      }
    }
  }
}
