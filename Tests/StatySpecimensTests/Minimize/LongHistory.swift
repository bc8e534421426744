import Chance
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatyRules
import StatySpecimens
import Testing

/// A long recording of a specimen in which all goes well but for one fault, somewhere.
struct LongHistory {
  let history: SpecimenHistory
  let reader: HistoryReader
  /// What is found of the fault.
  let finding: Finding

  /// - Parameter events: how many there are, or nearly so.
  init(_ fault: SpecimenScenario, events: Int, seed: UInt64) throws {
    history = try SpecimenHistory()
    let run = fault.begin()
    let recorder = try HistoryRecorder(at: history.path)
    recorder.attach(to: run.controller.probe, as: fault.name)
    let counter = Counter()
    run.controller.events.add(counter)
    var traffic = QuietTraffic(run, fault.specimen, seed: seed)
    // What is stuck there comes free when somebody asks for more.
    let isLast = fault.name == "stuck-behind-second-last"
    let start = isLast ? events - 20 : traffic.random.below(events * 3 / 4)
    while counter.count < start { traffic.ask() }
    run.play()
    // What is stuck by now takes on but one event for each request.
    while !isLast, counter.count < events { traffic.ask() }
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

/// One state after the other, each in before the next is asked for.
private struct QuietTraffic {
  var random: SeededRandom
  private let run: SpecimenRun
  private let specimen: String
  // Kept here: a controller does not keep what it does not show.
  private var states: [PlayedState] = []

  init(_ run: SpecimenRun, _ specimen: String, seed: UInt64) {
    self.run = run
    self.specimen = specimen
    random = SeededRandom(seed: seed)
  }

  mutating func ask() {
    // A table keeps the first state of a key, and the fault's are to be its own.
    let names: [StateName] =
      specimen == Keyed2015.name ? ["empty"] : ["loading", "content", "alert", "empty", "error"]
    let state = PlayedState(names[random.below(names.count)])
    let clock = run.clock
    if specimen != Keyed2015.name {
      let (enters, exits) = (random.below(300), random.below(300))
      state.onEnter = { state in
        _ = clock.schedule(after: .milliseconds(enters)) { state.say(.entered) }
      }
      let isAtOnce = specimen == Presenter.name
      state.onExit = { state in
        if isAtOnce { return state.say(.exited) }
        _ = clock.schedule(after: .milliseconds(exits)) { state.say(.exited) }
      }
    }
    states.append(state)
    run.controller.ask(for: state, asked: nil, by: nil)
    clock.advance(by: .milliseconds(1_000))
  }
}
