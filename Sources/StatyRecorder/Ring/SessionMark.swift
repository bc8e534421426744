internal import CStatyRing
import LibC
import Staty
import StatyText

/// The session of a ring: its UUID, its beginning and its process.
package struct SessionMark: Hashable, Sendable {
  /// The first eight bytes of the session's UUID, in the machine's byte order.
  var high: UInt64
  /// The last eight bytes.
  var low: UInt64
  /// The wall clock at the session's beginning, in microseconds since 1970.
  package var wallMicroseconds: UInt64
  /// The records' clock at the same moment, in nanoseconds.
  package var beganNanoseconds: UInt64
  /// The recording process.
  ///
  /// If it is killed before its writer begins the session, the next launch stores this.
  package var process = ProcessMark()

  package init(high: UInt64, low: UInt64, wallMicroseconds: UInt64, beganNanoseconds: UInt64) {
    self.high = high
    self.low = low
    self.wallMicroseconds = wallMicroseconds
    self.beganNanoseconds = beganNanoseconds
  }

  /// A new session that begins now.
  package static func now(_ process: ProcessMark = ProcessMark()) -> SessionMark {
    var random = SystemRandomNumberGenerator()
    var mark = SessionMark(
      // Version 4 and variant 1 of RFC 9562.
      high: random.next() & ~0xf000 | 0x4000, low: random.next() & ~(3 << 62) | 1 << 63,
      wallMicroseconds: wallMicroseconds, beganNanoseconds: EventSource.clock)
    mark.process = process
    return mark
  }

  package var uuid: String { uuidText(high, low) }

  private static var wallMicroseconds: UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
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
    process = ProcessMark(
      app: Self.text(header.app), appVersion: Self.text(header.app_version),
      os: Self.text(header.os))
  }

  private static func text<Characters: BitwiseCopyable>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static func store<Characters: BitwiseCopyable>(
    _ text: String, in characters: inout Characters
  ) {
    withUnsafeMutableBytes(of: &characters) { bytes in
      for byte in bytes.indices { bytes[byte] = 0 }
      bytes.copyBytes(from: Array(text.cut(toBytes: bytes.count).utf8))
    }
  }

  func write(to header: inout staty_ring_header) {
    withUnsafeMutableBytes(of: &header.session) { bytes in
      bytes.storeBytes(of: high, toByteOffset: 0, as: UInt64.self)
      bytes.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
    }
    header.wall_us = wallMicroseconds
    header.began_ns = beganNanoseconds
    Self.store(process.app, in: &header.app)
    Self.store(process.appVersion, in: &header.app_version)
    Self.store(process.os, in: &header.os)
  }
}
