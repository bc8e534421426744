internal import CStatyRing
internal import Synchronization

/// The one who takes out of a ring what the others put in.
///
/// It is not `Sendable`: make it on the thread that will use it.
package final class RingWriter {
  private let ring: FlightRing
  /// Up to here the log's entries have been drained and released, whether or not their room was.
  private var logRead: UInt64 = 0
  private var pointer: UnsafeMutablePointer<staty_ring> { ring.pointer }

  /// The ring's writer; there is one at a time, and a second one traps.
  package init(of ring: FlightRing) {
    precondition(
      !ring.hasWriter.exchange(true, ordering: .acquiring),
      "The ring has a writer already; let go of that one first.")
    self.ring = ring
  }

  deinit {
    ring.hasWriter.store(false, ordering: .releasing)
  }

  /// A copy of the oldest things that were not released, at most this many records.
  ///
  /// Records come lowest number first as far as the lanes show it; log entries, all that no released
  /// batch has had, in their order. Nothing moves in the ring: without a `release`, the next batch begins with the
  /// same. That is how a failed commit is tried again.
  package func drain(upTo count: Int) -> RingBatch {
    var tails = staty_ring_tails(pointer)
    let start = tails
    var torn: UInt32 = 0
    let records = [RingRecord](unsafeUninitializedCapacity: count) { buffer, taken in
      taken = Int(
        staty_ring_take(pointer, &tails, buffer.baseAddress, UInt32(buffer.count), &torn))
    }
    // After the lanes, so that no record comes without what was noted before it.
    let head = staty_ring_log_head(pointer)
    let log = LogReading(
      from: max(tails.log, logRead), to: head, size: UInt64(ring.options.logBytes),
      salt: pointer.pointee.salt
    ) { position, buffer in
      staty_ring_log_copy(pointer, position, buffer.baseAddress, buffer.count)
    }
    // While more records wait, what was noted for them must not be forgotten, or a kill after the
    // release would leave them without. Unless the log needs the room.
    let isAll = records.count < count
    if isAll || (head - start.log) * 2 > UInt64(ring.options.logBytes) { tails.log = head }
    return RingBatch(
      records: records, entries: log.entries, torn: UInt64(torn), logEnd: head, start: start,
      end: tails)
  }

  /// Makes room for new things where the batch was; call it once the batch is committed.
  ///
  /// A batch that was drained before the last release is ignored.
  package func release(_ batch: RingBatch) {
    guard batch.begins(at: staty_ring_tails(pointer)), !batch.isEmpty else { return }
    logRead = batch.logEnd
    var end = batch.end
    staty_ring_release(
      pointer, &end, UInt64(batch.records.count),
      batch.records.reduce(0) { max($0, $1.number) }, batch.torn)
  }

  /// Waits until something is put, until `wake`, or until the time is over; may return early.
  ///
  /// Returns at once while anything is unreleased. No put is missed.
  package func park(atMost time: Duration) {
    staty_ring_wait(pointer, staty_writer_parked, time.wholeNanoseconds)
  }

  /// Waits until a lane is half full, until `wake`, or until the time is over; may return early.
  ///
  /// Single records do not end it, and so cost their producer no system call: rest for a moment
  /// before draining, and a batch comes together.
  package func rest(atMost time: Duration) {
    staty_ring_wait(pointer, staty_writer_resting, time.wholeNanoseconds)
  }

  /// Makes the next pages of the lanes in use writable, so that no producer takes the page fault
  /// that follows a write-back.
  ///
  /// So many that 10,000 events a second stay on them while the writer rests.
  package func touchAhead(pages: Int = 32) {
    staty_ring_touch_ahead(pointer, UInt32(pages))
  }
}

extension Duration {
  fileprivate var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    if seconds < 0 || attoseconds < 0 { return 0 }
    // A day at most: longer than anybody sleeps, and far from overflow.
    return UInt64(min(seconds, 86_400)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }
}
