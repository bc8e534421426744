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
    private let lock = NSRecursiveLock()
    private let callsInside: Bool
    private var waiting: [Page] = []
    private var current: Page?

    init(callsInside: Bool) { self.callsInside = callsInside }

    private func exclusively(_ body: () -> Void) {
      lock.lock()
      defer { lock.unlock() }
      body()
    }

    private func report(_ body: () -> Void) {
      if callsInside { exclusively(body) } else { body() }
    }

    func add(_ page: Page) {
      report {
        probe.requested(page) {
          exclusively { waiting.append(page) }
          goOn()
        }
      }
    }

    private func goOn() {
      var next: Page?
      exclusively {
        guard current == nil, !waiting.isEmpty else { return }
        next = waiting.removeFirst()
        current = next
      }
      guard let next else { return }
      probe.telling(.enter, next) {}
      report { probe.completed(.entered, next) }
      probe.telling(.exit, next) {}
      report {
        probe.completed(.exited, next) {
          exclusively { current = nil }
          goOn()
        }
      }
    }

    func send(_ name: StaticString) {
      report { probe.received(name) { probe.calling("delegate") {} } }
    }
  }

  private final class Counting: TransitionObserver {
    // The deliveries of one source never overlap.
    nonisolated(unsafe) var lines: [UInt64] = []
    func observe(_ event: borrowing TransitionEvent) { lines.append(event.number) }
  }

  private func hammer(_ uploads: Uploads) {
    let group = DispatchGroup()
    for _ in 0..<Self.threads {
      group.enter()
      Thread.detachNewThread {
        for number in 0..<60 {
          uploads.add(Page())
          if number % 7 == 0 { uploads.send("tick") }
        }
        group.leave()
      }
    }
    group.wait()
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
    let recorder = try HistoryRecorder(at: place.path)
    let uploads = Uploads(callsInside: false)
    let isOver = Atomic(false)
    let group = DispatchGroup()
    group.enter()
    Thread.detachNewThread {
      while !isOver.load(ordering: .relaxed) { hammer(uploads) }
      group.leave()
    }
    for _ in 0..<50 {
      recorder.attach(to: uploads.probe, as: "uploads")
      Thread.sleep(forTimeInterval: 0.001)
      recorder.detach(from: uploads.probe)
    }
    isOver.store(true, ordering: .relaxed)
    group.wait()
    recorder.close()
    let statistics = recorder.statistics
    #expect(statistics.stored + statistics.lost == statistics.observed)
    #expect(statistics.lost == 0)
    #expect(try place.firstDamage() == nil)
  }
}
