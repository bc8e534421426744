import Foundation
import StatyRecorder

/// What a recorder is kept busy with besides what is recorded, so that a kill may come in the midst.
enum Occupation: String {
  /// The log is brought into the file again and again.
  case checkpointing
  /// A copy is made, and made again.
  case sharing

  /// Goes on with it on a thread of its own, as long as the process lives.
  func begin(_ recorder: HistoryRecorder, at path: String) {
    Thread.detachNewThread {
      for number in 0... {
        switch self {
        case .checkpointing: try? recorder.flush(.durable)
        case .sharing:
          let copy = "\(path)-copy-\(number % 2)"
          unlink(copy)
          try? recorder.share(to: copy)
        }
      }
    }
  }
}
