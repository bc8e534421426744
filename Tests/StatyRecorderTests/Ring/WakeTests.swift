import CStatyRing
import Chance
import Foundation
import StatyRecorder
import Synchronization
import Testing

@Suite("Waking the reader of a flight ring")
struct WakeTests {
  let directory: RingDirectory

  init() throws { directory = try RingDirectory() }

  // A park without a wake-up would last an hour. The watchdog ends the wait, so that a missed
  // wake-up fails the test instead of hanging it.
  private let hour = Duration.seconds(3600)

  private static let parks = UInt64(20_000 * sweep)

  @Test("No wake-up is missed, however often the reader parks")
  func stress() throws {
    let ring = try directory.ring(lanes: 4, records: 64)
    let taken = Atomic<UInt64>(0)
    let missed = Atomic(false)
    let ended = Atomic(false)
    let watchdog = JoinableThread {
      var last: UInt64 = 0
      while !ended.load(ordering: .relaxed) {
        sleep(2)
        let now = taken.load(ordering: .relaxed)
        if now == last, !ended.load(ordering: .relaxed) {
          missed.store(true, ordering: .relaxed)
          ring.wake()
        }
        last = now
      }
    }
    // Puts one record at a time, after the reader took the one before. So the puts come at all moments before the
    // reader's sleep.
    let producer = JoinableThread {
      for number in 1...Self.parks {
        _ = ring.put(record(number))
        while taken.load(ordering: .acquiring) < number, !missed.load(ordering: .relaxed) {
          for _ in 0..<number % 64 { pause() }
        }
      }
    }
    let reader = RingReader(of: ring)
    while taken.load(ordering: .relaxed) < Self.parks, !missed.load(ordering: .relaxed) {
      let batch = reader.drain(upTo: 16)
      reader.release(batch)
      taken.add(UInt64(batch.records.count), ordering: .releasing)
      if batch.isEmpty { reader.park(atMost: hour) }
    }
    ended.store(true, ordering: .relaxed)
    producer.join()
    watchdog.join()
    let wasMissed = missed.load(ordering: .relaxed)
    let count = taken.load(ordering: .relaxed)
    #expect(!wasMissed)
    #expect(count == Self.parks)
  }

  @Test("A log that is filling ends a rest")
  func fillingLog() throws {
    let ring = try directory.ring(logBytes: 4096)
    let reader = RingReader(of: ring)
    let isAwake = Atomic(false)
    let producer = JoinableThread {
      var number: UInt64 = 0
      while !isAwake.load(ordering: .relaxed) {
        number += 1
        _ = ring.note([UInt8](repeating: 1, count: 96), kind: 1, id: number)
        usleep(1_000)
      }
    }
    reader.rest(atMost: hour)
    isAwake.store(true, ordering: .relaxed)
    producer.join()
    #expect(reader.drain(upTo: 1).entries.count > 16)
  }

  @Test("A ring is filling when half of its pieces or of its log are full, until that is released")
  func filling() throws {
    let ring = try directory.ring(lanes: 2, pieces: 8, records: 64)
    let reader = RingReader(of: ring)
    _ = ring.put(1...128)
    #expect(!reader.isFilling)
    _ = ring.put(129...257)
    #expect(reader.isFilling)
    #expect(reader.takeAll().count == 257)
    #expect(!reader.isFilling)
    for id in 0..<16 as Range<UInt64> {
      #expect(ring.note([UInt8](repeating: 1, count: 96), kind: 1, id: id))
    }
    #expect(!reader.isFilling)
    for id in 16..<24 as Range<UInt64> {
      #expect(ring.note([UInt8](repeating: 1, count: 96), kind: 1, id: id))
    }
    #expect(reader.isFilling)
    #expect(reader.takeAll().isEmpty)
    #expect(!reader.isFilling)
  }

  @Test("Parking returns at once while records are not released")
  func unreleased() throws {
    let ring = try directory.ring()
    let reader = RingReader(of: ring)
    _ = ring.put(record(1))
    reader.park(atMost: hour)
    _ = reader.takeAll()
    #expect(ring.note([1], kind: 1, id: 1))
    reader.park(atMost: hour)
  }

  @Test("A wake-up before a wait ends the wait")
  func wokenBefore() throws {
    let ring = try directory.ring()
    let reader = RingReader(of: ring)
    ring.wake()
    reader.park(atMost: hour)
    ring.wake()
    reader.rest(atMost: hour)
  }

  @Test("A wake-up from another thread ends a rest, and so does a half full lane")
  func resting() throws {
    let ring = try directory.ring(records: 64)
    let reader = RingReader(of: ring)
    let waker = JoinableThread {
      usleep(20_000)
      ring.wake()
    }
    reader.rest(atMost: hour)
    waker.join()
    let isAwake = Atomic(false)
    let producer = JoinableThread {
      var number: UInt64 = 0
      while !isAwake.load(ordering: .relaxed) {
        number += 1
        _ = ring.put(record(number))
        usleep(100)
      }
    }
    reader.rest(atMost: hour)
    isAwake.store(true, ordering: .relaxed)
    producer.join()
    #expect(reader.takeAll().count >= 32)
  }

  @Test("A wake-up ends a pause, a full lane does not")
  func pausing() throws {
    let ring = try directory.ring(records: 64)
    let reader = RingReader(of: ring)
    let isOver = Atomic(false)
    let producer = JoinableThread {
      var number: UInt64 = 0
      while !isOver.load(ordering: .relaxed) {
        number += 1
        _ = ring.put(record(number))
      }
    }
    while ring.counters.droppedFull == 0 { usleep(100) }
    // It may return early, but not each time.
    let lasted = (1...20).contains { _ in
      let began = ContinuousClock.now
      reader.pause(atMost: .milliseconds(5))
      return ContinuousClock.now - began >= .milliseconds(5)
    }
    isOver.store(true, ordering: .relaxed)
    producer.join()
    #expect(lasted)
    ring.wake()
    reader.pause(atMost: hour)
  }

  @Test("A wait ends when its time is over")
  func timeout() throws {
    let reader = RingReader(of: try directory.ring())
    reader.park(atMost: .milliseconds(1))
    reader.rest(atMost: .milliseconds(1))
    reader.park(atMost: .zero)
  }

  private func pause() { sched_yield() }
}
