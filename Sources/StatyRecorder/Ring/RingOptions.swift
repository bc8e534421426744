internal import CStatyRing

/// How large a ring is.
package struct RingOptions: Equatable, Sendable {
  /// How many threads can put at a time, the last of them for all that have no lane of their own.
  var lanes: Int
  /// How many pieces the lanes are given, at least one for each.
  var pieces: Int
  /// How many records a piece holds; a power of two.
  var records: Int
  /// How many bytes the log holds; a power of two.
  var logBytes: Int

  /// The sizes given; a size out of bounds traps.
  ///
  /// - Parameters:
  ///   - lanes: 1 to 64.
  ///   - pieces: from as many as lanes to 64.
  ///   - records: a power of two from 2 to 4,194,304.
  ///   - logBytes: a power of two from 4,096 to 1 GiB.
  package init(
    lanes: Int = 16, pieces: Int = 44, records: Int = 1_024, logBytes: Int = 1 << 20
  ) {
    precondition(
      Self.areValid(lanes: lanes, pieces: pieces, records: records, logBytes: logBytes), Self.advice
    )
    self.lanes = lanes
    self.pieces = pieces
    self.records = records
    self.logBytes = logBytes
  }

  /// The sizes of a ring in which a thread can put at least so many records before the writer takes one.
  init(eventsPerThread wanted: Int) {
    self.init()
    let wanted = min(max(wanted, 2), 1 << 22)
    // The first piece may be nearly full.
    let each = max(2, (wanted + mostPieces - 2) / (mostPieces - 1))
    records = 1 << (Int.bitWidth - (each - 1).leadingZeroBitCount)
  }

  /// How many pieces a lane can have: one is left to each other lane.
  private var mostPieces: Int { pieces - lanes + 1 }

  /// What is written before the ring is used; the writer makes the rest ready.
  ///
  /// With the usual sizes two threads and the shared lane have a piece, and the log has room for some
  /// hundred names.
  var first: (pieces: Int, logBytes: Int) { (min(3, pieces), min(1 << 15, logBytes)) }

  static func areValid(lanes: Int, pieces: Int, records: Int, logBytes: Int) -> Bool {
    let most = Int(STATY_RING_MAX_PIECES)
    return (1...most).contains(lanes) && (lanes...most).contains(pieces)
      && (2...1 << 22).contains(records) && records.nonzeroBitCount == 1
      && (4096...Int(STATY_LOG_MAX_BYTES)).contains(logBytes) && logBytes.nonzeroBitCount == 1
  }

  private static let advice = """
    A ring has 1 to 64 lanes, at least as many pieces, up to 64, of 2 to 4,194,304 records, and a log of \
    4,096 bytes to 1 GiB; records and log bytes are powers of two.
    """
}
