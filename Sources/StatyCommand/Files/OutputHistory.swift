import LibC
import StatyHistory
import StatySQLite

/// An output history of the command line.
///
/// It is written under another name and renamed when it is whole, like any output.
final class OutputHistory {
  /// The writer, until it is closed.
  let writer: HistoryWriter
  /// The path of the finished history.
  let path: String
  private let isReplacing: Bool
  private let draft: String
  private let leftover: Leftover

  /// Begins the history.
  ///
  /// An existing one is replaced only on request.
  init(_ choice: OutputChoice, doing: String) throws(Failure) {
    try choice.checkInputs()
    guard let path = choice.path else {
      throw Failure(
        status: .usage, message: "\(doing): a history is no text that could be printed.",
        advice: "Name the file to write with '-o'.")
    }
    self.path = path
    isReplacing = choice.isForced
    try Self.checkPlace(path, choice.isForced)
    draft = WholeFile.draft(of: path)
    leftover = Leftover(database: draft)
    // The permissions of a private file apply from the beginning.
    let descriptor = LibC.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if descriptor >= 0 {
      WholeFile.giveRights(of: path, to: descriptor)
      LibC.close(descriptor)
    }
    do throws(HistoryError) {
      writer = try HistoryWriter(path: draft)
    } catch {
      DatabaseFile.remove(at: draft)
      leftover.forget()
      throw Failure(
        status: .cannotWrite, message: Failure(error, doing: "Writing '\(path)'").message,
        advice: "Choose a place that can be written.")
    }
  }

  deinit {
    DatabaseFile.remove(at: draft)
    leftover.forget()
  }

  private static func checkPlace(_ path: String, _ isForced: Bool) throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return try checkFolder(of: path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(
        status: .cannotWrite, message: "Writing '\(path)': it is no regular file.",
        advice: "Choose another place.")
    }
    if !isForced { throw .occupied(path) }
    // These files belong to the old history, but would be taken for the new one's.
    for suffix in ["-wal", "-journal", "-ring"] where access(path + suffix, F_OK) == 0 {
      throw Failure(
        status: .cannotWrite,
        message: "Writing '\(path)': next to it is '\(path)\(suffix)', which belongs to it.",
        advice: "Choose another place, or move both away.")
    }
    try checkFolder(of: path)
  }

  /// Checks the folder first, because SQLite's error would name a temporary file that the user does
  /// not know.
  private static func checkFolder(of path: String) throws(Failure) {
    guard access(path.folder.isEmpty ? "." : path.folder, W_OK) == 0 else {
      throw failure(path, String(cString: strerror(errno)))
    }
  }

  /// Syncs the history and renames it.
  func close() throws(Failure) {
    do throws(HistoryError) {
      try writer.checkpoint(.truncate)
      try writer.close()
    } catch {
      throw Failure(error, doing: "Writing '\(path)'")
    }
    guard WholeFile.isSynced(draft) else { throw failure(String(cString: strerror(errno))) }
    guard WholeFile.hasMoved(draft, to: path, replacing: isReplacing) else {
      if errno == EEXIST { throw .occupied(path) }
      throw failure(String(cString: strerror(errno)))
    }
  }

  private func failure(_ reason: String) -> Failure { Self.failure(path, reason) }

  private static func failure(_ path: String, _ reason: String) -> Failure {
    Failure(
      status: .cannotWrite, message: "Writing '\(path)': \(reason).",
      advice: "Choose a place that can be written.")
  }
}
