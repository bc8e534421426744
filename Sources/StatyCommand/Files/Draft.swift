import LibC
import StatyHistory
import StatySQLite

/// An output file under another name, which it has until it is whole.
///
/// So a failure leaves an existing file unchanged and makes no new one.
final class Draft {
  /// The path of the unfinished file.
  let path: String
  private let asked: String
  private let place: String
  private let isReplacing: Bool
  private let temporary: TemporaryFile

  /// Begins an empty file, with the permissions of the file that it replaces.
  ///
  /// - Parameters:
  ///   - asked: the path in messages.
  ///   - place: the path of the finished file.
  ///   - isReplacing: whether an existing file is replaced: a typing error must not cost a recording.
  init(of asked: String, at place: String, replacing isReplacing: Bool) throws(Failure) {
    (self.asked, self.place, self.isReplacing) = (asked, place, isReplacing)
    path = WholeFile.draft(of: place)
    temporary = TemporaryFile(database: path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .unwritable(asked, errno) }
    WholeFile.giveRights(of: place, to: descriptor)
    close(descriptor)
  }

  deinit {
    DatabaseFile.remove(at: path)
    temporary.forget()
  }

  /// Gives the whole file its name.
  func finish() throws(Failure) {
    guard WholeFile.hasMoved(path, to: place, replacing: isReplacing) else {
      if errno == EEXIST { throw .occupied(asked) }
      throw .unwritable(asked, errno)
    }
  }
}

extension Failure {
  /// The failure if there is a file already.
  static func occupied(_ path: String) -> Failure {
    Failure(
      status: .cannotWrite, message: "Writing '\(path)': there is a file already.",
      advice: "Use '--force' to replace it.")
  }

  /// The failure if a file cannot be written, for this reason of the system.
  static func unwritable(_ path: String, _ code: Int32) -> Failure {
    unwritable(path, String(cString: strerror(code)))
  }

  static func unwritable(_ path: String, _ reason: String) -> Failure {
    Failure(
      status: .cannotWrite, message: "Writing '\(path)': \(reason).",
      advice: "Choose a place that can be written.")
  }
}
