internal import Staty
internal import CStatyRing
internal import Synchronization

/// Takes records and notes out of a ring; there is one for each ring.
///
/// It is not `Sendable`: make it on the thread that will use it.
package final class RingWriter {
  private let ring: FlightRing
  /// Where entries end that were read and are kept in the log.
  private var ends: [UInt64] = []
  private var pointer: UnsafeMutablePointer<staty_ring> { ring.pointer }

  /// The ring's writer; there is one at a time, and a second one traps.
  package init(of ring: FlightRing) {
    precondition(
      !ring.hasWriter.exchange(true, ordering: .acquiring),
      "The ring has a writer already; let go of that one first.")
    self.ring = ring
    readNotesAgain()
  }

  deinit {
    ring.hasWriter.store(false, ordering: .releasing)
  }

  /// A copy of the oldest things that were not released, at most this many records.
  ///
  /// Records come lowest number first among those at the front of the lanes; log entries, all that no released
  /// batch has had, in their order. Nothing moves in the ring: without a `release`, the next batch begins with the
  /// same. That is how a failed commit is tried again.
  package func drain(upTo count: Int) -> RingBatch {
    let start = staty_ring_tails(pointer)
    var tails = start
    var torn: UInt32 = 0
    let records = [RingRecord](unsafeUninitializedCapacity: count) { buffer, taken in
      taken = Int(
        staty_ring_take(pointer, &tails, buffer.baseAddress, UInt32(buffer.count), &torn))
    }
    // After the lanes, so that no record comes without what was noted before it.
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

  /// Makes room for new things where the batch was; call it once the batch is committed.
  ///
  /// A batch that was drained before the last release is ignored.
  ///
  /// - Parameter keepsNotes: whether records are still to come for some of what was noted. It stays in the
  ///   log, so that they are not without if the process is killed: its newest half at least.
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

  /// Where what is kept of the log begins.
  ///
  /// Producers need room, too.
  private func keptNotes(from tail: UInt64) -> UInt64 {
    let read = pointer.pointee.log_read
    let most = UInt64(ring.options.logBytes) / 2
    if read - tail <= most { return tail }
    let first = ends.first { read - $0 <= most } ?? read
    ends.removeAll { $0 <= first }
    return first
  }

  /// Makes room where notes were kept: no record is to come for any that was read.
  func releaseNotes() {
    ends = []
    var tails = staty_ring_tails(pointer)
    if tails.log == pointer.pointee.log_read { return }
    tails.log = pointer.pointee.log_read
    staty_ring_release(pointer, &tails, 0, 0, 0)
  }

  /// Lets the next batch have all entries again that stand in the log.
  func readNotesAgain() {
    pointer.pointee.log_read = staty_ring_tails(pointer).log
    ends = []
  }

  /// Waits until something is put, until `wake`, or until the time is over; may return early.
  ///
  /// Returns at once while a record is unreleased or a note unread. No put is missed.
  package func park(atMost time: Duration) {
    staty_ring_wait(pointer, staty_writer_parked, time.forWaiting)
  }

  /// Waits until half of the pieces are full, until `wake`, or until the time is over; may return early.
  ///
  /// Single records do not end it, and so cost their producer no system call: rest for a moment
  /// before draining, and a batch comes together.
  package func rest(atMost time: Duration) {
    staty_ring_wait(pointer, staty_writer_resting, time.forWaiting)
  }

  /// Waits until `wake`, or until the time is over, however full the lanes become; may return early.
  package func pause(atMost time: Duration) {
    staty_ring_wait(pointer, staty_writer_pausing, time.forWaiting)
  }

  /// Makes the pages writable that come next, so that no producer takes the page fault that follows a
  /// write-back.
  ///
  /// - Parameter pieces: how many free pieces, besides what is left of those in use. Four have room for what
  ///   comes at 10,000 events a second while the writer rests.
  package func touchAhead(pieces: Int = 4) {
    staty_ring_touch_ahead(pointer, UInt32(pieces))
  }
}

extension Duration {
  /// How long a wait may take at most: a day.
  fileprivate var forWaiting: UInt64 { UInt64(clamping: min(self, .seconds(86_400)).inNanoseconds) }
}
