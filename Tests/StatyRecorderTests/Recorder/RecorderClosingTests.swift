import Foundation
import Staty
import StatyReading
import StatyRecorder
import Synchronization
import Testing

/// Events after or during closing, and from threads that have ended.
@Suite struct RecorderClosingTests {
  @Test func `events after close are counted as lost, and the controller keeps working`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let page = Page()
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "checkout")
    controller.bind(to: page)
    recorder.mark("before")
    recorder.close()
    let atClose = recorder.statistics
    #expect(atClose.observed == atClose.stored)
    recorder.mark("after")
    controller.transition(to: Instant("loading"))
    #expect(controller.events.snapshot.standing.standing.first?.request.state == "loading")
    let statistics = recorder.statistics
    #expect(statistics.observed > atClose.observed)
    #expect(statistics.observed == statistics.stored + statistics.lost)
    #expect(statistics.stored == atClose.stored)
    #expect(try place.query("SELECT events, lost FROM sessions") == ["\(atClose.stored)|0"])
  }

  @Test func `after a close that failed, what has come since is no loss`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    try recorder.flush()
    recorder.mark("last")
    try place.whileLocked { recorder.close() }
    #expect(try place.query("SELECT events FROM sessions") == ["1"])
    #expect(FlightRing.end(path: place.path + "-ring")?.isClosed == true)
    for _ in 0..<10 { recorder.mark("after") }
    let next = try HistoryRecorder(at: place.path)
    next.close()
    #expect(
      try place.query("SELECT events, lost, ended FROM sessions WHERE session = 1") == ["2|0|clean"]
    )
    #expect(try place.firstDamage() == nil)
    withExtendedLifetime(recorder) {}
  }

  @Test func `a request to a closed recorder is refused at once`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.close()
    recorder.close()
    for ask in [{ try recorder.flush() }, { try recorder.suspend() }] as [() throws -> Void] {
      let error = #expect(throws: RecorderError.self) { try ask() }
      #expect(error?.description.contains("the recorder is closed") == true)
    }
    recorder.resume()
  }

  @Test func `closing while threads record stores or counts each of their events`() throws {
    for _ in 0..<5 {
      let place = try Place()
      let recorder = try HistoryRecorder(at: place.path)
      let isOver = Flag()
      let threads = (0..<3).map { _ in
        JoinableThread { () -> Int in
          var acknowledged = 0
          while !isOver.isSet {
            recorder.mark("note")
            acknowledged += 1
          }
          return acknowledged
        }
      }
      while recorder.statistics.observed < 1_000 { Thread.sleep(forTimeInterval: 0.001) }
      let start = ContinuousClock.now
      recorder.close()
      isOver.set()
      let told = threads.reduce(0) { $0 + $1.join() }
      // Closing gives up after half a minute; then the writer goes on, and nothing can be compared yet.
      if start.duration(to: .now) >= .seconds(30) { continue }
      let statistics = recorder.statistics
      #expect(statistics.observed == UInt64(told))
      #expect(statistics.observed == statistics.stored + statistics.lost + statistics.queued)
      let file = try place.query("SELECT events FROM sessions")
      #expect(file == ["\(statistics.stored)"])
      // The next recorder recovers the events that closing had no time for.
      let next = try HistoryRecorder(at: place.path)
      try next.flush()
      next.close()
      let brought = try place.query("SELECT events FROM sessions ORDER BY session LIMIT 1")
      #expect(brought == ["\(statistics.stored + statistics.queued)"])
      #expect(try place.unaccounted() == ["0", "0"])
      #expect(try place.rings() == [])
    }
  }

  @Test func `a recorder can be closed while eight threads record, attach and detach`() throws {
    for isClosedEarly in [false, true] {
      let place = try Place()
      let recorder = try HistoryRecorder(at: place.path)
      let threads = (0..<8).map { number in
        JoinableThread { () -> Int in
          for round in 0..<40 {
            let page = Page()
            let controller = StateController<Page>()
            recorder.attach(to: controller, as: "screen \(number)")
            controller.bind(to: page)
            for _ in 0..<5 { controller.transition(to: Instant("content")) }
            recorder.mark("round \(round)")
            // Some are released while they are recorded.
            if round % 3 != 0 { recorder.detach(from: controller) }
          }
          return number
        }
      }
      if isClosedEarly {
        while recorder.statistics.observed < 500 { Thread.sleep(forTimeInterval: 0.001) }
        recorder.close()
      }
      #expect(threads.map { $0.join() } == Array(0..<8))
      recorder.close()
      let statistics = recorder.statistics
      #expect(statistics.observed == statistics.stored + statistics.lost + statistics.queued)
      if !isClosedEarly {
        #expect(statistics.lost == 0)
        #expect(
          try place.query("SELECT count(*) FROM history WHERE kind = 'enqueued'")
            == ["\(8 * 40 * 5)"])
        #expect(
          try place.query("SELECT kind, count(*) FROM history WHERE kind LIKE '%tached' GROUP BY 1")
            == ["attached|320", "detached|320"])
      }
      let next = try HistoryRecorder(at: place.path)
      next.close()
      #expect(try place.unaccounted() == ["0", "0"])
      #expect(try place.firstDamage() == nil)
    }
  }

  @Test func `the statistics never count an event twice`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let isOver = Flag()
    let producer = JoinableThread {
      for number in 1... {
        recorder.mark("note")
        if number.isMultiple(of: 100) { usleep(200) }
        if isOver.isSet { return number }
      }
      return 0
    }
    for _ in 0..<200_000 {
      let statistics = recorder.statistics
      let known = statistics.stored + statistics.lost + statistics.queued
      if known > statistics.observed {
        Issue.record("\(statistics)")
        break
      }
    }
    isOver.set()
    let told = producer.join()
    recorder.close()
    let statistics = recorder.statistics
    #expect(statistics.stored + statistics.lost == UInt64(told))
    #expect(try place.unaccounted() == ["0"])
  }

  @Test func `releasing a recorder closes it, and its controllers can be attached to another`()
    throws
  {
    let place = try Place()
    let page = Page()
    let controller = StateController<Page>()
    controller.bind(to: page)
    do {
      let recorder = try HistoryRecorder(at: place.path)
      recorder.attach(to: controller, as: "first")
    }
    controller.transition(to: Instant("not recorded"))
    let second = try HistoryRecorder(at: place.path)
    second.attach(to: controller, as: "second")
    controller.transition(to: Instant("seen"))
    second.close()
    #expect(
      try place.query("SELECT session, ended FROM sessions ORDER BY session")
        == ["1|clean", "2|clean"])
    #expect(
      try place.query("SELECT DISTINCT session, controller FROM history ORDER BY session")
        == ["1|first", "2|second"])
    #expect(
      try place.query("SELECT count(*) FROM history WHERE state = 'seen' AND kind = 'entered'")
        == ["1"])
    #expect(try place.unaccounted() == ["0", "0"])
  }

  @Test func `an observer may detach its controller or close the recorder during an event`() throws
  {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let page = Page()
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "checkout")
    controller.bind(to: page)
    var events = 0
    let observer = Observer { kind in
      events += 1
      if kind == .entering { recorder.detach(from: controller) }
      if kind == .entered { recorder.close() }
    }
    controller.events.add(observer)
    controller.transition(to: Instant("loading"))
    controller.transition(to: Instant("content"))
    controller.events.remove(observer)
    #expect(events == 8)
    #expect(
      try place.query("SELECT kind FROM history ORDER BY seq")
        == ["attached", "resumed", "enqueued", "entering", "detached"])
    let statistics = recorder.statistics
    #expect(statistics.observed == statistics.stored + statistics.lost)
    #expect(try place.unaccounted() == ["0"])
  }

  @Test func `thousands of threads with one event each lose nothing`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    for round in 0..<250 {
      let threads = (0..<8).map { number in
        JoinableThread { recorder.mark("thread \(round * 8 + number)") }
      }
      for thread in threads { thread.join() }
    }
    recorder.close()
    let statistics = recorder.statistics
    #expect(statistics.observed == 2_000)
    #expect(statistics.stored == 2_000)
    #expect(try place.query("SELECT count(DISTINCT note) FROM detail") == ["2000"])
    #expect(try place.unaccounted() == ["0"])
  }

  @Test func `if the file stays locked during close, the next recorder recovers the events`() throws
  {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    try recorder.flush()
    try place.whileLocked {
      recorder.mark("kept in the ring")
      recorder.close()
      #expect(recorder.statistics.queued == 1)
    }
    try HistoryRecorder(at: place.path).close()
    #expect(try place.query("SELECT note FROM detail") == ["kept in the ring"])
    #expect(try place.query("SELECT events, lost FROM sessions") == ["1|0", "0|0"])
  }
}

final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}

private final class Observer: TransitionObserver {
  private let body: (TransitionEvent.Kind) -> Void
  init(_ body: @escaping (TransitionEvent.Kind) -> Void) { self.body = body }
  func observe(_ event: borrowing TransitionEvent) { body(event.kind) }
}
