import Chance
import Foundation
import Synchronization

/// The content of a simulated disk after each call, for the files of one directory.
///
/// The files exist, so that code besides SQLite can use them. This keeps what would be left of them after a loss
/// of power.
final class Disk: Sendable {
  /// A moment at which power can fail.
  struct Moment: Sendable {
    let files: [String: FileImage]
    /// The rings' contents, by the endings of their names.
    ///
    /// Rings are never synced.
    let rings: [String: [UInt8]]
    /// The events that were promised until then.
    let promise: Promise
  }

  /// How a disk executes syncs.
  enum Syncing: Sendable {
    case honest
    /// Reports success and does nothing, like `synchronous=OFF`.
    case never
    /// Ignores the sync with this number, and executes all others.
    case lies(at: Int)
    /// Reports a failure of the sync with this number, and drops its data, like Linux.
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
    /// Whether a sync has failed, and no events were promised since.
    var isDoubtful = false
  }

  private let contents = Mutex(Contents())

  /// Begins with the current files of a history.
  ///
  /// - Parameter promise: the events that were promised before.
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

  /// Ends the simulation.
  ///
  /// - Returns: the moments at which power can have failed.
  func unwatch() -> [Moment] {
    contents.withLock { contents in
      defer { contents = Contents() }
      return contents.moments
    }
  }

  /// Notes the events that are promised to the app.
  func promise(_ promise: Promise) {
    contents.withLock { contents in
      let isNew =
        promise.sessions.mapValues(\.observed) != contents.promise.sessions.mapValues(\.observed)
      if isNew { contents.isDoubtful = false }
      contents.promise = promise
    }
  }

  // MARK: SQLite's calls

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

  /// - Returns: whether the disk reports success.
  func synced(_ path: String) -> Bool {
    contents.withLock { contents in
      guard contents.isWatched, path.hasPrefix(contents.directory) else { return true }
      // Power can fail during the sync and after it, which are two different moments.
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
    // File systems with a journal keep the order of changes to names. Without one, a deleted journal of SQLite
    // could come back.
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
    // After a failed sync, the disk may have lost anything. But a later promise holds again.
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
