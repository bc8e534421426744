import Chance
import Foundation
import Synchronization

/// What the disk under one directory holds, call by call.
///
/// The files are really there, so that who looks at them beside SQLite sees them; here stands what
/// of them would still be there if the power went.
final class Disk: Sendable {
  /// One moment at which the power may go.
  struct Moment: Sendable {
    let files: [String: FileImage]
    /// What stood in the rings, by how their names end; no sync is waited for them.
    let rings: [String: [UInt8]]
    /// What had been promised by then to survive.
    let promise: Promise
  }

  /// How well a disk keeps its word when it is told to sync.
  enum Syncing: Sendable {
    case honest
    /// Says that it has, and does nothing: what `synchronous=OFF` amounts to.
    case never
    /// Lies about the sync with this number, and keeps its word else.
    case lies(at: Int)
    /// Says that the sync with this number has failed, once, and has let go of what it was to write, as
    /// Linux does.
    case fails(at: Int)
  }

  private struct Contents {
    var directory = ""
    var path = ""
    var files: [String: FileImage] = [:]
    var moments: [Moment] = []
    var promise = Promise()
    var syncing = Syncing.honest
    var syncs = 0
    var random = SeededRandom(seed: 0)
    var isWatched = false
    /// Whether a sync has failed and nobody has been promised anything since.
    var isDoubtful = false
  }

  private let contents = Mutex(Contents())

  /// Begins to watch what is beside a history, as it is now.
  ///
  /// - Parameter promise: what was promised before.
  func watch(
    _ place: Workplace, _ syncing: Syncing, seed: UInt64, promise: Promise = Promise()
  ) {
    let directory = place.directory
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    contents.withLock { contents in
      contents = Contents()
      contents.directory = directory + "/"
      contents.path = place.path
      contents.syncing = syncing
      contents.random = SeededRandom(seed: seed)
      contents.promise = promise
      for path in names.map({ directory + "/" + $0 }) where !path.hasPrefix(place.path + "-ring") {
        contents.files[path] = FileImage(
          durable: FileManager.default.contents(atPath: path).map { Array($0) })
      }
      contents.isWatched = true
    }
  }

  /// Ends watching.
  ///
  /// - Returns: the moments at which the power may have gone.
  func unwatch() -> [Moment] {
    contents.withLock { contents in
      defer { contents = Contents() }
      return contents.moments
    }
  }

  /// Notes what the app has been told to be safe.
  func promise(_ promise: Promise) {
    contents.withLock { contents in
      let isNew =
        promise.sessions.mapValues(\.observed) != contents.promise.sessions.mapValues(\.observed)
      if isNew { contents.isDoubtful = false }
      contents.promise = promise
    }
  }

  // MARK: What SQLite does

  func opened(_ path: String) {
    withFile(path) { _ in }
  }

  func wrote(_ path: String, _ bytes: UnsafeRawBufferPointer, at offset: Int) {
    withFile(path) { $0.write(Array(bytes), at: offset) }
    contents.withLock { contents in
      guard contents.isWatched, Int.random(in: 0..<32, using: &contents.random) == 0 else { return }
      Self.addMoment(&contents)
    }
  }

  func truncated(_ path: String, to size: Int) {
    withFile(path) { $0.truncate(to: size) }
  }

  /// - Returns: whether it says that it has.
  func synced(_ path: String) -> Bool {
    contents.withLock { contents in
      guard contents.isWatched, path.hasPrefix(contents.directory) else { return true }
      // The power may go while it is under way and right after it, which are two different things.
      Self.addMoment(&contents)
      contents.syncs += 1
      switch contents.syncing {
      case .never: return true
      case .lies(let number) where number == contents.syncs: break
      case .fails(let number) where number == contents.syncs:
        contents.files[path]?.forget()
        contents.isDoubtful = true
        return false
      case .honest, .lies, .fails: Self.sync(path, &contents)
      }
      Self.addMoment(&contents)
      return true
    }
  }

  func deleted(_ path: String, isSynced: Bool) {
    withFile(path) {
      $0.delete()
      if isSynced { $0.settleDeletion() }
    }
  }

  private static func sync(_ path: String, _ contents: inout Contents) {
    contents.files[path]?.sync()
    // File systems keep a journal of what happens to names, in which this comes after what was
    // before. On one without, a journal of SQLite's that was deleted could come back.
    for name in contents.files.keys { contents.files[name]?.settleDeletion() }
  }

  private func withFile(_ path: String, _ body: (inout FileImage) -> Void) {
    contents.withLock { contents in
      guard contents.isWatched, path.hasPrefix(contents.directory) else { return }
      if contents.files[path] == nil {
        contents.files[path] = FileImage(
          durable: FileManager.default.contents(atPath: path).map { Array($0) })
      }
      body(&contents.files[path]!)
    }
  }

  private static func addMoment(_ contents: inout Contents) {
    // A disk that fails and loses power may have anything; but what is promised then is true again.
    if contents.isDoubtful { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: contents.directory)) ?? []
    var rings: [String: [UInt8]] = [:]
    for path in names.map({ contents.directory + $0 }) where path.hasPrefix(contents.path + "-ring")
    {
      rings[String(path.dropFirst(contents.path.count))] =
        FileManager.default.contents(atPath: path).map { Array($0) }
    }
    contents.moments.append(
      Moment(files: contents.files, rings: rings, promise: contents.promise))
  }
}
