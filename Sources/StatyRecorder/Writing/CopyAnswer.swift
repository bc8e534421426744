import StatyHistory
import Synchronization

/// A requested copy of the history, and whether it succeeded.
///
/// Each copy has its own outcome, because one can fail while others succeed.
final class CopyAnswer: Sendable {
  private let path: String
  private let outcome = Mutex<String?>(nil)

  init(_ path: String) {
    self.path = path
  }

  /// Throws if the copy failed.
  func check() throws(RecorderError) {
    if let failure = outcome.withLock({ $0 }) {
      throw .system(path: path, doing: "sharing into", reason: failure)
    }
  }

  func make(with writer: HistoryWriter) {
    do {
      try writer.copy(to: path)
    } catch {
      outcome.withLock { $0 = "\(error)" }
    }
  }
}
