import Foundation
import StatyHistory
import StatySQLite

/// A history that nothing can be written into any more, because it is damaged.
///
/// Trying again would change nothing, and nothing would be recorded from then on. So it is renamed, to be
/// looked into later, and a new history is begun.
enum DamagedHistory {
  /// So many stay, the one that was just set aside among them; of the others, the oldest go.
  private static let most = 3
  private static let suffix = "-damaged-"

  /// Whether a failure says that the file is damaged, and not that the system or the disk is busy,
  /// full or away.
  static func isMeant(by error: any Error) -> Bool {
    switch error {
    case HistoryError.damaged, HistoryError.refused(.damagedRecord): true
    case HistoryError.failed(let error), HistoryError.outcomeUnknown(let error),
      HistoryError.refused(.sqlite(let error)), HistoryError.refused(.failed(_, _, let error)):
      error.code == .corrupt || error.code == .notADatabase
    default: false
    }
  }

  /// Gives a history and its log another name, which is returned; none if that is not possible.
  static func setAside(_ path: String) -> String? {
    let new = path + suffix + SessionMark.now().uuid
    // The log first: next to a new file it would be taken for its log.
    guard rename(path + "-wal", new + "-wal") == 0 || errno == ENOENT else { return nil }
    guard rename(path, new) == 0 else { return nil }
    unlink(path + "-shm")
    removeOldest(of: path, but: new)
    return new
  }

  // Which is the last is not asked of the clock: several may have been set aside in one tick of it, and
  // it may have been set back.
  private static func removeOldest(of path: String, but last: String) {
    let directory = (path as NSString).deletingLastPathComponent
    let prefix = (path as NSString).lastPathComponent + suffix
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let others = Set(names).subtracting([(last as NSString).lastPathComponent])
      .filter { $0.hasPrefix(prefix) && !DatabaseFile.isCompanion($0) }
      .map { (directory as NSString).appendingPathComponent($0) }
    for path in others.sorted(by: { changed($0) < changed($1) }).dropLast(most - 1) {
      DatabaseFile.remove(at: path)
    }
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
