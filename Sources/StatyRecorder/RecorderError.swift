/// The reason why a recorder cannot be opened, or a request to it failed.
public enum RecorderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A recorder of this process or another one is recording into the file.
  ///
  /// `pid` is its process ID; `nil` if the process has not stored it yet.
  case alreadyRecording(path: String, pid: Int32?)
  /// The directory does not exist or cannot be written, or the path cannot be used.
  case directory(path: String, reason: String)
  /// The file is not a history.
  case notAHistory(path: String)
  /// The history was written by a newer version of this library.
  case newer(path: String, version: Int, known: Int)
  /// A call of the operating system failed.
  case system(path: String, doing: String, reason: String)

  /// The reason, and what to do.
  public var description: String {
    switch self {
    case .alreadyRecording(let path, let pid):
      """
      \(path) is being recorded into by \(pid.map { "process \($0)" } ?? "another process"). \
      One recorder serves a file; share it.
      """
    case .directory(let path, let reason):
      "\(path) cannot be created: \(reason). Give a path in a directory that exists and is yours."
    case .notAHistory(let path):
      "\(path) is no history of Staty's. Give another path, or move that file away."
    case .newer(let path, let version, let known):
      """
      \(path) has schema \(version), and this library knows up to \(known). \
      Update Staty; the file was not touched.
      """
    case .system(let path, let doing, let reason):
      "\(doing) \(path) failed: \(reason)."
    }
  }
}
