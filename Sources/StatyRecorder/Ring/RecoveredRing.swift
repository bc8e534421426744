internal import CStatyRing
import LibC
package import StatyHistory

/// A ring that a process left, read without changing it, and locked meanwhile.
///
/// Through reads of the file, not through a mapping: a file that shrinks or a disk that fails is
/// then an error and no crash.
// Sendable without a mark: everything is set once.
package final class RecoveredRing: Sendable {
  private let file: RingFile
  private let pieces: [PieceReading]
  /// The session that recorded.
  package let session: SessionMark
  /// The process that recorded.
  package let pid: Int32
  /// How large the ring is.
  package let options: RingOptions
  /// How its process ended.
  package let ended: SessionEnd
  /// What it counted.
  package let counters: RingCounters
  /// The log entries that were not released, in their order.
  package let entries: [LogEntry]
  /// How many sound records were published and not released.
  package let recordCount: Int
  /// How many published records and entries were damaged; such are never given.
  package let torn: UInt64
  /// The highest number known to have been drawn, from counters and records; higher ones may have
  /// been drawn by threads that never came to put them.
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
    ended =
      switch header.ended.value {
      case UInt64(staty_ended_clean.rawValue): .clean
      case UInt64(staty_ended_suspended.rawValue): .suspended
      default: .killed
      }
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

  /// Hands out the sound records that were not released, piece after piece, in batches of at most
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

  /// All of the sound records that were not released, by number.
  package func records() throws(RingError) -> [RingRecord] {
    var all: [RingRecord] = []
    for piece in pieces {
      try piece.read(from: file) { records, _ in all += records }
    }
    return all.sorted { $0.number < $1.number }
  }

  /// Removes the file at the path it was opened at or has since been moved to.
  package func remove(at path: String) throws(RingError) {
    guard unlink(path) == 0 else { throw RingError(errno, doing: "removing", path: path) }
  }
}

extension FlightRing {
  /// Renames the ring of a dead process, so that its path is free for a new one; a ring from which no number
  /// was drawn is empty and is removed.
  ///
  /// The ring is locked meanwhile, so that only one of several processes moves it. A second one would move
  /// the new ring of the first.
  ///
  /// - Throws: `RingError.inUse` if a living process has it, `missing` if it is gone.
  package static func moveLeftover(at path: String, to new: String) throws(RingError) {
    let file = try RingFile(opening: path, flags: O_RDONLY)
    defer { file.unlock() }
    // A ring that was never finished is no leftover; the next recorder takes it over.
    guard file.magic == STATY_RING_MAGIC else { return }
    if try isUnused(file) {
      guard unlink(path) == 0 else { throw RingError(errno, doing: "removing", path: path) }
      return
    }
    guard rename(path, new) == 0 else { throw RingError(errno, doing: "renaming", path: path) }
  }

  private static func isUnused(_ file: RingFile) throws(RingError) -> Bool {
    guard let header = try? file.validHeader(), header.drawn.value == 0 else { return false }
    var isEmpty = true
    // The count alone may be a flipped bit.
    for piece in try file.pieces(header) {
      try piece.read(from: file) { records, torn in
        if !records.isEmpty || torn > 0 { isEmpty = false }
      }
    }
    return isEmpty
  }

  /// Reads what a process left in its ring; the file stays as it is, locked as long as the result
  /// lives.
  ///
  /// - Throws: `RingError.inUse` if the process lives, `newer` if a newer library wrote it,
  ///   `notARing` if it is something else or its header is damaged.
  package static func recover(path: String) throws(RingError) -> RecoveredRing {
    try read(RingFile(opening: path, flags: O_RDONLY))
  }

  /// Reads the ring of a process that is known to be dead; others may read it at the same time.
  package static func peek(path: String) throws(RingError) -> RecoveredRing {
    try read(RingFile(peekingAt: path))
  }

  /// How many sound records are in a ring, and the process that made it.
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
