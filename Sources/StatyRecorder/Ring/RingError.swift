/// The reason why a ring could not be created or read.
///
/// Nothing on the disk has changed.
package enum RingError: Error, Equatable, Sendable {
  /// A running process, perhaps this one, is using the ring. `pid` is `nil` if the process has not stored it yet.
  case inUse(pid: Int32?, path: String)
  /// There is the ring of a process that ended. Recover it or move it away first.
  case oldRing(path: String)
  /// The file is not a ring, or is damaged.
  case notARing(path: String, reason: String)
  /// A newer version of this library created the ring.
  case newer(version: UInt32, path: String)
  /// The file or its directory does not exist.
  case missing(path: String)
  /// The path names a symbolic link, which is not followed.
  case symbolicLink(path: String)
  /// This process may not read or write the file.
  case notPermitted(path: String)
  /// The file system is read-only.
  case readOnly(path: String)
  /// The disk has too little space for a file of this many bytes.
  case noRoom(bytes: UInt64, path: String)
  /// Another call of the system failed with this error number.
  case system(code: Int32, doing: String, path: String)
}

extension RingError {
  /// Whether another attempt to read the ring may succeed.
  var isMomentary: Bool {
    switch self {
    case .inUse, .notPermitted, .system: true
    case .oldRing, .notARing, .newer, .missing, .symbolicLink, .readOnly, .noRoom: false
    }
  }
}

extension RingError: CustomStringConvertible {
  /// The reason and what to do, in one line.
  package var description: String {
    switch self {
    case .inUse(let pid, let path):
      let owner = pid.map { "process \($0)" } ?? "another process"
      return "\(owner) records to \"\(path)\"; one process writes at a time: give each its own file"
    case .oldRing(let path):
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
