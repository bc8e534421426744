internal import CStatyRing
import LibC
package import StatyHistory

/// The ring of a process that ended, locked while it is read.
///
/// Reading does not change it.
///
/// The file is not mapped. So if it becomes shorter or the disk fails, the result is an error and not a crash.
package final class RecoveredRing: Sendable {
  private let file: RingFile
  private let pieces: [PieceReading]
  /// The session of the ring's events.
  package let session: SessionMark
  /// The ID of the process that recorded.
  package let pid: Int32
  /// The size of the ring.
  package let options: RingOptions
  /// How the session ended.
  package let ended: SessionEnd
  /// The ring's counters.
  package let counters: RingCounters
  /// The log entries that were not released, in their order.
  package let entries: [LogEntry]
  /// The number of undamaged records that were not released.
  package let recordCount: Int
  /// The number of damaged records and entries, which are skipped.
  package let torn: UInt64
  /// The highest number that was drawn, according to counters and records.
  package let highestDrawn: UInt64

  init(_ file: RingFile) throws(RingError) {
    let header = try file.validHeader()
    let salt = withUnsafePointer(to: header) { staty_header_salt($0) }
    let pieces = try file.pieces(header)
    var count = 0
    var torn: UInt64 = 0
    var highest: UInt64 = 0
    for piece in pieces {
      try piece.read(from: file) { records, damaged in
        count += records.count
        torn += damaged
        highest = records.reduce(highest) { max($0, $1.number) }
      }
    }
    let log = try file.log(header, salt: salt)
    counters = withUnsafePointer(to: header) { RingCounters($0) }
    session = SessionMark(header)
    pid = Int32(bitPattern: header.pid)
    options = RingOptions(
      lanes: Int(header.lanes), pieces: Int(header.pieces), records: Int(header.records),
      logBytes: Int(header.log_bytes))
    ended = header.sessionEnd
    entries = log.entries
    recordCount = count
    self.torn = torn + log.torn
    highestDrawn = max(counters.highestDrawn, highest)
    self.pieces = pieces
    self.file = file
  }

  deinit {
    file.unlock()
  }

  /// Whether its process never had an event.
  var isUnused: Bool { highestDrawn == 0 && recordCount == 0 && torn == 0 }

  /// Calls `body` with the undamaged records that were not released, piece by piece, in batches of at most
  /// 4,096.
  package func forEachBatch(_ body: ([RingRecord]) throws -> Void) throws {
    for piece in pieces {
      var failure: (any Error)?
      try piece.read(from: file) { records, _ in
        guard failure == nil, !records.isEmpty else { return }
        do { try body(records) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }

  /// Removes the file.
  ///
  /// `path` is its current path.
  package func remove(at path: String) throws(RingError) {
    guard unlink(path) == 0 else { throw RingError(errno, doing: "removing", path: path) }
  }
}

extension FlightRing {
  /// Renames the ring of a process that ended, so that a new one can be created.
  ///
  /// The ring is locked meanwhile, so that only one of several processes moves it. Otherwise the second one would
  /// move the new ring of the first one.
  ///
  /// - Throws: `RingError.inUse` if a running process uses it, `missing` if it does not exist.
  package static func moveOldRing(at path: String, to new: String) throws(RingError) {
    let file = try RingFile(opening: path, flags: O_RDONLY)
    defer { file.unlock() }
    // A ring that was not completed has no events, and the next recorder overwrites it.
    guard file.magic == STATY_RING_MAGIC else { return }
    guard rename(path, new) == 0 else { throw RingError(errno, doing: "renaming", path: path) }
  }

  /// Reads the ring of a process that ended.
  ///
  /// The file is locked until the result is released.
  ///
  /// - Throws: `RingError.inUse` if the process is running, `newer` if a newer version of this library created
  ///   it, `notARing` if it is another file or its header is damaged.
  package static func recover(path: String) throws(RingError) -> RecoveredRing {
    try read(RingFile(opening: path, flags: O_RDONLY))
  }

  /// Reads a ring without locking it.
  ///
  /// Use it only if its process has ended.
  package static func peek(path: String) throws(RingError) -> RecoveredRing {
    try read(RingFile(peekingAt: path))
  }

  /// The session of a ring, how it ended, and whether its recorder was closed; `nil` if the header cannot be read.
  ///
  /// The rest of the ring need not be readable: it may have another layout.
  package static func end(
    path: String
  ) -> (session: String, ended: SessionEnd, isClosed: Bool)? {
    guard let file = try? RingFile(peekingAt: path) else { return nil }
    defer { file.unlock() }
    guard var header = file.header, header.magic == STATY_RING_MAGIC,
      header.check == staty_header_check(&header)
    else { return nil }
    return (SessionMark(header).uuid, header.sessionEnd, header.stopped != 0)
  }

  /// Whether the file is not a ring, and not a damaged or blank one either.
  static func isOther(at path: String) -> Bool {
    do throws(RingError) {
      let file = try RingFile(peekingAt: path)
      defer { file.unlock() }
      let magic = file.magic
      return file.size < 8 || magic != 0 && magic != STATY_RING_MAGIC
    } catch .notARing {
      return true
    } catch {
      // It may be a ring that cannot be read at the moment.
      return false
    }
  }

  /// Whether the file is a ring whose header can be read.
  static func isReadable(at path: String) -> Bool {
    guard let file = try? RingFile(peekingAt: path) else { return false }
    defer { file.unlock() }
    return (try? file.validHeader()) != nil
  }

  /// Whether a file that begins with these bytes is a ring.
  package static func isRing(beginning: some Sequence<UInt8>) -> Bool {
    withUnsafeBytes(of: STATY_RING_MAGIC) { beginning.starts(with: $0) }
  }

  /// The number of undamaged records in a ring, and the ID of its process.
  package static func waiting(path: String) throws(RingError) -> (pid: Int32, records: Int) {
    let file = try RingFile(peekingAt: path)
    defer { file.unlock() }
    let header = try file.validHeader()
    let pieces = try file.pieces(header)
    try file.refuseHoles(pieces)
    var count = 0
    for piece in pieces { try piece.read(from: file) { records, _ in count += records.count } }
    return (Int32(bitPattern: header.pid), count)
  }

  private static func read(_ file: RingFile) throws(RingError) -> RecoveredRing {
    do throws(RingError) {
      return try RecoveredRing(file)
    } catch {
      file.unlock()
      throw error
    }
  }
}

extension staty_ring_header {
  /// How the session ended.
  fileprivate var sessionEnd: SessionEnd {
    switch ended.value {
    case UInt64(staty_ended_clean.rawValue): .clean
    case UInt64(staty_ended_suspended.rawValue): .suspended
    default: .killed
    }
  }
}
