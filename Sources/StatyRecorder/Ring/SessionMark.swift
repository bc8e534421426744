internal import CStatyRing
import LibC
import StatyText

/// Which session a ring belongs to, and when that began on two clocks.
package struct SessionMark: Hashable, Sendable {
  /// The first eight bytes of the session's UUID, in the machine's order.
  var high: UInt64
  /// The last eight.
  var low: UInt64
  /// Microseconds since 1970 at the session's beginning.
  package var wallMicroseconds: UInt64
  /// Nanoseconds of the records' clock at the same moment.
  package var beganNanoseconds: UInt64

  /// The mark with these parts.
  package init(high: UInt64, low: UInt64, wallMicroseconds: UInt64, beganNanoseconds: UInt64) {
    self.high = high
    self.low = low
    self.wallMicroseconds = wallMicroseconds
    self.beganNanoseconds = beganNanoseconds
  }

  /// A new session that begins now.
  package static func now() -> SessionMark {
    var random = SystemRandomNumberGenerator()
    return SessionMark(
      // Version 4, variant 1 of RFC 9562, in the places where the text form shows them.
      high: random.next() & ~0xf000 | 0x4000, low: random.next() & ~(3 << 62) | 1 << 63,
      wallMicroseconds: nanoseconds(of: CLOCK_REALTIME) / 1000,
      beganNanoseconds: nanoseconds(of: recordsClock))
  }

  /// The UUID as text.
  package var uuid: String { uuidText(high, low) }

  private static func nanoseconds(of clock: clockid_t) -> UInt64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  // The clock that counts sleep, as events carry it.
  private static var recordsClock: clockid_t {
    #if canImport(Darwin)
      CLOCK_MONOTONIC
    #else
      CLOCK_BOOTTIME
    #endif
  }
}

extension SessionMark {
  init(_ header: staty_ring_header) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    withUnsafeBytes(of: header.session) { bytes in
      high = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
      low = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }
    self.init(
      high: high, low: low, wallMicroseconds: header.wall_us, beganNanoseconds: header.began_ns)
  }

  func write(to header: inout staty_ring_header) {
    withUnsafeMutableBytes(of: &header.session) { bytes in
      bytes.storeBytes(of: high, toByteOffset: 0, as: UInt64.self)
      bytes.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
    }
    header.wall_us = wallMicroseconds
    header.began_ns = beganNanoseconds
  }
}
