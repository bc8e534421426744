import Chance
import Staty
import Testing

@testable import StatyRules

@Suite("Histories of keyed controllers")
struct KeyedHistoryTests {
  final class Table: KeyedHost {
    func beginUpdates() {}
    func adopt(_ state: (any KeyedState)?) {}
    func endUpdates() {}
  }

  /// A state that sometimes requests another while it enters or exits.
  final class Restless: KeyedState {
    private let act: () -> Void

    init(_ act: @escaping () -> Void) {
      self.act = act
    }

    func enter(with data: Int?, visit: KeyedVisit<String, Int>) { act() }
    func exit() { act() }
  }

  @Test func `raise no error`() {
    for run in 0..<tries(usual: 100, nightly: 300) {
      let seed = testSeed &+ UInt64(run)
      let history = record(seed)
      let errors = history.findings().filter { $0.severity == .error }
      #expect(errors.isEmpty, "STATY_SEED=\(seed) \(history.words(errors))\n\(history.lines)")
      if !errors.isEmpty { return }
    }
  }

  private func record(_ seed: UInt64) -> RecordedHistory {
    var random = SeededRandom(seed: seed)
    let clock = ManualClock()
    let table = Table()
    let controller = KeyedController<String, Int>()
    let witness = Witness(controller.events, clock: clock)
    var left = 20
    func request() {
      guard left > 0 else { return }
      left -= 1
      controller.transition(to: ["a", "b", "c", "unknown"][random.below(4)])
    }
    for key in ["a", "b", "c"] {
      controller.setState(Restless { if random.chance(20) { request() } }, forKey: key)
    }
    let binding = random.below(6)
    for step in 0..<20 {
      if step == binding { controller.bind(to: table) }
      if random.chance(80) { request() }
      if random.chance(10) { controller.cancel(VisitNumber(UInt32(1 + random.below(20)))) }
      clock.advance(by: .milliseconds(random.below(400)))
    }
    if random.chance(20) { controller.tearDown() }
    var history = witness.history
    history.rest = 20_000_000
    return history
  }
}
