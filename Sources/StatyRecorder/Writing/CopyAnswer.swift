import StatyHistory
import Synchronization

/// A copy that the writer is asked to make, and what came of it.
///
/// Each has an answer of its own, since one that cannot be made says nothing of the others.
final class CopyAnswer: Sendable {
  private let path: String
  private let outcome = Mutex<String?>(nil)

  init(_ path: String) {
    self.path = path
  }

  /// Throws if the copy could not be made.
  func check() throws(RecorderError) {
    if let failure = outcome.withLock({ $0 }) {
      throw .system(path: path, doing: "sharing into", reason: failure)
    }
  }

  /// Makes the copy.
  func make(with writer: HistoryWriter) {
    do {
      try writer.copy(to: path)
    } catch {
      outcome.withLock { $0 = "\(error)" }
    }
  }
}
