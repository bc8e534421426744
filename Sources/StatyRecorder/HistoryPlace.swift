import Foundation
import StatyHistory
import StatySQLite
import Synchronization

/// The path of a history and of its ring, and their checks at opening.
struct HistoryPlace: Sendable {
  let path: String

  /// Refuses paths that SQLite would refuse later, on the writer's thread, where the app would not see the error.
  ///
  /// The path is never read as a URL.
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
    // A ring that cannot be renamed would keep the next recorder from opening.
    guard
      (place as NSString).lastPathComponent.utf8.count + HistoryFile.oldRingMark.utf8.count + 36
        <= NAME_MAX
    else { throw .directory(path: path, reason: "its name is too long for the files next to it") }
    self.path = place
  }

  /// The ring of the current recorder.
  var ringPath: String { path + HistoryFile.ringEnd }

  /// Held by `open`.
  private static let opening = Mutex(())

  /// Checks the file's header and creates the ring.
  ///
  /// It opens and closes the file without SQLite. In POSIX this releases all locks that this process has on
  /// the file. Then the next reader that closes it would remove the write-ahead log of a running recorder. So
  /// no other recorder of this process may be using the file or opening it at the same time.
  ///
  /// - Returns: the ring, and the paths of old rings to recover.
  func open(
    _ options: RecorderOptions
  ) throws(RecorderError) -> (FlightRing, oldRings: [String]) {
    let outcome = Self.opening.withLock { _ in
      Result { () throws(RecorderError) in
        if OpenRings.holds(ringPath) { throw .alreadyRecording(path: path, pid: getpid()) }
        try checkNames()
        try checkHeader()
        return try makeRing(options)
      }
    }
    return try outcome.get()
  }

  /// Refuses a file that another recorder may open by another name, and the journal of another program.
  private func checkNames() throws(RecorderError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_nlink > 1 {
      throw .directory(
        path: path,
        reason: "it has another name as a hard link, by which it can be recorded into, too")
    }
    try Self.checkJournal(of: path)
  }

  /// Refuses a journal that names another file, which SQLite would remove.
  static func checkJournal(of path: String) throws(RecorderError) {
    guard DatabaseFile.hasJournalOfSeveral(at: path) else { return }
    throw .directory(
      path: path, reason: "the journal next to it names another file, and is not of a recorder")
  }

  /// Throws unless the file is empty, or a history with a known schema.
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

  /// Whether power was lost while the file was created.
  ///
  /// Its first bytes may be wrong until the writer has rolled back the journal next to it.
  private var isHalfWritten: Bool { access(path + "-journal", F_OK) == 0 }

  /// Whether the file may be a new history whose first pages are only in the write-ahead log, because its
  /// process was killed.
  ///
  /// The writer reads the log and decides.
  private func isUnfinished(pages: UInt32) -> Bool {
    pages <= 1 || FileManager.default.fileExists(atPath: path + "-wal")
  }

  private func number(at place: Int, in header: [UInt8]) -> UInt32 {
    header[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Creates the ring, after renaming what is at its path, if something is.
  private func makeRing(
    _ options: RecorderOptions
  ) throws(RecorderError) -> (FlightRing, oldRings: [String]) {
    let sizes = RingOptions(eventsPerThread: options.eventsPerThread)
    let session = SessionMark.now(ProcessMark(options))
    func create() throws(RingError) -> FlightRing {
      try FlightRing(creatingAt: ringPath, session: session, options: sizes)
    }
    let ring: FlightRing
    do throws(RingError) {
      do throws(RingError) {
        ring = try create()
      } catch {
        try makeRoom(for: error)
        ring = try create()
      }
    } catch {
      throw RecorderError(error, path)
    }
    // Even if no writer has lived long enough to recover any.
    Self.removeOldestRings(of: path, but: Self.mostOfAll)
    return (ring, Self.oldRings(of: path))
  }

  /// Renames what is at the ring's path: the ring of a process that ended, or a file that is none.
  private func makeRoom(for error: RingError) throws(RingError) {
    switch error {
    case .oldRing:
      try FlightRing.moveOldRing(at: ringPath, to: ringPath + "-" + SessionMark.now().uuid)
    case .notARing:
      var status = stat()
      var aside = path + Self.strangerEnd
      if lstat(aside, &status) == 0 { aside += "-" + SessionMark.now().uuid }
      guard lstat(ringPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        rename(ringPath, aside) == 0
      else { throw error }
    default: throw error
    }
  }

  /// The end of the name that a file gets that was at the ring's path, and is no ring; a UUID follows if there is
  /// such a file already.
  private static let strangerEnd = "-no-ring"

  /// Deletes the oldest rings.
  static func removeOldestRings(of path: String, but most: Int = mostOldRings) {
    let rings = oldRings(of: path)
    if rings.count <= most { return }
    let own = rings.filter { !FlightRing.isOther(at: $0) }
    for ring in DamagedHistory.oldestFirst(own).dropLast(most) { unlink(ring) }
  }

  /// The most old rings that are kept while no launch can open the history: 64 MB by default.
  static let mostOldRings = 16
  /// The most that are kept at all.
  private static let mostOfAll = 64

  /// The rings of processes that ended, next to a history.
  ///
  /// This process or an earlier one renamed them, and no process has recovered them yet.
  static func oldRings(of path: String) -> [String] {
    renamed(path, HistoryFile.oldRingMark).sorted()
  }

  /// The files next to a history whose names are its own, this mark and a UUID.
  static func renamed(_ path: String, _ mark: String) -> [String] {
    let directory = (path as NSString).deletingLastPathComponent
    // By bytes: names that only look alike may be those of two files.
    let prefix = Array(((path as NSString).lastPathComponent + mark).utf8)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { name in
      // Another history, or a copy that a user made, may have a name that only begins so.
      let end = String(decoding: name.utf8.dropFirst(prefix.count), as: UTF8.self)
      return name.utf8.starts(with: prefix) && UUID(uuidString: end) != nil
    }
    .map { (directory as NSString).appendingPathComponent($0) }
  }
}

extension RecorderError {
  init(_ error: RingError, _ path: String) {
    switch error {
    case .inUse(let pid, _): self = .alreadyRecording(path: path, pid: pid)
    case .missing, .notPermitted, .readOnly, .symbolicLink:
      self = .directory(path: path, reason: error.description)
    case .oldRing, .notARing, .newer, .noRoom, .system:
      self = .system(path: path, doing: "recording into", reason: error.description)
    }
  }
}
