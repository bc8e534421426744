import Foundation
import StatyRecorder

/// What a recorder is kept busy with besides what is recorded, so that a kill may come in the midst.
enum Occupation: String {
  /// The file is let go of, which copies the log into it, and taken up again.
  case checkpointing
  /// A copy is made, and made again.
  case sharing

  /// Goes on with it on a thread of its own, as long as the process lives.
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
