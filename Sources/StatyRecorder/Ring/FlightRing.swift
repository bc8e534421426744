package import CStatyRing
internal import Synchronization
import LibC

/// One event in a ring.
///
/// `put` sets `thread` and `check`.
package typealias RingRecord = staty_record

/// A mapped file into which any thread puts records and notes, and from which one `RingReader` takes them.
///
/// A record is in the file when `put` returns, so it survives a crash of the process. `put` never waits: if there
/// is no room, it drops the record and counts it.
// Unchecked because it contains a pointer. The proof: the pointer is set once, and freed in `deinit`, when no
// thread can be in a call any more. Threads use its memory only through the C functions. These access it
// atomically, or as the owner of a lane, the holder of the log's lock, or the only reader.
package final class FlightRing: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<staty_ring>
  let hasReader = Atomic(false)
  private let file: RingFile
  private let isClosed = Atomic(false)
  /// The session of the ring's events.
  package let session: SessionMark
  /// The size of the ring.
  package let options: RingOptions

  /// Creates the file, which must not exist, and locks it until `close`.
  ///
  /// - Throws: `RingError.inUse` if a running process uses a ring at this path, `oldRing` if there is the ring of
  ///   a process that ended, `notARing` if there is another file; `missing`, `symbolicLink`, `notPermitted`,
  ///   `readOnly`, `noRoom` or `system` if the file cannot be created. After an error there is no new file.
  package init(
    creatingAt path: String, session: SessionMark = .now(), options: RingOptions = RingOptions()
  ) throws(RingError) {
    let (file, header) = try RingFile.create(at: path, session: session, options: options)
    var described = header
    guard
      let pointer = staty_ring_open(
        file.descriptor, &described, UInt32(options.first.pieces), UInt64(options.first.logBytes))
    else {
      let error = RingError(errno, doing: "mapping", path: path)
      unlink(path)
      file.unlock()
      throw error
    }
    self.pointer = pointer
    self.file = file
    self.session = session
    self.options = options
    staty_ring_watch_exit(pointer)
  }

  deinit {
    staty_ring_unwatch_exit(pointer)
    if !isClosed.load(ordering: .relaxed) { OpenRings.remove(file.identity) }
    staty_ring_destroy(pointer)
  }

  /// The path of the file.
  package var path: String { file.path }

  /// The current counters.
  package var counters: RingCounters { RingCounters(pointer.pointee.header) }

  /// Whether the ring accepts no more records: it was stopped or closed, or this process was forked from its
  /// owner.
  var isDead: Bool { staty_ring_is_dead(pointer) != 0 }

  /// Whether this process was forked from the ring's owner.
  var isForeign: Bool { pointer.pointee.foreign != 0 }

  /// Writes the parts of the file that opening left out; continues where an earlier call failed.
  ///
  /// The recorder's own thread calls it, because it takes time. A thread that needs room before that does it
  /// itself.
  package func makeReady() throws(RingError) {
    guard staty_ring_make_ready(pointer) == 0 else { return }
    throw RingError(errno, doing: "preparing", path: path)
  }

  /// Stores whether the app is suspended, so that the next launch can tell whether it was killed meanwhile.
  func noteSuspended(_ isSuspended: Bool) {
    if isDead { return }
    staty_ring_note_ended(pointer, isSuspended ? staty_ended_suspended : staty_ended_killed)
  }

  /// Stores that the session has ended cleanly.
  func noteClosed() {
    staty_ring_note_ended(pointer, staty_ended_clean)
  }

  /// Ends recording: later puts and notes are refused.
  ///
  /// A put that has begun in another thread still stores its record. The records can still be drained.
  package func stop() {
    staty_ring_stop(pointer)
  }

  /// Whether it is still at its path, so that no other recorder can open the history.
  package var isAtItsPath: Bool { file.isAtItsPath }

  /// Ends recording and unlocks the file.
  ///
  /// Does nothing the second time, and in a forked child.
  ///
  /// - Parameter removingFile: whether to remove the file. Pass true only if everything is released.
  package func close(removingFile: Bool) {
    guard !isClosed.exchange(true, ordering: .sequentiallyConsistent) else { return }
    stop()
    guard pointer.pointee.foreign == 0 else { return }
    staty_ring_unwatch_exit(pointer)
    noteClosed()
    // Another process may have put another file at the path.
    if removingFile, file.isAtItsPath { unlink(file.path) }
    OpenRings.remove(file.identity)
    flock(file.descriptor, LOCK_UN)
  }
}
