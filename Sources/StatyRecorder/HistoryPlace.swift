import Foundation
import StatyHistory
import StatySQLite
import Synchronization

/// Where a history is or will be, and what stands there.
struct HistoryPlace: Sendable {
  let path: String

  /// The place at a path; a path is never read as a URL.
  ///
  /// Refuses here what SQLite would refuse later on the writer's thread, where the app would not learn of it.
  init(_ path: String) throws(RecorderError) {
    let resolved: DatabasePath
    do throws(SQLiteError) {
      resolved = try DatabasePath(path)
    } catch {
      throw .directory(path: path, reason: error.message)
    }
    let place = resolved.text
    guard !resolved.isLink else {
      throw .directory(path: path, reason: "it is a symbolic link, which SQLite does not follow")
    }
    // A ring that was moved aside has the longest name of the files next to the history.
    guard (place as NSString).lastPathComponent.utf8.count + "-ring-".utf8.count + 36 <= NAME_MAX
    else { throw .directory(path: path, reason: "its name is too long for the files next to it") }
    self.path = place
  }

  /// The ring of the recorder that records here now.
  var ringPath: String { path + "-ring" }

  /// Only one recorder of a process opens a file at a time, see `open`.
  private static let opening = Mutex(())

  /// Looks at the file, and makes the ring.
  ///
  /// The file is read and closed here without SQLite. By POSIX that releases every lock that this process
  /// holds on it, and the next reader that closes the file would remove the log of a recorder in use. So no
  /// recorder of this process may record here meanwhile, nor begin to.
  func open(
    _ options: RecorderOptions
  ) throws(RecorderError) -> (FlightRing, leftovers: [String]) {
    let outcome = Self.opening.withLock { _ in
      Result { () throws(RecorderError) in
        if OpenRings.holds(ringPath) { throw .alreadyRecording(path: path, pid: getpid()) }
        try checkHeader()
        return try makeRing(options)
      }
    }
    return try outcome.get()
  }

  /// Looks at the file's first bytes: whether it is a history, and one that is known here.
  private func checkHeader() throws(RecorderError) {
    guard access(path, F_OK) == 0 else { return }
    guard access(path, R_OK | W_OK) == 0, let file = FileHandle(forReadingAtPath: path) else {
      throw .system(path: path, doing: "opening", reason: String(cString: strerror(errno)))
    }
    defer { try? file.close() }
    let header: [UInt8]
    do {
      header = Array(try file.read(upToCount: 100) ?? Data())
    } catch {
      throw .system(path: path, doing: "reading", reason: "\(error)")
    }
    if header.isEmpty || isHalfWritten { return }
    do {
      try check(header)
    } catch {
      guard let logged = HistoryFile.loggedHeader(of: path), logged != header else { throw error }
      try check(logged)
    }
  }

  private func check(_ header: [UInt8]) throws(RecorderError) {
    guard header.count == 100, header.starts(with: DatabaseFile.mark) else {
      throw .notAHistory(path: path)
    }
    let application = number(at: 68, in: header)
    if application == 0, isUnfinished(pages: number(at: 28, in: header)) { return }
    guard application == UInt32(HistoryFile.applicationID) else {
      throw .notAHistory(path: path)
    }
    let version = Int(number(at: 60, in: header))
    guard version <= HistoryFile.schemaVersion else {
      throw .newer(path: path, version: version, known: HistoryFile.schemaVersion)
    }
  }

  /// Whether power was lost while the file was made, before its log: its first bytes may be anything until
  /// the writer has rolled back the journal next to it.
  private var isHalfWritten: Bool { access(path + "-journal", F_OK) == 0 }

  /// Whether the file may be a history whose process was killed before its first pages were copied out of
  /// the log: it is empty, or there is a log.
  ///
  /// The writer reads the log and decides.
  private func isUnfinished(pages: UInt32) -> Bool {
    pages <= 1 || FileManager.default.fileExists(atPath: path + "-wal")
  }

  private func number(at place: Int, in header: [UInt8]) -> UInt32 {
    header[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Makes the ring, after moving those of dead processes out of the way.
  ///
  /// - Returns: the ring, and where the others are now.
  private func makeRing(
    _ options: RecorderOptions
  ) throws(RecorderError) -> (FlightRing, leftovers: [String]) {
    let sizes = RingOptions(eventsPerThread: options.eventsPerThread)
    let session = SessionMark.now(ProcessMark(options))
    do {
      return (
        try FlightRing(creatingAt: ringPath, session: session, options: sizes), leftovers()
      )
    } catch .leftover {
      do {
        try FlightRing.moveLeftover(at: ringPath, to: ringPath + "-" + SessionMark.now().uuid)
        return (
          try FlightRing(creatingAt: ringPath, session: session, options: sizes), leftovers()
        )
      } catch {
        throw RecorderError(error, path)
      }
    } catch {
      throw RecorderError(error, path)
    }
  }

  private func leftovers() -> [String] { Self.leftovers(of: path) }

  /// The rings of dead processes next to a history, moved aside by this process or by an earlier one that
  /// was killed before it imported them.
  static func leftovers(of path: String) -> [String] {
    let directory = (path as NSString).deletingLastPathComponent
    let prefix = (path as NSString).lastPathComponent + "-ring-"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasPrefix(prefix) }.sorted()
      .map { (directory as NSString).appendingPathComponent($0) }
  }
}

extension RecorderError {
  init(_ error: RingError, _ path: String) {
    switch error {
    case .inUse(let pid, _): self = .alreadyRecording(path: path, pid: pid)
    case .missing, .notPermitted, .readOnly, .symbolicLink:
      self = .directory(path: path, reason: error.description)
    case .leftover, .notARing, .newer, .noRoom, .system:
      self = .system(path: path, doing: "recording into", reason: error.description)
    }
  }
}
