import LibC
internal import Foundation
import StatyHistory
import StatySQLite

/// A folder that only this user can enter, for histories that are gone after they were looked at.
///
/// What a killed process left of its own is removed by the next that makes one: a folder is locked for
/// as long as somebody works in it.
final class ScratchFolder {
  private let path: String
  private let lock: Int32
  private let leftovers: [Leftover]
  private var count = 0

  private static let prefix = "staty-scratch-"
  private static let lockName = "lock"

  init() throws(Failure) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    Self.removeLeftovers(in: parent)
    var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Self.notMade(in: parent) }
    path = String(cString: made)
    // It has its name when it is locked: nobody finds one that nobody holds yet.
    let (unnamed, named) = (path + "/new", path + "/" + Self.lockName)
    leftovers = [Leftover(folder: path), Leftover(database: named)]
    lock = open(unnamed, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, rename(unnamed, named) == 0 else {
      let failure = Self.notMade(in: parent)
      if lock >= 0 { close(lock) }
      unlink(unnamed)
      rmdir(path)
      for leftover in leftovers { leftover.forget() }
      throw failure
    }
  }

  deinit {
    unlink(path + "/" + Self.lockName)
    rmdir(path)
    close(lock)
    for leftover in leftovers { leftover.forget() }
  }

  private static func notMade(in parent: String) -> Failure {
    Failure(
      status: .cannotWrite,
      message: "Making a folder in '\(parent)': \(String(cString: strerror(errno))).",
      advice: "Name another one in TMPDIR.")
  }

  /// Removes what those left that were killed.
  private static func removeLeftovers(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let folder = "\(parent)/\(name)"
      let lock = open("\(folder)/\(lockName)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard lock >= 0 else { continue }
      if flock(lock, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(atPath: folder)
      }
      close(lock)
    }
  }

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
  private let leftover: Leftover

  fileprivate init(_ path: String) throws(HistoryError) {
    self.path = path
    leftover = Leftover(database: path)
    do throws(HistoryError) {
      writer = try HistoryWriter(path: path)
    } catch {
      // Its folder could not go with it there, and without its lock nobody would find that again.
      DatabaseFile.remove(at: path)
      leftover.forget()
      throw error
    }
  }

  deinit {
    DatabaseFile.remove(at: path)
    leftover.forget()
  }
}
