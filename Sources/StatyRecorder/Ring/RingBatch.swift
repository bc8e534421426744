internal import CStatyRing

/// The records and notes that a `RingReader` drained together.
package struct RingBatch: Sendable {
  package let records: [RingRecord]
  /// The log entries that no earlier batch had, including all that the records refer to.
  package let entries: [LogEntry]
  /// The number of damaged records and entries, which are skipped.
  package let torn: UInt64
  /// The part of the log that contains the entries.
  let noted: Range<UInt64>
  /// The position behind each entry.
  let noteEnds: [UInt64]
  let start: staty_ring_tails
  let end: staty_ring_tails

  /// The number of the first record; `nil` if there are no records.
  var firstNumber: UInt64? { records.first?.number }

  /// The highest number of a record; 0 if there are none.
  let highestNumber: UInt64

  /// Whether there was nothing to drain, not even damaged records.
  package var isEmpty: Bool { begins(at: end) && noted.isEmpty }

  func begins(at tails: staty_ring_tails) -> Bool {
    withUnsafeBytes(of: start) { start in
      withUnsafeBytes(of: tails) { start.elementsEqual($0) }
    }
  }
}
