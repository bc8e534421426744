internal import CStatyRing

/// The size of a ring.
package struct RingOptions: Equatable, Sendable {
  /// The number of lanes.
  ///
  /// Each thread has its own, except that the threads beyond that share the last one.
  var lanes: Int
  /// The number of pieces that the lanes get, at least one for each.
  var pieces: Int
  /// The number of records in a piece; a power of two.
  var records: Int
  /// The number of bytes in the log; a power of two.
  var logBytes: Int

  /// Traps if a size is out of bounds.
  ///
  /// - Parameters:
  ///   - lanes: 1 to 64.
  ///   - pieces: `lanes` to 64.
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

  /// The size of a ring into which one thread can put at least this many records before the reader takes one.
  init(eventsPerThread wanted: Int) {
    self.init()
    let wanted = min(max(wanted, 2), 1 << 22)
    // The first piece may be nearly full already.
    let each = max(2, (wanted + mostPieces - 2) / (mostPieces - 1))
    records = 1 << (Int.bitWidth - (each - 1).leadingZeroBitCount)
    // In proportion, but never less than by default: few events can have many names.
    logBytes = min(max(logBytes, records << 10), Int(STATY_LOG_MAX_BYTES))
  }

  /// The most pieces that one lane can have, when each other lane has one.
  private var mostPieces: Int { pieces - lanes + 1 }

  /// The parts that are written when the ring is created; `FlightRing.makeReady` writes the rest.
  ///
  /// By default, this is a piece for the shared lane and for two threads, and room for some hundred names.
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
