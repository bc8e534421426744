import CStatyRing
import Foundation
import Staty
import StatyHistory
import Testing

@testable import StatyRecorder

/// A recorder whose writer has no thread: the test calls its turns.
///
/// Releasing it without closing is like killing its process.
final class SimulatedRecorder {
  let core: RecorderCore
  let requests = WriterRequests()
  let writer: RecorderWriter
  private var recordings: [(ControllerProbe, ControllerRecording)] = []

  /// Begins to record, after renaming an old ring.
  ///
  /// - Parameter life: the number of recorders so far, which takes the place of random UUIDs.
  init(at path: String, life: UInt64, _ sizes: RingOptions, _ options: RecorderOptions) throws {
    let ringPath = path + "-ring"
    let now = life * 1_000_000_000_000
    let session = SessionMark(
      high: 0x4000, low: 1 << 63 | life, wallMicroseconds: now / 1_000, beganNanoseconds: now)
    if access(ringPath, F_OK) == 0 {
      try Self.moveOldRing(at: ringPath, to: ringPath + "-\(Self.name(of: life))")
    }
    let ring = try FlightRing(creatingAt: ringPath, session: session, options: sizes)
    try ring.makeReady()
    let clock = RecorderClock(wall: { Int64(now / 1_000) }, events: { now })
    core = RecorderCore(ring: ring, options: options, clock: clock)
    writer = RecorderWriter(
      core: core, requests: requests, path: path, oldRings: HistoryPlace.oldRings(of: path))
  }

  /// A name like those that recorders choose, and the same in each run.
  private static func name(of life: UInt64) -> UUID {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: life >> (56 - 8 * $0)) }
    return UUID(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
        bytes[6], bytes[7]
      ))
  }

  /// Waits for the lock: for a moment, a process that another test has just started has a copy of the descriptor,
  /// and with it the lock.
  private static func moveOldRing(at path: String, to new: String) throws {
    for _ in 0..<1_000 {
      do throws(RingError) {
        return try FlightRing.moveOldRing(at: path, to: new)
      } catch {
        guard case .inUse = error else { throw error }
        usleep(10_000)
      }
    }
    try FlightRing.moveOldRing(at: path, to: new)
  }

  func attach(_ probe: ControllerProbe, as name: String) {
    guard probe.events.share(core.numbering), !isAttached(probe) else { return }
    let recording = ControllerRecording(core: core, source: probe.events)
    recording.begin(as: name)
    probe.events.add(recording)
    recordings.append((probe, recording))
  }

  func detach(_ probe: ControllerProbe) {
    guard let index = recordings.firstIndex(where: { $0.0 === probe }) else { return }
    let (_, recording) = recordings.remove(at: index)
    probe.events.remove(recording)
    recording.end()
    probe.events.unshare(core.numbering)
  }

  func isAttached(_ probe: ControllerProbe) -> Bool { recordings.contains { $0.0 === probe } }

  /// Ends it without closing: events that are not stored stay in its ring.
  ///
  /// A controller that is released afterwards still draws a number, like a thread that is killed at that moment.
  func abandon() {
    core.ring.stop()
    for (probe, recording) in recordings {
      probe.events.remove(recording)
      probe.events.unshare(core.numbering)
    }
    recordings = []
  }
}
