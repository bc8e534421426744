import Chance
import Staty
import StatyHistory
import StatyReplay
import StatyTesting

/// Scenarios as a seed has them, with a little of everything.
enum RandomScenario {
  private static let states: [StateName] = ["loading", "content", "alert", "empty"]

  static func make(
    _ random: inout SeededRandom, kind: String, most: Int = 6, isPlain: Bool = false
  ) -> Scenario {
    var scenario = Scenario(kind)
    let count = 2 + random.below(most - 1)
    if !isPlain, random.below(4) == 0 {
      scenario.controllers[0].deadlineEntering = .init(rawValue: UInt8(1 + random.below(3)))
      scenario.controllers[0].deadlineExiting = .init(rawValue: UInt8(1 + random.below(3)))
    }
    if !isPlain, random.below(5) == 0 { scenario.controllers[0].snapshot.isWithholding = true }
    for _ in 0..<count { ask(&scenario, &random, isPlain: isPlain) }
    if isPlain { return scenario }
    if random.below(3) == 0 {
      scenario.cancel(.request(1 + random.below(count)))
    }
    if random.below(6) == 0 { scenario.cancel(.all) }
    if random.below(8) == 0 { scenario.cancel(.tearDown) }
    return scenario
  }

  private static func ask(
    _ scenario: inout Scenario, _ random: inout SeededRandom, isPlain: Bool
  ) {
    let before = scenario.requests.map(\.id)
    scenario.request(states[random.below(states.count)]) { request in
      if random.below(3) == 0 { request.source = 1 + random.below(3) }
      request.priority = Int32(random.below(3))
      request.exitsByItself = random.below(4) == 0
      if isPlain { return }
      request.enters = [.atOnce, .later, .later, .perhaps, .never][random.below(5)]
      request.exits = [.atOnce, .later, .later, .perhaps][random.below(4)]
      if random.below(4) == 0 { request.repeats = [.exited] }
      if random.below(5) == 0 { request.equality = 1 }
      request.awaitsUser = random.below(4) == 0
      if let other = before.last, random.below(3) == 0 {
        let kinds: [TransitionEvent.Kind] = [.entering, .entered, .exiting, .exited, .enqueued]
        let kind = kinds[random.below(kinds.count)]
        request.place = random.below(2) == 0 ? .after(kind, other) : .inside(kind, other)
        request.origin = other
      }
    }
  }

  /// Takes possible steps until it is over, or has had enough.
  static func play(_ scenario: Scenario, _ random: inout SeededRandom) throws -> ScheduleRun {
    let run = try ScheduleRun(scenario)
    for _ in 0..<60 {
      let steps = run.possible
      if steps.isEmpty || run.isAtEnd && random.below(3) == 0 { break }
      run.take(steps[random.below(steps.count)])
    }
    run.finish()
    return run
  }
}
