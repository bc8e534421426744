import CStatyRing
import Staty

/// Where an event happened, as a record of the ring says it.
struct RecordedPlace {
  /// How much smaller the number of the place's event is; 0 at the root, or if it does not fit.
  let distance: UInt32
  /// The part, where it stands in a record's flags.
  let flags: UInt16

  /// The place of the event with this number.
  @inline(__always)
  init(of number: UInt64, inside place: EventPlace) {
    distance = Self.distance(number, place.event)
    flags = distance == 0 ? 0 : UInt16(place.packed & 3) << UInt16(STATY_RECORD_PART_SHIFT)
  }

  /// How much smaller another number is; 0 for none, and if the distance does not fit.
  @inline(__always)
  static func distance(_ number: UInt64, _ other: UInt64) -> UInt32 {
    let distance = number &- other
    return other == 0 || distance > UInt64(UInt32.max) ? 0 : UInt32(truncatingIfNeeded: distance)
  }
}

extension RingRecord {
  /// The part of the place that it happened in.
  var part: EventPlace.Part {
    EventPlace.Part(
      rawValue: UInt8((flags & UInt16(STATY_RECORD_PART_MASK)) >> UInt16(STATY_RECORD_PART_SHIFT)))!
  }
}
