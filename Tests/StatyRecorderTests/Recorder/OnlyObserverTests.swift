import Chance
import Staty
import StatyRecorder
import Testing

/// While a recorder is the only observer, it gets most events in a faster way.
@Suite struct OnlyObserverTests {
  @Test(arguments: 0..<24)
  func `a recorder stores the same events with and without another observer`(round: Int) throws {
    let seed = testSeed &+ UInt64(round)
    let alone = try Scene(seed: seed, hasOther: false).stored()
    #expect(alone.count > 50, "seed \(seed)")
    #expect(try Scene(seed: seed, hasOther: true).stored() == alone, "seed \(seed)")
  }

  @Test func `adding and removing an observer does not change the stored events`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let page = Page()
    let controller = StateController<Page>()
    controller.bind(to: page)
    recorder.attach(to: controller, as: "checkout")
    let other = Other()
    controller.transition(to: Instant("alone"))
    controller.events.add(other)
    controller.transition(to: Instant("two"))
    controller.events.remove(other)
    controller.transition(to: Instant("alone again"))
    recorder.close()
    #expect(
      try place.query("SELECT seq, visit, kind, cause, inside FROM history ORDER BY seq") == [
        "1||attached||", "2|1|enqueued||", "3|1|entering|2|2", "4|1|entered|3|3",
        "5|2|enqueued||", "6|1|exiting|5|5", "7|1|exited|6|6", "8|2|entering|7|5",
        "9|2|entered|8|8",
        "10|3|enqueued||", "11|2|exiting|10|10", "12|2|exited|11|11", "13|3|entering|12|10",
        "14|3|entered|13|13",
      ])
    #expect(other.count == 5)
  }
}

private final class Other: TransitionObserver {
  private(set) var count = 0
  func observe(_ event: borrowing TransitionEvent) { count += 1 }
}

/// A controller with random requests, a track with random messages and moves, and a recorder.
private struct Scene {
  private let place: Place
  private let recorder: HistoryRecorder
  private let controller: StateController<Page>
  private let page = Page()
  private let track = StateTrack("feed", Word.idle)
  private let other = Other()
  private let states: [Moody]

  init(seed: UInt64, hasOther: Bool) throws {
    place = try Place()
    recorder = try HistoryRecorder(at: place.path)
    controller =
      switch seed % 6 {
      case 0: StateController(policy: .queue)
      case 1: StateController(policy: .latest)
      case 2: StateController(policy: .coalesce)
      case 3: StateController(policy: .priority)
      case 4: StateController(policy: .reject)
      default: StateController(policy: .immediate)
      }
    let random = Source(seed: seed)
    states = (0..<5).map { Moody($0, random) }
    recorder.attach(to: controller, as: "checkout")
    recorder.attach(to: track, as: "feed")
    if hasOther {
      controller.events.add(other)
      track.events.add(other)
    }
    controller.bind(to: page)
    for state in states { state.controller = controller }
    for _ in 0..<60 { step(random) }
    for state in states { state.controller = nil }
  }

  private func step(_ random: Source) {
    let state = states[random.below(states.count)]
    switch random.below(11) {
    case 8: track.moved(to: Word.allCases[random.below(3)])
    case 9:
      track.received("tap", answering: random.question) { controller.transition(to: state) }
    case 10:
      track.received(Told.value(random.below(9))) {
        random.question = MessageOrigin.current
        track.moved(to: Word.allCases[random.below(3)])
        track.received("next") {}
      }
    case 0: state.visit?.entered()
    case 1, 2: state.visit?.exited()
    case 3: if let visit = state.visit { controller.cancel(visit.number) }
    case 4: controller.transition(to: state, priority: Int32(random.below(3)))
    default: controller.transition(to: state)
    }
  }

  /// The stored events without times and threads.
  func stored() throws -> [String] {
    controller.tearDown()
    recorder.close()
    return try place.query(
      """
      SELECT seq, controller, visit, state, kind, reason, cause, inside, part, origin, priority,
        payload
      FROM history ORDER BY seq
      """) + place.query("SELECT * FROM asking ORDER BY seq")
      + place.query("SELECT * FROM detail ORDER BY seq")
  }
}

private enum Word: CaseIterable {
  case idle, loading, ready
}

private enum Told: RecordedMessage {
  case value(Int)
}

/// What the objects of a scene share.
private final class Source {
  private var random: SeededRandom
  /// A message that may be answered later.
  var question: MessageOrigin?
  init(seed: UInt64) { random = SeededRandom(seed: seed) }
  func below(_ bound: Int) -> Int { random.below(bound) }
}

/// A state that enters or exits at once or later, and sometimes requests another state.
private final class Moody: ScreenState {
  let name: StateName
  let payload: StatePayload?
  weak var controller: StateController<Page>?
  private(set) var visit: Visit?
  private let random: Source

  init(_ number: Int, _ random: Source) {
    name = StateName("state \(number)")
    payload = number == 0 ? .open("payload") : nil
    self.random = random
  }

  func enter(on target: Page, visit: Visit) {
    self.visit = visit
    if random.below(4) == 0 { controller?.transition(to: self, origin: visit) }
    if random.below(3) > 0 { visit.entered() }
  }

  func exit(from target: Page, visit: Visit) {
    if random.below(3) > 0 { visit.exited() }
  }
}
