import CStatyRing
import Staty

/// The place of an event, as the ring's record stores it.
struct RingPlace {
  /// The distance to the place's event; 0 at the root, or if the distance does not fit.
  let distance: UInt32
  /// The place's part, in the bits that it has in a record's flags.
  let flags: UInt16

  /// The place of the event with this number.
  @inline(__always)
  init(of number: UInt64, inside place: EventPlace) {
    distance = Self.distance(number, place.event)
    flags = distance == 0 ? 0 : UInt16(place.packed & 3) << UInt16(STATY_RECORD_PART_SHIFT)
  }

  /// The number minus the other one; 0 if the other one is 0, or if the distance does not fit.
  @inline(__always)
  static func distance(_ number: UInt64, _ other: UInt64) -> UInt32 {
    let distance = number &- other
    return other == 0 || distance > UInt64(UInt32.max) ? 0 : UInt32(truncatingIfNeeded: distance)
  }
}

extension RingRecord {
  /// The part of the place in which the event happened.
  var part: EventPlace.Part {
    EventPlace.Part(
      rawValue: UInt8((flags & UInt16(STATY_RECORD_PART_MASK)) >> UInt16(STATY_RECORD_PART_SHIFT)))!
  }
}
