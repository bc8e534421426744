import CStatyRing
import StatyHistory
import StatyRecorder

enum RingDoor {
  /// A ring is recovered into a sound history, and recovering it again changes nothing.
  static func open(_ bytes: [UInt8]) throws {
    var bytes = Bytes(bytes)
    let place = try Place.begun()
    let ring = place.ring + "-left"
    try makeRing(at: ring, &bytes)
    for name in ["a", "b"] {
      // Apps can ask for the last state before the ring is recovered.
      _ = try? LastStateLookup(controller: name, current: "", path: place.history).find()
    }
    guard try recover(ring, into: place) else { return }
    let first = try place.whatItSays()
    guard try recover(ring, into: place), try place.whatItSays() == first else {
      throw Broken("recovering the ring again changes the history")
    }
  }

  /// Returns whether the ring could be recovered.
  private static func recover(_ path: String, into place: Place) throws -> Bool {
    let ring: RecoveredRing
    do throws(RingError) {
      ring = try FlightRing.recover(path: path)
    } catch {
      guard !error.description.isEmpty else { throw Broken("refused without a reason") }
      return false
    }
    let writer = try HistoryWriter(path: place.history)
    let recovery = SessionRecovery(writer: writer)
    guard try recovery.recover(ring) else { return false }
    for session in try writer.sessions() {
      var lost: Int64 = 0
      for (_, count) in try writer.losses(session: session.id) { lost += count }
      guard session.observed == session.stored + lost else {
        throw Broken("\(session.observed) observed, \(session.stored) stored, \(lost) lost")
      }
    }
    try writer.close()
    return true
  }

  /// Leaves a small ring as a killed process would, with records and notes from the bytes.
  ///
  /// The bytes are not used as the file itself, because the checksums of a ring would refuse nearly every file.
  private static func makeRing(at path: String, _ bytes: inout Bytes) throws {
    let isSealed: Bool
    do {
      let mark = SessionMark(
        high: 1, low: 2, wallMicroseconds: bytes.next(), beganNanoseconds: bytes.next())
      let ring = try FlightRing(
        creatingAt: path, session: mark,
        options: RingOptions(lanes: 2, pieces: 2, records: 64, logBytes: 4096)
      )
      let choice: UInt8 = bytes.next()
      isSealed = choice & 1 == 0
      if isSealed { put(&bytes, into: ring) }
      if choice & 2 != 0 { ring.drawnCounter.pointee = bytes.next() }
    }
    if !isSealed {
      var file = try Place.read(path)
      let head = bytes.rest.prefix(file.count)
      file.replaceSubrange(0..<head.count, with: head)
      try Place.write(file, to: path)
    }
  }

  private static func put(_ bytes: inout Bytes, into ring: FlightRing) {
    while !bytes.rest.isEmpty {
      let choice: UInt8 = bytes.next()
      if choice < 128 {
        var record = RingRecord()
        record.number = bytes.next()
        record.time = bytes.next()
        record.inside = bytes.next()
        record.cause = bytes.next()
        record.controller = bytes.next()
        record.visit = bytes.next()
        record.state = bytes.next()
        record.instance = bytes.next()
        record.origin = bytes.next()
        record.site = bytes.next()
        record.kind = bytes.next()
        record.reason = bytes.next()
        record.flags = bytes.next()
        _ = ring.put(record)
      } else {
        let id: UInt64 = bytes.next()
        let length: UInt8 = bytes.next()
        _ = ring.note(bytes.take(Int(length)), kind: UInt32(choice & 7), id: id)
      }
    }
  }
}

/// Reads values from bytes, and zeros after their end.
private struct Bytes {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func next<Number: FixedWidthInteger>() -> Number {
    take(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}
