import CStatyRing
import Foundation
import StatyHistory
import StatyRecorder
import Testing

@Suite("Recovering a flight ring")
struct RecoveryTests {
  let directory: RingDirectory

  init() throws { directory = try RingDirectory() }

  /// The offset of the first piece's records in the file.
  private let records = 16384

  private func leave(_ body: (FlightRing) throws -> Void) throws -> FlightRing {
    let ring = try directory.ring(lanes: 2, records: 64, logBytes: 4096)
    try body(ring)
    ring.close(removingFile: false)
    return ring
  }

  @Test(
    "A recovered ring has the records that were not released, the log, the counters and the session"
  )
  func everything() throws {
    let ring = try leave { ring in
      _ = ring.put(1...80)
      let reader = RingReader(of: ring)
      reader.release(reader.drain(upTo: 10))
      #expect(ring.note([1, 2, 3], kind: 4, id: 5))
      ring.drawnCounter.pointee = 90
    }
    let before = try directory.bytes()
    let recovered = try FlightRing.recover(path: directory.file())
    #expect(try recovered.records().map(\.number) == Array(11...64))
    #expect(recovered.recordCount == 54)
    #expect(recovered.entries == [LogEntry(kind: 4, id: 5, bytes: [1, 2, 3])])
    #expect(recovered.counters == ring.counters)
    #expect(recovered.counters.droppedFull == 16)
    #expect(recovered.highestDrawn == 90)
    #expect(recovered.session == ring.session)
    #expect(recovered.options == ring.options)
    #expect(recovered.pid == getpid())
    #expect(recovered.ended == .clean)
    #expect(recovered.torn == 0)
    #expect(try directory.bytes() == before)
  }

  @Test("A record with any changed byte is dropped and counted")
  func tornRecords() throws {
    _ = try leave { _ = $0.put(1...64) }
    let sound = try directory.bytes()
    for place in 0..<64 {
      for number in [0, 63] {
        var bytes = sound
        bytes[records + number * 64 + place] ^= UInt8(1 << (place % 8))
        try directory.write(bytes)
        let recovered = try FlightRing.recover(path: directory.file())
        #expect(recovered.torn == 1, "byte \(place)")
        let expected = (1...64).filter { $0 != number + 1 }.map { UInt64($0) }
        #expect(try recovered.records().map(\.number) == expected)
      }
    }
  }

  @Test("A running reader drops a damaged record too")
  func tornWhileRecording() throws {
    let ring = try directory.ring(lanes: 2, records: 64)
    _ = ring.put(1...10)
    let descriptor = open(directory.file(), O_RDWR)
    pwrite(descriptor, [0xee as UInt8], 1, off_t(records + 3 * 64 + 20))
    close(descriptor)
    #expect(RingReader(of: ring).takeAll().map(\.number) == [1, 2, 3, 5, 6, 7, 8, 9, 10])
    #expect(ring.counters.torn == 1)
  }

  @Test("A record of an earlier position is not accepted")
  func staleLap() throws {
    let ring = try directory.ring(lanes: 2, records: 64)
    _ = ring.put(1...64)
    let firstLap = try directory.bytes()[records..<records + 64]
    _ = RingReader(of: ring).takeAll()
    _ = ring.put(65...70)
    ring.close(removingFile: false)
    var bytes = try directory.bytes()
    bytes.replaceSubrange(records..<records + 64, with: firstLap)
    try directory.write(bytes)
    let recovered = try FlightRing.recover(path: directory.file())
    #expect(try recovered.records().map(\.number) == Array(66...70))
    #expect(recovered.torn == 1)
  }

  @Test("A damaged log entry is dropped; after a damaged frame, no entry is read")
  func tornLog() throws {
    _ = try leave { ring in
      for id in 0..<3 as Range<UInt64> { #expect(ring.note([7, 7], kind: 1, id: id)) }
    }
    let sound = try directory.bytes()
    let log = sound.count - 4096
    func ids(flipping place: Int) throws -> ([UInt64], UInt64) {
      var bytes = sound
      bytes[log + place] ^= 0x10
      try directory.write(bytes)
      let recovered = try FlightRing.recover(path: directory.file())
      return (recovered.entries.map(\.id), recovered.torn)
    }
    #expect(try ids(flipping: 33) == ([1, 2], 1))
    #expect(try ids(flipping: 40 + 2) == ([0], 1))
    #expect(try ids(flipping: 40 + 9) == ([0], 1))
    #expect(try ids(flipping: 40 + 25) == ([0, 2], 1))
  }

  @Test("Impossible positions are ignored")
  func impossiblePositions() throws {
    _ = try leave { _ = $0.put(1...5) }
    let sound = try directory.bytes()
    let header = MemoryLayout<staty_ring_header>.size
    for (place, value) in [(header, 0xff as UInt8), (header + 64, 0xff), (header - 128, 0xff)] {
      var bytes = sound
      bytes[place + 6] = value
      try directory.write(bytes)
      #expect(try FlightRing.recover(path: directory.file()).torn == 1)
    }
  }

  @Test("Garbage, a truncated file and a newer layout are refused and not changed")
  func refusals() throws {
    _ = try leave { _ in }
    let sound = try directory.bytes()
    func failure(_ bytes: Data) throws -> RingError {
      try directory.write(bytes)
      let error = try ringError { _ = try FlightRing.recover(path: directory.file()) }
      #expect(try directory.bytes() == bytes)
      return error
    }
    func notARing(_ reason: String) -> RingError {
      .notARing(path: directory.file(), reason: reason)
    }
    var newer = sound
    let next = UInt8(STATY_RING_VERSION) + 1
    newer[8] = next
    #expect(try failure(newer) == .newer(version: UInt32(next), path: directory.file()))
    #expect(try failure(Data()) == notARing("it is too short"))
    #expect(
      try failure(Data(repeating: 0x41, count: 9000)) == notARing("it does not begin like a ring"))
    #expect(
      try failure(sound.dropLast()) == notARing("it is shorter than its header says"))
    for place in 12..<96 {
      var bytes = sound
      bytes[place] ^= 4
      #expect(try failure(bytes) == notARing("its header is damaged"))
    }
    #expect(
      try ringError { _ = try FlightRing.recover(path: directory.file("none")) }
        == .missing(path: directory.file("none")))
  }

  @Test("A ring of unknown origin that claims gigabytes and is nearly all holes is refused at once")
  func holes() throws {
    _ = try leave { _ = $0.put(1...5) }
    var bytes = [UInt8](try directory.bytes().prefix(Int(STATY_RING_HEAD)))
    let size = try bytes.withUnsafeMutableBytes { bytes in
      var header = bytes.loadUnaligned(as: staty_ring_header.self)
      staty_header_describe(&header, 64, 64, 1 << 22, 1 << 30)
      header.check = staty_header_check(&header)
      header.log_tail.value = 0
      header.log_head.value = 1 << 30
      bytes.storeBytes(of: header, as: staty_ring_header.self)
      for piece in 0..<64 {
        let place =
          MemoryLayout<staty_ring_header>.size + piece * MemoryLayout<staty_piece_positions>.stride
        var positions = bytes.loadUnaligned(
          fromByteOffset: place, as: staty_piece_positions.self)
        positions.tail.value = 0
        positions.head.value = 1 << 22
        bytes.storeBytes(of: positions, toByteOffset: place, as: staty_piece_positions.self)
      }
      return try #require(off_t(exactly: header.file_bytes))
    }
    try directory.write(Data(bytes))
    #expect(truncate(directory.file(), size) == 0)
    let error = try ringError { _ = try FlightRing.waiting(path: directory.file()) }
    guard case .notARing(_, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason.hasPrefix("it claims 17179869184 bytes and holds "))
  }

  @Test("A log that ends within a frame is damaged, even if its header has a valid checksum")
  func cutFrame() throws {
    _ = try leave { #expect($0.note([1, 2, 3], kind: 1, id: 1)) }
    let sound = [UInt8](try directory.bytes())
    for rest in [UInt64(8), 16, 24] {
      var bytes = sound
      bytes.withUnsafeMutableBytes { bytes in
        var header = bytes.loadUnaligned(as: staty_ring_header.self)
        header.log_head.value = header.log_tail.value + rest
        bytes.storeBytes(of: header, as: staty_ring_header.self)
      }
      try directory.write(Data(bytes))
      let left = try FlightRing.peek(path: directory.file())
      #expect(left.entries.isEmpty && left.torn == 1)
    }
  }

  @Test("A log that wraps around is read to its end")
  func wrappedLog() throws {
    let entry = { (id: UInt64) in [UInt8](repeating: UInt8(id), count: Int(id) * 7 % 500) }
    for released in [UInt64(8), 9, 20, 33] {
      let path = directory.file()
      _ = try leave { ring in
        let reader = RingReader(of: ring)
        for id in 1...released {
          #expect(ring.note(entry(id), kind: 1, id: id))
          reader.release(reader.drain(upTo: 1))
        }
        for id in UInt64(100)...110 { #expect(ring.note(entry(id), kind: 1, id: id)) }
      }
      let left = try FlightRing.peek(path: path)
      #expect(left.entries.map(\.id) == Array(UInt64(100)...110))
      #expect(left.entries.allSatisfy { $0.bytes == entry($0.id) })
      #expect(left.torn == 0)
      unlink(path)
    }
  }

  @Test("An old ring can be moved, so that a new one can be created; a ring in use cannot")
  func moving() throws {
    _ = try leave { _ = $0.put(1...5) }
    try FlightRing.moveOldRing(at: directory.file(), to: directory.file("old.ring"))
    let ring = try directory.ring()
    #expect(ring.put(record(6)) == .stored)
    #expect(
      try ringError {
        try FlightRing.moveOldRing(at: directory.file(), to: directory.file("new.ring"))
      } == .inUse(pid: getpid(), path: directory.file()))
    let recovered = try FlightRing.recover(path: directory.file("old.ring"))
    var numbers: [UInt64] = []
    try recovered.forEachBatch { numbers += $0.map(\.number) }
    #expect(numbers == Array(1...5))
    try recovered.remove(at: directory.file("old.ring"))
    #expect(try directory.names() == ["history.ring"])
  }

  @Test("Closing a ring does not remove another file at its path")
  func taken() throws {
    let first = try directory.ring()
    unlink(directory.file())
    let second = try directory.ring()
    first.close(removingFile: true)
    #expect(try directory.names() == ["history.ring"])
    second.close(removingFile: true)
    #expect(try directory.names() == [])
  }
}
