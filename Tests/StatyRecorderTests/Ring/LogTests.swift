import CStatyRing
import Testing

@testable import StatyRecorder

@Suite("The byte log of a flight ring")
struct LogTests {
  let directory: RingDirectory

  init() throws { directory = try RingDirectory() }

  @Test("Entries of any length are read unchanged and in order, even when the log wraps around")
  func wrapAround() throws {
    let ring = try directory.ring(logBytes: 4096)
    let reader = RingReader(of: ring)
    for round in 0..<500 {
      let bytes = (0..<round * 7 % 1500).map { UInt8(truncatingIfNeeded: $0 + round) }
      #expect(ring.note(bytes, kind: 2, id: UInt64(round)))
      #expect(ring.note([], kind: 3, id: 0))
      let batch = reader.drain(upTo: 1)
      #expect(batch.entries.map(\.bytes) == [bytes, []])
      #expect(batch.entries.map(\.kind) == [2, 3])
      #expect(batch.entries[0].id == UInt64(round))
      reader.release(batch)
    }
  }

  @Test("A full log refuses and counts entries, and accepts them again after a release")
  func full() throws {
    let ring = try directory.ring(logBytes: 4096)
    let stored = (0..<100).count { ring.note([UInt8](repeating: 1, count: 96), kind: 1, id: $0) }
    #expect(stored == 4096 / 128)
    #expect(ring.counters.droppedLogFull == 100 - 32)
    let reader = RingReader(of: ring)
    let batch = reader.drain(upTo: 1)
    #expect(batch.entries.map(\.id) == Array(0..<32))
    reader.release(batch)
    #expect(ring.note([1], kind: 1, id: 1))
    #expect(!ring.note([UInt8](repeating: 1, count: 4096), kind: 1, id: 1))
  }

  @Test("Notes of later records are kept, at least their newest half, and released afterwards")
  func kept() throws {
    let ring = try directory.ring(logBytes: 4096)
    let reader = RingReader(of: ring)
    func note(_ ids: Range<UInt64>) {
      for id in ids { #expect(ring.note([UInt8](repeating: 1, count: 96), kind: 1, id: id)) }
    }
    func left() throws -> [UInt64] { try FlightRing.peek(path: directory.file()).entries.map(\.id) }
    // In one batch, and more than half of the log.
    note(0..<30)
    reader.release(reader.drain(upTo: 1), keepingNotes: true)
    #expect(try left() == Array(14..<30))
    #expect(reader.drain(upTo: 1).isEmpty)
    note(30..<32)
    #expect(reader.drain(upTo: 1).entries.map(\.id) == [30, 31])
    reader.release(reader.drain(upTo: 1), keepingNotes: true)
    #expect(try left() == Array(16..<32))
    reader.releaseNotes()
    #expect(try left() == [])
    note(32..<64)
    #expect(reader.drain(upTo: 1).entries.count == 32)
  }

  @Test("Of threads that note at the same time, every lost entry is counted")
  func manyThreads() throws {
    let ring = try directory.ring(lanes: 8, logBytes: 1 << 20)
    let threads = (0..<6).map { thread in
      JoinableThread {
        (0..<500).count { ring.note(Array("\(thread)-\($0)".utf8), kind: 1, id: UInt64($0)) }
      }
    }
    let stored = threads.reduce(0) { $0 + $1.join() }
    let batch = RingReader(of: ring).drain(upTo: 1)
    #expect(batch.entries.count == stored)
    #expect(batch.torn == 0)
    #expect(UInt64(stored) + ring.counters.droppedLogBusy == 3000)
  }

  @Test("A note is never drained after a record that was put later")
  func notedFirst() throws {
    let ring = try directory.ring(lanes: 3, records: 64, logBytes: 1 << 16)
    let producer = JoinableThread {
      for number in 1...5000 as ClosedRange<UInt64> {
        var made = record(number)
        made.flags = ring.note([1, 2, 3], kind: 1, id: number) ? 1 : 0
        _ = ring.put(made)
      }
    }
    let reader = RingReader(of: ring)
    var noted: Set<UInt64> = []
    while ring.counters.released + ring.counters.dropped < 5000 {
      let batch = reader.drain(upTo: 16)
      noted.formUnion(batch.entries.map(\.id))
      for record in batch.records where record.flags == 1 { #expect(noted.contains(record.number)) }
      reader.release(batch)
    }
    producer.join()
  }
}
