internal import Staty
internal import CStatyRing
internal import Synchronization

/// Reads records and notes from a ring and releases them.
///
/// A ring has one reader at a time, which is used on one thread.
package final class RingReader {
  private let ring: FlightRing
  /// The position behind each entry that was read but stays in the log.
  private var ends: [UInt64] = []
  private var pointer: UnsafeMutablePointer<staty_ring> { ring.pointer }

  /// Traps if the ring has another reader.
  package init(of ring: FlightRing) {
    precondition(
      !ring.hasReader.exchange(true, ordering: .acquiring),
      "The ring has a reader already; release that one first.")
    self.ring = ring
    readNotesAgain()
  }

  deinit {
    ring.hasReader.store(false, ordering: .releasing)
  }

  /// Copies the oldest records that were not released, `count` at most, and all log entries that no released batch
  /// had.
  ///
  /// Of the first records of all lanes, the one with the lowest number comes first. Log entries are in their order.
  /// Nothing changes in the ring: without `release`, the next batch begins with the same records. So you can retry
  /// after a failed commit.
  package func drain(upTo count: Int) -> RingBatch {
    let start = staty_ring_tails(pointer)
    var tails = start
    var torn: UInt32 = 0
    let records = [RingRecord](unsafeUninitializedCapacity: count) { buffer, taken in
      taken = Int(
        staty_ring_take(pointer, &tails, buffer.baseAddress, UInt32(buffer.count), &torn))
    }
    // After the records, so that the batch has all notes that were written before them.
    let head = staty_ring_log_head(pointer)
    let read = pointer.pointee.log_read
    let log = LogReading(
      from: read, to: head, size: UInt64(ring.options.logBytes),
      salt: pointer.pointee.salt
    ) { position, buffer in
      staty_ring_log_copy(pointer, position, buffer.baseAddress, buffer.count)
    }
    return RingBatch(
      records: records, entries: log.entries, torn: UInt64(torn), noted: read..<max(read, head),
      noteEnds: log.ends,
      start: start, end: tails, highestNumber: records.reduce(0) { max($0, $1.number) })
  }

  /// Releases the batch, so that producers can overwrite it.
  ///
  /// Call it after the batch is committed.
  ///
  /// A batch that was drained before the last release is ignored.
  ///
  /// - Parameter keepsNotes: whether there are notes whose records have not been drained yet. Then at least the
  ///   newest half of the log is kept, so that the notes are in the ring if the process is killed.
  package func release(_ batch: RingBatch, keepingNotes keepsNotes: Bool = false) {
    guard batch.begins(at: staty_ring_tails(pointer)),
      batch.noted.lowerBound == pointer.pointee.log_read, !batch.isEmpty
    else { return }
    pointer.pointee.log_read = batch.noted.upperBound
    var end = batch.end
    ends += batch.noteEnds
    end.log = keepsNotes ? keptNotes(from: end.log) : batch.noted.upperBound
    if !keepsNotes { ends = [] }
    staty_ring_release(
      pointer, &end, UInt64(batch.records.count),
      batch.highestNumber, batch.torn)
  }

  /// The position from which the log is kept: half of the log at most, because producers need room.
  private func keptNotes(from tail: UInt64) -> UInt64 {
    let read = pointer.pointee.log_read
    let most = UInt64(ring.options.logBytes) / 2
    if read - tail <= most { return tail }
    let first = ends.first { read - $0 <= most } ?? read
    ends.removeAll { $0 <= first }
    return first
  }

  /// Releases the notes that were kept.
  ///
  /// Call it when all their records have been drained or are lost.
  func releaseNotes() {
    ends = []
    var tails = staty_ring_tails(pointer)
    if tails.log == pointer.pointee.log_read { return }
    tails.log = pointer.pointee.log_read
    staty_ring_release(pointer, &tails, 0, 0, 0)
  }

  /// Makes the next batch contain all entries in the log again.
  func readNotesAgain() {
    pointer.pointee.log_read = staty_ring_tails(pointer).log
    ends = []
  }

  /// Waits for the next record or note, for `wake`, or until the time is over; may return early.
  ///
  /// Returns at once if there are records that are not released, or notes that were not read. No record is missed.
  package func park(atMost time: Duration) {
    staty_ring_wait(pointer, staty_reader_parked, time.forWaiting)
  }

  /// Waits until half of the pieces are full, for `wake`, or until the time is over; may return early.
  ///
  /// Single records do not end the wait, so their producers need no system call. Rest before draining to gather a
  /// batch.
  package func rest(atMost time: Duration) {
    staty_ring_wait(pointer, staty_reader_resting, time.forWaiting)
  }

  /// Whether half of the pieces or of the log are full, so that `rest` ends.
  package var isFilling: Bool { staty_ring_is_filling(pointer) != 0 }

  /// Waits for `wake`, or until the time is over, even if the ring becomes full; may return early.
  package func pause(atMost time: Duration) {
    staty_ring_wait(pointer, staty_reader_pausing, time.forWaiting)
  }

  /// Makes the pages that producers will use next writable, so that producers take no page faults.
  ///
  /// - Parameter pieces: the number of free pieces to prepare, besides the rest of those in use. Four have room for
  ///   the events that arrive during a rest, at 10,000 events a second.
  package func touchAhead(pieces: Int = 4) {
    staty_ring_touch_ahead(pointer, UInt32(pieces))
  }
}

extension Duration {
  /// In nanoseconds, one day at most.
  fileprivate var forWaiting: UInt64 { UInt64(clamping: min(self, .seconds(86_400)).inNanoseconds) }
}
