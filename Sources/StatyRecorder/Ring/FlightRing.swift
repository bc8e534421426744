package import CStatyRing
internal import Synchronization
import LibC

/// One event, as it stands in a ring; thread and check are filled in by the put.
package typealias RingRecord = staty_record

/// A mapped file into which any thread puts records and notes, and from which one writer takes
/// them.
///
/// What was put is in the file at once: a process that is killed loses nothing of it. Putting
/// never waits; what finds no room is dropped and counted.
// Unchecked because it holds a pointer. The proof: the pointer is set once and freed in `deinit`,
// when no thread can be inside a call any more; what it points to is used by threads at the same time
// only through the C functions, whose accesses are atomic where threads meet and otherwise belong
// to the owner of a lane, to the holder of the log's lock, or to the one writer.
package final class FlightRing: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<staty_ring>
  let hasWriter = Atomic(false)
  private let file: RingFile
  private let isClosed = Atomic(false)
  /// The session that records here.
  package let session: SessionMark
  /// How large the ring is.
  package let options: RingOptions

  /// Creates the file, which must not be there yet, and holds its lock until `close`.
  ///
  /// - Throws: `RingError.inUse` if a living process records there, `leftover` if a dead one did,
  ///   `notARing` if something else is there; `missing`, `symbolicLink`, `notPermitted`,
  ///   `readOnly`, `noRoom` or `system` if the file cannot be made. Nothing is left behind.
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
  }

  deinit {
    if !isClosed.load(ordering: .relaxed) { OpenRings.remove(file.identity) }
    staty_ring_destroy(pointer)
  }

  /// Where the file is.
  package var path: String { file.path }

  /// What was counted so far.
  package var counters: RingCounters { RingCounters(pointer.pointee.header) }

  /// Whether nothing is recorded any more: it was stopped or closed, or this process was forked from
  /// the one that records.
  var isDead: Bool { staty_ring_is_dead(pointer) != 0 }

  /// Whether this process was forked from the one that made the ring.
  var isForeign: Bool { pointer.pointee.foreign != 0 }

  /// Makes known the highest number drawn, so that it can be told after a kill.
  package func noteDrawn(_ number: UInt64) {
    staty_counter_raise(&pointer.pointee.header.pointee.drawn, number)
  }

  /// Makes the parts ready that opening left out; goes on where an earlier call failed.
  ///
  /// The writer calls it, which has the time. A thread that finds no room before that does so itself.
  package func makeReady() throws(RingError) {
    guard staty_ring_make_ready(pointer) == 0 else { return }
    throw RingError(errno, doing: "preparing", path: path)
  }

  /// Notes whether the process is about to be suspended, so that it is told apart if it is killed then.
  func noteSuspended(_ isSuspended: Bool) {
    if isDead { return }
    staty_ring_note_ended(pointer, isSuspended ? staty_ended_suspended : staty_ended_killed)
  }

  /// Ends recording: every later put and note is refused as `dead`.
  ///
  /// A put that is under way in another thread ends as if the ring were open, a moment later. What
  /// was put can still be drained.
  package func stop() {
    staty_ring_stop(pointer)
  }

  /// Ends recording, as `stop` does, and gives the file up.
  ///
  /// The file's lock goes with the last reference. Does nothing the second time, and in a forked
  /// child.
  ///
  /// - Parameter removingFile: whether the file goes too; only right when all was released.
  package func close(removingFile: Bool) {
    guard !isClosed.exchange(true, ordering: .sequentiallyConsistent) else { return }
    stop()
    guard pointer.pointee.foreign == 0 else { return }
    staty_ring_note_ended(pointer, staty_ended_clean)
    // Not a file that another process has put in its place since.
    if removingFile, file.isAtItsPath { unlink(file.path) }
    OpenRings.remove(file.identity)
    flock(file.descriptor, LOCK_UN)
  }
}
