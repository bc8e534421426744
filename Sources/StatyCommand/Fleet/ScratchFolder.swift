#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif
import StatyHistory

/// A folder that only this user can enter, for histories that are gone after they were looked at.
final class ScratchFolder {
  private let path: String
  private var count = 0

  init() throws(Failure) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/staty-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw Failure(
        status: .cannotWrite,
        message: "Making a folder in '\(parent)': \(String(cString: strerror(errno))).",
        advice: "Name another one in TMPDIR.")
    }
    path = String(cString: made)
  }

  deinit { rmdir(path) }

  /// A new, empty history.
  func history() throws(HistoryError) -> ScratchHistory {
    count += 1
    return try ScratchHistory("\(path)/\(count).sqlite")
  }
}

/// A history that is gone with the last reference to it.
final class ScratchHistory {
  let path: String
  let writer: HistoryWriter

  fileprivate init(_ path: String) throws(HistoryError) {
    self.path = path
    writer = try HistoryWriter(path: path)
  }

  deinit {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }
}
