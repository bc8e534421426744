import Chance
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules
import StatySpecimens
import Testing

/// A long recording of a specimen with one fault in it.
struct LongHistory {
  let history: SpecimenHistory
  let reader: HistoryReader
  /// The finding of the fault.
  let finding: Finding

  /// - Parameter events: the approximate number of events.
  init(_ fault: SpecimenScenario, events: Int, seed: UInt64) throws {
    history = try SpecimenHistory()
    let run = fault.begin()
    let recorder = try HistoryRecorder(at: history.path)
    recorder.attach(to: run.controller.probe, as: fault.name)
    let counter = Counter()
    run.controller.events.add(counter)
    var traffic = QuietTraffic(run, fault.specimen, seed: seed)
    // A stuck visit would enter with the next requests, so that fault has to be near the end.
    let isLast = fault.name == "stuck-behind-second-last"
    let start = isLast ? events - 20 : traffic.random.below(events * 3 / 4)
    while counter.count < start { traffic.request() }
    run.play()
    // The controller is stuck now, so each request adds only one event.
    while !isLast, counter.count < events { traffic.request() }
    // Only a later request shows that a state was passed over, where several are shown at once.
    if fault.specimen == Container2020.name { traffic.request(waits: false) }
    run.controller.events.remove(counter)
    recorder.close()
    withExtendedLifetime(run) {}
    reader = try HistoryReader(path: history.path)
    let code = fault.code.flatMap(RuleCode.init)
    let found = try HistoryCheck(reader).session(1).findings.first { $0.code == code }
    finding = try #require(found, "\(fault.name), seed \(seed)")
  }

  private final class Counter: TransitionObserver {
    var count = 0
    func observe(_ event: borrowing TransitionEvent) { count += 1 }
  }
}

/// Shows one state after the other.
///
/// Each has entered before the next is requested.
private struct QuietTraffic {
  var random: SeededRandom
  private let run: SpecimenRun
  private let specimen: String
  // Kept here, because a controller does not keep the states that it does not show.
  private var states: [PlayedState] = []

  init(_ run: SpecimenRun, _ specimen: String, seed: UInt64) {
    self.run = run
    self.specimen = specimen
    random = SeededRandom(seed: seed)
  }

  mutating func request(waits: Bool = true) {
    // A table keeps the first state of a key, and the fault needs its own states.
    let names: [StateName] =
      specimen == Keyed2015.name ? ["empty"] : ["loading", "content", "alert", "empty", "error"]
    let state = PlayedState(names[random.below(names.count)])
    let clock = run.clock
    if specimen != Keyed2015.name {
      let (enters, exits) = (random.below(300), random.below(300))
      state.onEnter = { state in
        _ = clock.schedule(after: .milliseconds(enters)) { state.complete(.entered) }
      }
      let isAtOnce = specimen == Presenter.name
      state.onExit = { state in
        if isAtOnce { return state.complete(.exited) }
        _ = clock.schedule(after: .milliseconds(exits)) { state.complete(.exited) }
      }
    }
    states.append(state)
    run.controller.request(state, asked: nil, by: nil)
    if waits { clock.advance(by: .milliseconds(1_000)) }
  }
}
