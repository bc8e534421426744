internal import CStatyRing

/// What a writer drained at one time.
package struct RingBatch: Sendable {
  /// The records.
  package let records: [RingRecord]
  /// The log entries: all that the records refer to, perhaps more.
  package let entries: [LogEntry]
  /// How many records and entries were damaged and are missing here.
  package let torn: UInt64
  /// How many of them were records.
  let tornRecords: UInt64
  let start: staty_ring_tails
  let end: staty_ring_tails

  /// Whether there was nothing to drain.
  package var isEmpty: Bool { begins(at: end) }

  func begins(at tails: staty_ring_tails) -> Bool {
    withUnsafeBytes(of: start) { start in
      withUnsafeBytes(of: tails) { start.elementsEqual($0) }
    }
  }
}
