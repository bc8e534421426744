import Chance
import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Synchronization
import Testing

/// A class that several threads call, and that has a lock of its own.
///
/// `STATY_HAMMERS` says how many runs there are.
@Suite struct ProbeThreadsTests {
  private static let runs =
    ProcessInfo.processInfo.environment["STATY_HAMMERS"].flatMap { Int($0) } ?? 40
  private static let threads = 3

  /// Uploads one file at a time. The lock protects what the class holds; the probe is called inside
  /// of it or outside.
  // Sendable: `waiting` and `current` are used while the lock is held.
  private final class Uploads: @unchecked Sendable {
    let probe = ControllerProbe("uploads")
    private let lock = NSCondition()
    private let callsInside: Bool
    private var waiting: [Page] = []
    private var current: Page?

    init(callsInside: Bool) { self.callsInside = callsInside }

    private func locked(_ body: () -> Void) {
      lock.lock()
      defer { lock.unlock() }
      body()
    }

    /// Runs all that follows from a call with the lock, or without it.
    private func handle(_ body: () -> Void) {
      if callsInside { locked(body) } else { body() }
    }

    /// Changes what the class holds.
    private func change(_ body: () -> Void) {
      if callsInside { body() } else { locked(body) }
    }

    func add(_ page: Page) {
      handle {
        probe.requested(page) {
          change { waiting.append(page) }
          goOn()
        }
      }
    }

    private func goOn() {
      var next: Page?
      change {
        guard current == nil, !waiting.isEmpty else { return }
        next = waiting.removeFirst()
        current = next
      }
      guard let next else { return }
      probe.telling(.enter, next) {}
      probe.completed(.entered, next)
      probe.telling(.exit, next) {}
      probe.completed(.exited, next) {
        change { current = nil }
        goOn()
      }
    }

    func send(_ name: StaticString) {
      handle { probe.received(name) { probe.calling("delegate") {} } }
    }
  }

  private final class Counting: TransitionObserver {
    // The deliveries of one source never overlap.
    nonisolated(unsafe) var lines: [UInt64] = []
    func observe(_ event: borrowing TransitionEvent) { lines.append(event.number) }
  }

  private func hammer(_ uploads: Uploads) {
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<Self.threads {
      Thread.detachNewThread {
        for number in 0..<60 {
          uploads.add(Page())
          if number % 7 == 0 { uploads.send("tick") }
        }
        done.signal()
      }
    }
    for _ in 0..<Self.threads { done.wait() }
  }

  @Test(arguments: [true, false])
  func `calls from several threads are recorded, each once and whole`(callsInside: Bool) throws {
    for _ in 0..<Self.runs {
      let place = try Place()
      let recorder = try HistoryRecorder(at: place.path)
      let uploads = Uploads(callsInside: callsInside)
      let counting = Counting()
      uploads.probe.events.add(counting)
      recorder.attach(to: uploads.probe, as: "uploads")
      hammer(uploads)
      recorder.close()
      let statistics = recorder.statistics
      #expect(statistics.lost == 0 && statistics.stored == statistics.observed)
      #expect(counting.lines.count == Set(counting.lines).count)
      // `attached` is the first number.
      #expect(Set(counting.lines) == Set(2...statistics.observed))
      let reader = try HistoryReader(path: place.path)
      #expect(try place.firstDamage() == nil)
      let names = try reader.rows(ViewQuery("visits")).count
      #expect(names == 60 * Self.threads)
      guard callsInside else { continue }
      #expect(try HistoryCheck(reader).session(1).findings.filter { $0.severity == .error } == [])
    }
    figure(
      "\(Self.runs) runs of \(Self.threads) threads at one probe, the calls \(callsInside ? "in" : "out")side"
    )
  }

  @Test func `a recorder can be attached and detached while threads report`() throws {
    let place = try Place()
    // On a busy machine the writer gets no time for a while, and none of this is about a full ring.
    var options = RecorderOptions()
    options.eventsPerThread = 1 << 18
    let recorder = try HistoryRecorder(at: place.path, options: options)
    let uploads = Uploads(callsInside: false)
    let isOver = Atomic(false)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isOver.load(ordering: .relaxed) { hammer(uploads) }
      done.signal()
    }
    for _ in 0..<50 {
      recorder.attach(to: uploads.probe, as: "uploads")
      Thread.sleep(forTimeInterval: 0.001)
      recorder.detach(from: uploads.probe)
    }
    isOver.store(true, ordering: .relaxed)
    done.wait()
    recorder.close()
    let statistics = recorder.statistics
    #expect(statistics.stored + statistics.lost == statistics.observed)
    #expect(statistics.lost == 0)
    #expect(try place.firstDamage() == nil)
  }
}
