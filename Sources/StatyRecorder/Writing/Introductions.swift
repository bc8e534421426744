internal import CStatyRing
import Staty
import StatyHistory

/// The notes of names, call sites and controllers, which a replacement for a damaged file needs.
///
/// Each controller notes the names that it uses anew, so most of these notes are repetitions.
struct Introductions {
  /// By kind and number.
  private var notes: [UInt64: LogEntry] = [:]
  /// The controllers whose recording has ended.
  private var ended: [UInt32] = []

  /// The notes, in the order of their kinds and numbers.
  var entries: [LogEntry] { notes.sorted { $0.key < $1.key }.map(\.value) }

  /// Takes a batch that was stored.
  mutating func take(_ batch: RingBatch) {
    for entry in batch.entries where Note.isIntroduction(entry) {
      notes[Self.key(entry.kind, entry.id)] = entry
    }
    for record in batch.records where record.kind == EventKind.detached.rawValue {
      ended.append(record.controller)
    }
  }

  /// Forgets the controllers whose recording has ended.
  ///
  /// Call it when no event is in flight: an older one of theirs could be stored later.
  mutating func forgetEnded() {
    for controller in ended {
      notes[Self.key(Note.Kind.controller.rawValue, UInt64(controller))] = nil
    }
    ended = []
  }

  private static func key(_ kind: UInt32, _ id: UInt64) -> UInt64 {
    UInt64(kind) << 32 | id & 0xFFFF_FFFF
  }
}
