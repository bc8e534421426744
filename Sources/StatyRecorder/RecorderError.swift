/// Why a recorder cannot be opened.
public enum RecorderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A recorder, of this process or of another, records into the file.
  ///
  /// `pid` is the number of its process; `nil` if that has not written it down yet.
  case alreadyRecording(path: String, pid: Int32?)
  /// There is no such directory, or it cannot be written.
  case directory(path: String, reason: String)
  /// The file is something else than a history.
  case notAHistory(path: String)
  /// The history was written by a newer version of this library.
  case newer(path: String, version: Int, known: Int)
  /// The system refused something.
  case system(path: String, doing: String, reason: String)

  /// What is the matter, and what can be done about it.
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
