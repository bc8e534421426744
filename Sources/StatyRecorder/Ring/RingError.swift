/// Why a ring could not be made, or an old one not be read.
///
/// None of these leaves anything changed on disk.
package enum RingError: Error, Equatable, Sendable {
  /// A living process records there, perhaps this one; its number, if it had written it yet.
  case inUse(pid: Int32?, path: String)
  /// There is a ring already, left by a process that is dead: recover it or move it away first.
  case leftover(path: String)
  /// There is something at the path that is no ring, or a damaged one.
  case notARing(path: String, reason: String)
  /// The ring was written by a newer version of this library.
  case newer(version: UInt32, path: String)
  /// There is nothing at the path, or its directory is missing.
  case missing(path: String)
  /// The path names a symbolic link, which is not followed.
  case symbolicLink(path: String)
  /// This process may not read or write there.
  case notPermitted(path: String)
  /// The file system is read-only.
  case readOnly(path: String)
  /// There is not enough room for a file of this many bytes.
  case noRoom(bytes: UInt64, path: String)
  /// The system refused something else: what was being done, and its error number.
  case system(code: Int32, doing: String, path: String)
}

extension RingError: CustomStringConvertible {
  /// One line: what happened, and what to do now.
  package var description: String {
    switch self {
    case .inUse(let pid, let path):
      let owner = pid.map { "process \($0)" } ?? "another process"
      return "\(owner) records to \"\(path)\"; one process writes at a time: give each its own file"
    case .leftover(let path):
      return "\"\(path)\" was left by a process that ended; recover it before making a new one"
    case .notARing(let path, let reason):
      return "\"\(path)\" is no flight ring: \(reason); move it away"
    case .newer(let version, let path):
      return "\"\(path)\" has layout \(version), newer than this library; read it with a newer one"
    case .missing(let path):
      return "\"\(path)\" is not there; create its directory first"
    case .symbolicLink(let path):
      return "\"\(path)\" is a symbolic link, which is not followed; name the file itself"
    case .notPermitted(let path):
      return "no permission for \"\(path)\"; choose a directory that this process may write in"
    case .readOnly(let path):
      return "the file system of \"\(path)\" is read-only; choose another"
    case .noRoom(let bytes, let path):
      return "no room for the \(bytes) bytes of \"\(path)\"; free some, or make the ring smaller"
    case .system(let code, let doing, let path):
      return "the system refused \(doing) \"\(path)\" (error \(code))"
    }
  }
}
