import LibC
import StatyHistory

/// The folder of a demo's recordings: a new or empty one, or that of an earlier demo.
///
/// Only files that an earlier demo recorded under the same names are removed from it.
struct DemoFolder: Sendable {
  /// The path as it was given.
  let path: String

  /// Makes the folder, or reuses a permitted one, and removes earlier recordings of demos from it.
  init(_ path: String, for recordings: [String]) throws(Failure) {
    self.path = path
    guard mkdir(path, 0o777) != 0 else { return }
    guard errno == EEXIST, let entries = path.namesInFolder else {
      throw failure(String(cString: strerror(errno)), Self.elsewhere)
    }
    if entries.isEmpty { return }
    guard entries.contains(Self.note), isMarked else {
      throw failure(
        "there is something in it that no demo has made",
        "Choose another folder with '-o', or move that one away.")
    }
    for entry in entries where recordings.contains(where: { isOf($0, entry) }) {
      guard unlink("\(path)/\(entry)") == 0 else {
        throw failure(
          "'\(entry)' cannot be removed: \(String(cString: strerror(errno)))", Self.elsewhere)
      }
    }
  }

  /// The path of a recording in the folder.
  func place(for name: String) -> String { "\(path)/\(name)" }

  /// Whether the file is a recording of this name, or a file that SQLite or a recorder keeps with
  /// it.
  private func isOf(_ name: String, _ entry: String) -> Bool {
    guard entry.hasPrefix(name) else { return false }
    let rest = entry.dropFirst(name.count)
    return rest.isEmpty || HistoryFile.companions.contains(String(rest))
      || HistoryFile.ringMarks.contains { rest.hasPrefix($0) }
  }

  /// Writes the note that identifies the folder to the next demo, and explains it to the user.
  func mark(_ lines: [String]) throws(Failure) {
    let file = try OutputFile("\(path)/\(Self.note)", replacing: true)
    try file.write(([Self.firstLine] + lines).map { $0 + "\n" }.joined())
    try file.close()
  }

  private static let note = "ABOUT.txt"
  private static let firstLine = "Recordings of a demo of Staty. This folder can be deleted."
  private static let elsewhere = "Choose another folder with '-o'."

  private func failure(_ what: String, _ advice: String) -> Failure {
    Failure(status: .cannotWrite, message: "Recording into '\(path)': \(what).", advice: advice)
  }

  private var isMarked: Bool {
    // It does not follow a link, and does not wait at a pipe.
    FileHeader.bytes(of: "\(path)/\(Self.note)", O_NOFOLLOW)?.starts(with: Self.firstLine.utf8)
      ?? false
  }
}
