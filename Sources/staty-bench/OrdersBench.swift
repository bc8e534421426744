import StatyOrders
import StatyReplay

/// The cost of running plain async code in every order.
enum OrdersBench {
  static func run(_ wanted: Wanted) -> [Figure] {
    wanted.pick(
      wanted("async_runs_per_s") {
        Figure($0, MainActor.assumeIsolated { runs() }, "orders of two overlapping calls")
      }
        + wanted("async_five_calls_ms") {
          Figure(
            $0, MainActor.assumeIsolated { fiveCalls() },
            "all orders of five overlapping calls with two deviations")
        })
  }

  /// Ordinary code: a feed of which two calls may overlap.
  @MainActor private final class Feed {
    private(set) var items: [String] = []
    private let world: World
    init(_ world: World) { self.world = world }
    func refresh() async { items = [await fetch("new")] }
    func loadMore() async { items.append(await fetch("more")) }
    nonisolated private func fetch(_ what: String) async -> String {
      await world.answer(what, what)
    }
  }

  @MainActor private static func runs() -> Double {
    var (count, searches) = (0, 0)
    let taken = seconds {
      while searches < 2_000 {
        var search = WorldSearch(options()) { world in
          let feed = Feed(world)
          world.user("refresh") { await feed.refresh() }
          world.user("load more") { await feed.loadMore() }
          world.shows { feed.items }
        }
        // Of what is allowed, no story is told.
        let found = search.run(allowed: [#"["new", "more"]"#, #"["new"]"#])
        precondition(found.outcomes.count == 2 && found.verdict == .same)
        // Each outcome was run once more.
        count += found.runs + found.outcomes.count
        searches += 1
      }
    }
    return Double(count) / taken
  }

  @MainActor private static func fiveCalls() -> Double {
    nanoseconds(per: 1) {
      var search = WorldSearch(options()) { world in
        let feed = Feed(world)
        for _ in 0..<5 { world.user("load more") { await feed.loadMore() } }
        world.shows { feed.items }
      }
      precondition(search.run().outcomes.count == 1)
    } / 1e6
  }

  private static func options() -> WorldOptions {
    var options = WorldOptions()
    (options.mostDeviations, options.randomOrders) = (2, 0)
    return options
  }
}
