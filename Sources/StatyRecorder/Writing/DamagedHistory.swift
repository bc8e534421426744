import Foundation
import StatyHistory
import StatySQLite

/// Renames a history that cannot be written because it is damaged.
///
/// Retrying would not help. So the recorder keeps the damaged file under another name for `staty doctor`,
/// and begins a new history.
enum DamagedHistory {
  /// The number of damaged files that are kept; older ones are deleted.
  private static let mostFiles = 3
  private static let suffix = "-damaged-"

  /// Whether the error means that the file is damaged, and not that the file is locked or that the disk is
  /// full or missing.
  static func isReported(by error: any Error) -> Bool {
    switch error {
    case HistoryError.damaged, HistoryError.refused(.damagedRecord): true
    case HistoryError.failed(let error), HistoryError.outcomeUnknown(let error),
      HistoryError.refused(.sqlite(let error)), HistoryError.refused(.failed(_, _, let error)):
      error.code == .corrupt || error.code == .notADatabase
    default: false
    }
  }

  /// Renames a history and its log.
  ///
  /// - Returns: the new path, or `nil` if renaming failed.
  static func setAside(_ path: String) -> String? {
    let new = path + suffix + SessionMark.now().uuid
    // The log first: otherwise SQLite would take it for the log of the new history.
    guard rename(path + "-wal", new + "-wal") == 0 || errno == ENOENT else { return nil }
    guard rename(path, new) == 0 else { return nil }
    unlink(path + "-shm")
    removeOldest(of: path, suffix, but: new)
    return new
  }

  /// Deletes the oldest files with this suffix and a UUID, so that three are left.
  ///
  /// `last` is passed in because file times do not show it: the clock may be coarse, or may have been set
  /// back.
  static func removeOldest(of path: String, _ suffix: String, but last: String) {
    let others = HistoryPlace.renamed(path, suffix).filter {
      ($0 as NSString).lastPathComponent != (last as NSString).lastPathComponent
    }
    for path in oldestFirst(others).dropLast(mostFiles - 1) { DatabaseFile.remove(at: path) }
  }

  /// The files in the order in which they were last changed or renamed.
  static func oldestFirst(_ paths: [String]) -> [String] {
    paths.sorted { changed($0) < changed($1) }
  }

  private static func changed(_ path: String) -> (seconds: Int, nanoseconds: Int) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return (0, 0) }
    #if canImport(Darwin)
      return (status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec)
    #else
      return (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    #endif
  }
}
