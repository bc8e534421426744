import LibC
import StatyHistory
import StatySQLite

/// An output history of the command line, written as a ``Draft``.
final class OutputHistory {
  /// The writer, until it is closed.
  let writer: HistoryWriter
  /// The path of the finished history.
  let path: String
  private let draft: Draft

  /// Begins the history.
  init(_ choice: OutputChoice, doing: String) throws(Failure) {
    try choice.checkInputs()
    guard let path = choice.path else {
      throw Failure(
        status: .usage, message: "\(doing): a history is no text that could be printed.",
        advice: "Name the file to write with '-o'.")
    }
    self.path = path
    try Self.checkPlace(path, choice.isForced)
    // Otherwise the error would name the draft, which the user does not know.
    guard access(path.folder.isEmpty ? "." : path.folder, W_OK) == 0 else {
      throw .unwritable(path, errno)
    }
    draft = try Draft(of: path, at: path, replacing: choice.isForced)
    do throws(HistoryError) {
      writer = try HistoryWriter(path: draft.path)
    } catch {
      throw Failure(
        status: .cannotWrite, message: Failure(error, doing: "Writing '\(path)'").message,
        advice: "Choose a place that can be written.")
    }
  }

  /// The history that '--output' names, if it is given.
  static func ifNamed(
    _ arguments: ParsedArguments, doing: String
  ) throws(Failure) -> OutputHistory? {
    arguments.output.path == nil ? nil : try OutputHistory(arguments.output, doing: doing)
  }

  private static func checkPlace(_ path: String, _ isForced: Bool) throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(
        status: .cannotWrite, message: "Writing '\(path)': it is no regular file.",
        advice: "Choose another place.")
    }
    if !isForced { throw .occupied(path) }
    // These files belong to the old history, but would be taken for the new one's.
    for suffix in ["-wal", "-journal", HistoryFile.ringEnd] where access(path + suffix, F_OK) == 0 {
      throw Failure(
        status: .cannotWrite,
        message: "Writing '\(path)': next to it is '\(path)\(suffix)', which belongs to it.",
        advice: "Choose another place, or move both away.")
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
    guard WholeFile.isSynced(draft.path) else { throw .unwritable(path, errno) }
    try draft.finish()
  }
}
