import COrders
import StatyTesting
import Testing

@testable import StatyOrders

@MainActor struct ControlTests {
  @Test func `the runtime is understood`() {
    #expect(Control.begin() == nil)
    #expect(Control.begin() != nil)
    Control.end()
  }

  #if os(Linux)
    @Test func `a step that does not end ends the process`() async {
      await #expect(processExitsWith: .failure) {
        await MainActor.run {
          orders_limit_steps(1)
          _ = outcomes { world in
            world.shows { 1 }
            world.user("spin") { while !Task.isCancelled {} }
          }
        }
      }
    }
  #endif
}

/// A search holds the main actor and leaves everything else alone.
@Suite struct BesideTests {
  /// In each thing that other tests do with tasks, sleep and actors, while searches go on.
  @Test(arguments: 0..<20) func `another test goes on beside searches`(number: Int) async throws {
    let clock = ContinuousClock()
    for round in 0..<10 {
      let began = clock.now
      try await Task.sleep(for: .milliseconds(2))
      // In a run, time would not pass.
      #expect(clock.now - began >= .milliseconds(2))
      async let one = Task.detached { number + round }.value
      let sum = await withTaskGroup(of: Int.self) { group in
        for part in 0..<4 { group.addTask { part } }
        return await group.reduce(0, +)
      }
      #expect(await one == number + round && sum == 6)
    }
  }

  @MainActor @Test(arguments: 0..<20) func `searches go on beside other tests`(number: Int) async {
    let found = outcomes { world in
      var text = ""
      for letter in ["a", "b", "c"] {
        world.user(letter) { text += await world.answer(letter, letter) }
      }
      world.shows { text }
    }
    #expect(found.doubts == [] && found.outcomes.count > 1)
    // The main actor is free between searches.
    await Task.yield()
  }
}
