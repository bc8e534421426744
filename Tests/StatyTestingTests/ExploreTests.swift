import StatySpecimens
import StatyTesting
import Testing

/// Every order is tried, in a line.
@Suite struct ExploreTests {
  private final class Screen {}

  @Test func `no order of callbacks breaks a queue`() {
    let exploration = explore("queue", asking: "loading", "alert", "content")
    #expect(exploration?.verdict == .passed)
  }

  @Test func `no order of callbacks breaks a live controller`() {
    let exploration = explore(
      "latest",
      make: { context in
        context.subject(
          of: StateController(policy: .latest, timer: context.scheduler), on: Screen())
      },
      { scenario in
        let loading = scenario.ask("loading")
        scenario.ask("alert") { $0.leaves = true }
        scenario.ask("content") { $0.place = .after(.entered, loading) }
      })
    #expect(exploration?.verdict == .passed)
    #expect(exploration?.method == .runs)
  }

  @Test func `a policy of one's own is searched state by state`() {
    let exploration = explore(policy: QueuePolicy()) { scenario in
      for state in ["a", "b", "c", "d"] as [StateName] { scenario.ask(state) }
      scenario.cancel(.all)
    }
    #expect(exploration?.method == .states)
  }

  @Test func `a fault is shown in a shortest order, as lanes`() throws {
    let found = failures {
      explore("staty-2019", asking: "loading", "content", "alert", in: .withSpecimens)
    }
    #expect(found.map(\.line) == [#line - 2])
    try expectGolden(found.map(\.text).joined(), "explore")
  }

  @Test func `a search that was not ended passes nothing`() throws {
    var options = Explorer.Options()
    options.mostSteps = 2
    let found = failures {
      explore("queue", asking: "loading", "content", options: options)
      explore("nobody", asking: "loading")
    }
    #expect(found.map(\.line) == [#line - 3, #line - 2])
    try expectGolden(found.map(\.text).joined(separator: "\n\n"), "explore-cut")
  }
}
