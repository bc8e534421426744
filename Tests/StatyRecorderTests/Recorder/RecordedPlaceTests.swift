import Staty
import StatyHistory
import StatyReading
import Testing

@testable import StatyRecorder

/// The places of events, from the thread through the ring to the file.
@Suite struct RecordedPlaceTests {
  private let place: Place

  init() throws {
    place = try Place()
  }

  private var lines: [String] {
    get throws {
      try place.query(
        """
        SELECT seq, kind, state, cause, inside, part FROM history
        WHERE kind NOT IN ('attached', 'detached') ORDER BY seq
        """)
    }
  }

  @Test func `an output has its place in the controller's work, and the input that caused it`()
    throws
  {
    let recorder = try HistoryRecorder(at: place.path)
    let page = Page()
    let controller = StateController<Page>()
    controller.bind(to: page)
    recorder.attach(to: controller, as: "checkout")
    controller.transition(to: Instant("a"))
    controller.transition(to: Instant("b"), priority: 3)
    recorder.close()
    #expect(
      try lines == [
        "2|enqueued|a|||", "3|entering|a|2|2|handled", "4|entered|a|3|3|performed",
        "5|enqueued|b|||", "6|exiting|a|5|5|handled", "7|exited|a|6|6|performed",
        "8|entering|b|7|5|handled", "9|entered|b|8|8|performed",
      ])
    #expect(
      try place.query("SELECT state FROM history WHERE priority = 3") == ["b"])
    #expect(try place.firstDamage() == nil)
  }

  @Test func `requests by an observer, in a bracketed call and in a step have different places`()
    throws
  {
    let recorder = try HistoryRecorder(at: place.path)
    let probe = ControllerProbe("own")
    recorder.attach(to: probe, as: "own")
    let observer = Observer { event in
      if event.kind == .enqueued { probe.cancelled(.all) }
    }
    probe.events.add(observer)
    var steps: [() -> Void] = []
    probe.requested(Page(), named: "a") {
      let answer = probe.calling("delegate") {
        probe.cancelled(.all)
        return "answer"
      }
      #expect(answer == "answer")
      steps.append(probe.deferred {})
      steps.append(probe.deferred {})
    }
    for step in steps.reversed() { step() }
    withExtendedLifetime(observer) { recorder.close() }
    #expect(
      try lines == [
        "2|enqueued|a|||", "3|cancelled||2|2|observed", "4|calling|delegate|2|2|handled",
        "5|cancelled||4|4|called", "6|resumed||2||", "7|resumed||2||",
      ])
    #expect(try place.query("SELECT seq, step FROM detail WHERE step > 0") == ["6|2", "7|1"])
    #expect(try place.firstDamage() == nil)
  }

  @Test func `what was made before a controller is detached is recorded, delivered or not`()
    throws
  {
    let recorder = try HistoryRecorder(at: place.path)
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "checkout")
    let observer = Observer { event in
      guard event.kind == .enqueued, event.state == "first" else { return }
      for name in ["second", "third"] as [StateName] { controller.transition(to: Instant(name)) }
      recorder.detach(from: controller)
    }
    controller.events.add(observer)
    controller.transition(to: Instant("first"))
    try recorder.flush()
    let statistics = recorder.statistics
    #expect(statistics.observed == 5 && statistics.stored == 5)
    #expect(statistics.lost == 0 && statistics.inFlight == 0)
    withExtendedLifetime(observer) { recorder.close() }
    #expect(
      try place.query("SELECT kind, state FROM history") == [
        "attached|", "enqueued|first", "enqueued|second", "enqueued|third", "detached|",
      ])
    #expect(try place.unaccounted() == ["0"])
  }

  @Test(arguments: [1, UInt64(UInt32.max), UInt64(UInt32.max) + 1, 1 << 40])
  func `a place that is too far away for a record is unknown`(_ distance: UInt64) {
    let number: UInt64 = 1 << 41
    let place = RingPlace(of: number, inside: EventPlace(number - distance, .called))
    let fits = distance <= UInt32.max
    #expect(place.distance == (fits ? UInt32(distance) : 0))
    #expect(place.flags == (fits ? 12 : 0))
    #expect(RingPlace(of: 1, inside: .root).distance == 0)
    // A number from another numbering may be larger.
    #expect(RingPlace(of: 5, inside: EventPlace(6, .handled)).distance == 0)
  }

  private final class Observer: TransitionObserver {
    private let act: (TransitionEvent) -> Void
    init(_ act: @escaping (TransitionEvent) -> Void) { self.act = act }
    func observe(_ event: borrowing TransitionEvent) { act(copy event) }
  }
}
