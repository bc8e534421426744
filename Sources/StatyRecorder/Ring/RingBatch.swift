internal import CStatyRing

/// What a writer drained at one time.
package struct RingBatch: Sendable {
  /// The records.
  package let records: [RingRecord]
  /// The log entries: all that the records refer to and that no earlier batch had, perhaps more.
  package let entries: [LogEntry]
  /// How many records were damaged and are missing here.
  package let torn: UInt64
  /// The stretch of the log in which the entries stand.
  let noted: Range<UInt64>
  /// Where each of them ends.
  let noteEnds: [UInt64]
  let start: staty_ring_tails
  let end: staty_ring_tails

  /// The number of its first record; none if it has no records.
  var firstNumber: UInt64? { records.first?.number }

  /// The highest number of a record; 0 if it has none.
  let highestNumber: UInt64

  /// Whether there was nothing to drain.
  package var isEmpty: Bool { begins(at: end) && noted.isEmpty }

  func begins(at tails: staty_ring_tails) -> Bool {
    withUnsafeBytes(of: start) { start in
      withUnsafeBytes(of: tails) { start.elementsEqual($0) }
    }
  }
}
