import CStatyRing
import Foundation
import Staty
import StatyRecorder
import Testing

@Suite("Lanes of a flight ring")
struct LaneTests {
  let directory: RingDirectory

  init() throws { directory = try RingDirectory() }

  @Test("A thread's records are read in order and unchanged")
  func order() throws {
    let ring = try directory.ring()
    #expect(ring.put(1...40).allSatisfy { $0 == .stored })
    let taken = RingReader(of: ring).takeAll()
    #expect(taken.map(\.number) == Array(1...40))
    #expect(taken.map(\.time) == (1...40).map { $0 * 10 })
    #expect(Set(taken.map(\.thread)) == [1])
  }

  @Test("When a lane's piece is full, further records are dropped and counted")
  func capacity() throws {
    let ring = try directory.ring(records: 64)
    let outcomes = ring.put(1...100)
    #expect(outcomes.prefix(64).allSatisfy { $0 == .stored })
    #expect(outcomes.dropFirst(64).allSatisfy { $0 == .full })
    #expect(ring.counters.droppedFull == 36)
    #expect(ring.counters.highestDrawn == 100)
    #expect(RingReader(of: ring).takeAll().map(\.number) == Array(1...64))
    #expect(ring.counters.released == 64)
  }

  @Test("Releasing a batch makes room, draining does not")
  func release() throws {
    let ring = try directory.ring(records: 4)
    let reader = RingReader(of: ring)
    _ = ring.put(1...4)
    let batch = reader.drain(upTo: 100)
    #expect(ring.put(record(5)) == .full)
    #expect(reader.drain(upTo: 100).records.map(\.number) == [1, 2, 3, 4])
    reader.release(batch)
    #expect(ring.put(record(6)) == .stored)
    reader.release(batch)
    #expect(reader.takeAll().map(\.number) == [6])
  }

  @Test("A lane can get all pieces except one for each other lane")
  func piecesOfOneLane() throws {
    let ring = try directory.ring(lanes: 3, pieces: 8, records: 16)
    let outcomes = ring.put(1...120)
    #expect(outcomes.prefix(6 * 16).allSatisfy { $0 == .stored })
    #expect(outcomes.dropFirst(6 * 16).allSatisfy { $0 == .full })
    #expect(ring.counters.droppedFull == 24)
    onThread { #expect(ring.put(record(121)) == .stored) }
    let reader = RingReader(of: ring)
    #expect(reader.takeAll().map(\.number) == Array(1...96) + [121])
    // A lane keeps its last piece until it gets another.
    #expect(ring.put(122...201).allSatisfy { $0 == .stored })
    #expect(reader.takeAll().map(\.number) == Array(122...201))
  }

  @Test("Threads that need room before the ring is ready prepare it themselves")
  func notReady() throws {
    let ring = try FlightRing(
      creatingAt: directory.file(),
      options: RingOptions(lanes: 6, pieces: 12, records: 16, logBytes: 1 << 16))
    var status = stat()
    #expect(lstat(directory.file(), &status) == 0)
    #expect(Int(status.st_blocks) * 512 < Int(status.st_size))
    let threads = (0..<4).map { _ in Hand(isOwn: false) }
    defer { for thread in threads { thread.end() } }
    for (index, thread) in threads.enumerated() {
      let first = UInt64(20 * index + 1)
      let outcomes = thread.run { ring.put(first...first + 19) }
      #expect(outcomes.allSatisfy { $0 == .stored })
    }
    #expect(ring.note([UInt8](repeating: 1, count: 40_000), kind: 1, id: 1))
    let taken = RingReader(of: ring).takeAll()
    #expect(taken.map(\.number) == Array(1...80))
    #expect(Set(taken.map(\.thread)) == [1, 2, 3, 4])
    #expect(ring.counters.dropped == 0)
  }

  @Test("Until the ring is ready, only the first part of the log is used")
  func logNotReady() throws {
    let ring = try FlightRing(
      creatingAt: directory.file(), options: RingOptions(lanes: 2, pieces: 2, logBytes: 1 << 17))
    for id in UInt64(1)...120 {
      #expect(ring.note([UInt8](repeating: UInt8(id), count: 1_000), kind: 1, id: id))
    }
    let entries = RingReader(of: ring).drain(upTo: 1).entries
    #expect(entries.map(\.id) == Array(1...120))
    #expect(entries.allSatisfy { $0.bytes == [UInt8](repeating: UInt8($0.id), count: 1_000) })
    #expect(ring.counters.droppedLogFull == 0)
  }

  @Test("A lane wraps around any number of times")
  func wrapAround() throws {
    let ring = try directory.ring(lanes: 1, pieces: 4, records: 4)
    let reader = RingReader(of: ring)
    var expected: UInt64 = 1
    for round in 0..<200 {
      let last = expected + UInt64(round % 8)
      #expect(ring.put(expected...last).allSatisfy { $0 == .stored })
      #expect(reader.takeAll().map(\.number) == Array(expected...last))
      expected = last + 1
    }
    #expect(ring.counters.dropped == 0)
    #expect(ring.counters.released == expected - 1)
  }

  @Test("A lane that was given its own piece again is read to the end")
  func samePieceAgain() throws {
    let ring = try directory.ring(lanes: 3, pieces: 4, records: 2)
    let reader = RingReader(of: ring)
    let others = [Hand(), Hand()]
    defer { for other in others { other.end() } }
    func take(_ count: Int) -> [UInt64] {
      let batch = reader.drain(upTo: count)
      reader.release(batch)
      return batch.records.map(\.number)
    }
    _ = ring.put(1...2)
    // The other thread gets as many pieces as it may have, and a third one the last.
    #expect(others[0].run { ring.put(3...6) } == Array(repeating: .stored, count: 4))
    #expect(others[1].run { ring.put(7...7) } == [.stored])
    #expect(take(2) == [1, 2])
    #expect(ring.put(8...9) == [.stored, .stored])
    #expect(take(6) == [3, 4, 5, 6, 7, 8])
    #expect(ring.put(10...11) == [.stored, .stored])
    #expect(take(10) == [9, 10, 11])
    #expect(ring.counters.dropped == 0)
  }

  @Test("Records of several lanes are read in the order of their numbers")
  func merging() throws {
    let ring = try directory.ring()
    for number in [1, 3, 4, 7] as [UInt64] { _ = ring.put(record(number)) }
    onThread { for number in [2, 5] as [UInt64] { _ = ring.put(record(number)) } }
    onThread { for number in [6, 8] as [UInt64] { _ = ring.put(record(number)) } }
    #expect(RingReader(of: ring).takeAll().map(\.number) == Array(1...8))
  }

  @Test("The lane of an ended thread is reused with another thread number")
  func reuse() throws {
    let ring = try directory.ring(lanes: 2, records: 256)
    for number in 1...100 as ClosedRange<UInt64> {
      onThread { #expect(ring.put(record(number)) == .stored) }
    }
    let taken = RingReader(of: ring).takeAll()
    #expect(taken.map(\.number) == Array(1...100))
    #expect(taken.map(\.thread) == Array(1...100))
    #expect(ring.counters.droppedWithoutLane == 0)
  }

  @Test("More threads than lanes: everything is stored or counted as dropped")
  func manyThreads() throws {
    let ring = try directory.ring(lanes: 4, records: 4096)
    let threads = (0..<12).map { thread in
      JoinableThread {
        (0..<1000).count { _ in ring.put(record(ring.numbering.next())) == .stored }
      }
    }
    let stored = threads.reduce(0) { $0 + $1.join() }
    let taken = RingReader(of: ring).takeAll()
    #expect(taken.count == stored)
    #expect(Set(taken.map(\.number)).count == stored)
    #expect(UInt64(stored) + ring.counters.dropped == 12_000)
    #expect(ring.counters.highestDrawn == 12_000)
  }

  @Test("During draining, no record whose put returned is lost, and lanes keep their order")
  func concurrentDraining() throws {
    let ring = try directory.ring(lanes: 5, records: 256)
    let threads = (0..<4).map { _ in
      JoinableThread {
        (0..<20_000).reduce(into: [UInt64]()) { stored, _ in
          let number = ring.numbering.next()
          if ring.put(record(number)) == .stored { stored.append(number) } else { usleep(50) }
        }
      }
    }
    let reader = RingReader(of: ring)
    var taken: [RingRecord] = []
    while ring.counters.released + ring.counters.dropped < 80_000 { taken += reader.takeAll() }
    let acknowledged = threads.map { $0.join() }
    #expect(taken.map(\.number).sorted() == acknowledged.flatMap { $0 }.sorted())
    let byThread = Dictionary(grouping: taken, by: \.thread).values.map { $0.map(\.number) }
    // A thread may have stored nothing, if it got the full lane of an ended thread.
    #expect(Set(byThread) == Set(acknowledged.filter { !$0.isEmpty }))
    #expect(ring.counters.torn == 0)
  }

  @Test("A thread can use several rings in turn, even after one of them was closed")
  func severalRings() throws {
    let other = try RingDirectory()
    let first = try directory.ring()
    var second: FlightRing? = try other.ring()
    for number in 1...20 as ClosedRange<UInt64> {
      #expect(first.put(record(number)) == .stored)
      #expect(second!.put(record(number + 100)) == .stored)
    }
    #expect(RingReader(of: second!).takeAll().map(\.number) == Array(101...120))
    second!.close(removingFile: true)
    second = nil
    let third = try other.ring()
    #expect(third.put(record(1)) == .stored)
    #expect(first.put(record(21)) == .stored)
    #expect(RingReader(of: first).takeAll().map(\.number) == Array(1...21))
  }

  @Test("A closed ring accepts no records")
  func closed() throws {
    let ring = try directory.ring()
    #expect(ring.put(record(1)) == .stored)
    ring.close(removingFile: false)
    #expect(ring.put(record(2)) == .dead)
    #expect(!ring.note([1], kind: 1, id: 1))
    #expect(RingReader(of: ring).takeAll().map(\.number) == [1])
  }

  @Test("Touching pages ahead does not change their content")
  func touching() throws {
    let ring = try directory.ring(records: 1024)
    let reader = RingReader(of: ring)
    _ = ring.put(1...500)
    let before = try directory.bytes()
    reader.touchAhead(pieces: 64)
    #expect(try directory.bytes() == before)
  }
}
