import StatySpecimens
import StatyTesting
import Testing

/// One line of a test explores all orders.
@Suite struct ExploreTests {
  private final class Screen {}

  @Test func `no order of callbacks breaks a queue`() {
    let exploration = explore("queue", requesting: "loading", "alert", "content")
    #expect(exploration?.isClean == true)
  }

  @Test func `no order of callbacks breaks a live controller`() {
    let exploration = explore(
      "latest",
      make: { context in
        context.subject(
          of: StateController(policy: .latest, timer: context.scheduler), on: Screen())
      },
      { scenario in
        let loading = scenario.request("loading")
        scenario.request("alert") { $0.exitsByItself = true }
        scenario.request("content") { $0.place = .after(.entered, loading) }
      })
    #expect(exploration?.isClean == true)
    #expect(exploration?.method == .runs)
  }

  /// The guide to testing has these numbers, so that readers know how much time a search needs.
  @Test(arguments: [(2, 19), (3, 229), (4, 4_245)])
  func `each request multiplies the orders of a live controller`(
    _ requests: Int, _ runs: Int
  ) {
    let time = ContinuousClock().measure {
      let exploration = explore(
        "queue",
        make: { context in
          context.subject(
            of: StateController(policy: .queue, timer: context.scheduler), on: Screen())
        },
        { scenario in
          for number in 1...requests { scenario.request(StateName("\(number)")) }
        })
      #expect(exploration?.isClean == true && exploration?.transitions == runs)
    }
    print("\(requests) requests of a live queue: \(runs) runs in \(time)")
  }

  @Test func `an app's own policy is searched state by state`() {
    let exploration = explore(policy: QueuePolicy()) { scenario in
      for state in ["a", "b", "c", "d"] as [StateName] { scenario.request(state) }
      scenario.cancel(.all)
    }
    #expect(exploration?.method == .states)
  }

  @Test func `a fault is shown in a shortest order, as lanes`() throws {
    let found = failures {
      explore("staty-2019", requesting: "loading", "content", "alert", in: .withSpecimens)
    }
    #expect(found.map(\.line) == [#line - 2])
    try expectGolden(found.map(\.text).joined(), "explore")
  }

  @Test func `a search that did not end fails`() throws {
    var options = Explorer.Options()
    options.mostSteps = 2
    var noTime = Explorer.Options()
    noTime.time = .zero
    let found = failures {
      explore("queue", requesting: "loading", "content", options: options)
      explore("queue", requesting: "loading", "content", options: noTime)
      explore("nobody", requesting: "loading")
    }
    #expect(found.map(\.line) == [#line - 4, #line - 3, #line - 2])
    try expectGolden(found.map(\.text).joined(separator: "\n\n"), "explore-cut")
  }
}
