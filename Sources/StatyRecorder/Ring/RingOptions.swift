internal import CStatyRing

/// How large a ring is.
package struct RingOptions: Equatable, Sendable {
  /// How many lanes there are, one of them shared by the threads that have none of their own.
  var lanes: Int
  /// How many records a lane holds; a power of two.
  var records: Int
  /// How many bytes the log holds; a power of two.
  var logBytes: Int

  /// The sizes given; a size out of bounds traps.
  ///
  /// - Parameters:
  ///   - lanes: 1 to 64.
  ///   - records: a power of two from 2 to 4,194,304.
  ///   - logBytes: a power of two from 4,096 to 1 GiB.
  package init(lanes: Int = 16, records: Int = 32768, logBytes: Int = 1 << 20) {
    precondition(Self.areValid(lanes: lanes, records: records, logBytes: logBytes), Self.advice)
    self.lanes = lanes
    self.records = records
    self.logBytes = logBytes
  }

  /// The sizes of a ring with room for so many records in a lane, or as nearly so as there can be.
  init(nearlyRecords wanted: Int) {
    let most = 1 << 22
    let wanted = min(max(wanted, 2), most)
    self.init(records: 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount))
  }

  static func areValid(lanes: Int, records: Int, logBytes: Int) -> Bool {
    (1...Int(STATY_RING_MAX_LANES)).contains(lanes)
      && (2...1 << 22).contains(records) && records.nonzeroBitCount == 1
      && (4096...Int(STATY_LOG_MAX_BYTES)).contains(logBytes) && logBytes.nonzeroBitCount == 1
  }

  private static let advice = """
    A ring has 1 to 64 lanes of 2 to 4,194,304 records, and a log of 4,096 bytes to 1 GiB; \
    records and log bytes are powers of two.
    """
}
