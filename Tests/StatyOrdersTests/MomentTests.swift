import Staty
import StatyTesting
import Testing

@testable import StatyOrders

/// When things can happen: between two timers, late, or never so late.
@MainActor struct MomentTests {
  /// What was deleted can be taken back for three seconds, while a bar offers that.
  @MainActor private final class Trash {
    private(set) var pending: String?
    private(set) var isOffered = false
    private var commit: Task<Void, any Error>?
    private var hide: Task<Void, any Error>?
    private let isFixed: Bool
    init(isFixed: Bool) { self.isFixed = isFixed }

    func delete(_ item: String) {
      commit?.cancel()
      if isFixed { hide?.cancel() }
      (pending, isOffered) = (item, true)
      commit = Task {
        try await Task.sleep(for: .seconds(3))
        (pending, isOffered) = (nil, false)
        hide?.cancel()
      }
      hide = Task {
        try await Task.sleep(for: .milliseconds(4_500))
        isOffered = false
      }
    }
  }

  @Test(arguments: [false, true])
  func `the user acts between two timers`(isFixed: Bool) {
    let found = outcomes { world in
      let trash = Trash(isFixed: isFixed)
      world.user("delete a") { trash.delete("a") }
      world.user("delete b") { trash.delete("b") }
      world.always("it can be taken back") { trash.pending == nil || trash.isOffered }
      world.shows { trash.pending ?? "none" }
    }
    #expect(found.doubts == [])
    #expect(found.broken.map(\.text) == (isFixed ? [] : ["it can be taken back"]))
    if !isFixed {
      #expect(
        found.broken.first?.conditions == [
          "the user does 'delete b' just before the timer of 3000 ms of 'delete a'"
        ])
    }
  }

  @Test func `a late answer takes time, also if nothing else waits`() {
    let found = outcomes { world in
      var shown = ""
      world.user("load") {
        let began = world.clock.now
        _ = await world.answer("items", ())
        shown = world.clock.now.offset - began.offset > .milliseconds(500) ? "faded" : "at once"
      }
      world.shows { shown }
    }
    #expect(Set(found.outcomes.map(\.text)) == ["at once", "faded"])
  }

  @Test func `the answer of a request that was cancelled is not late by a minute`() {
    struct Cancelled: Error {}
    let found = outcomes(WorldOptions(mostDeviations: 2), allowed: nil) { world in
      var (isLoading, badge) = (false, false)
      world.user("open") {
        isLoading = true
        _ = try? await world.answer(
          "items", Result<Int, Never>.success(1), whenCancelled: Cancelled())
        isLoading = false
      }
      world.user("leave") { world.cancel("open") }
      world.user("look") {
        try? await Task.sleep(for: .seconds(60))
        badge = isLoading
      }
      world.shows { badge }
    }
    #expect(found.outcomes.map(\.text) == ["false"])
  }

  @Test func `a task that yields until a late answer has come does not keep it`() {
    let found = outcomes { world in
      var isLoaded = false
      var seen = ""
      world.user("load") {
        _ = await world.answer("items", ())
        isLoaded = true
      }
      world.user("wait") {
        while !isLoaded { await Task.yield() }
        seen = "loaded"
      }
      world.shows { seen }
    }
    #expect(found.doubts == [] && found.outcomes.map(\.text) == ["loaded"])
  }

  @Test func `a restored path is compared as it is`() {
    var search = WorldSearch(WorldOptions(), followsTracks: true) { world in
      let track = StackTrack("path", [1, 2])
      world.user("load") {
        if await world.answer("is gone", oneOf: [false, true]) { track.moved(to: [1]) }
      }
      world.showsTracks()
    }
    let found = search.run()
    #expect(found.doubts == [] && found.outcomes.count == 2)
  }

  @Test func `a task that polls an actor comes to rest`() {
    actor Store {
      private(set) var isLoaded = false
      func load() { isLoaded = true }
    }
    var options = WorldOptions()
    options.mostOrders = 12
    options.randomOrders = 0
    let found = outcomes(options) { world in
      let store = Store()
      world.user("load") {
        _ = await world.answer("items", ())
        await store.load()
      }
      var seen = ""
      world.user("wait") {
        while !(await store.isLoaded) { await Task.yield() }
        seen = "loaded"
      }
      world.shows { seen }
    }
    #expect(found.doubts == [] && found.outcomes.map(\.text) == ["loaded"])
  }

  @Test func `a loop that calls an actor is no task that only yields`() {
    actor Store {
      private(set) var count = 0
      func insert() { count += 1 }
    }
    var options = WorldOptions()
    options.mostOrders = 1
    let found = outcomes(options) { world in
      let store = Store()
      var seen = -1
      world.user("import") { for _ in 0..<1_500 { await store.insert() } }
      world.user("count") { seen = await store.count }
      world.shows { seen }
    }
    #expect(found.outcomes.first?.text == "1500")
  }

  @Test func `what is done to end a run is not told`() {
    enum Connection { case connecting, offline }
    let found = outcomes { world in
      let track = StateTrack("connection", Connection.connecting)
      var text = ""
      world.user("connect") {
        do {
          text = await world.answer("name", oneOf: ["one", "two"])
          try await world.neverAnswer("more")
        } catch {
          track.moved(to: Connection.offline)
        }
      }
      world.shows { text }
    }
    #expect(found.outcomes.count == 2)
    #expect(found.outcomes.allSatisfy { !$0.story.isEmpty })
    #expect(found.outcomes.allSatisfy { !$0.story.contains { $0.contains("offline") } })
  }

  @MainActor private final class Log {
    var text = ""
  }

  /// A pool's thread that was late comes between another thread and what that leads to.
  @Test func `the orders of three threads`() {
    let found = outcomes(WorldOptions(mostDeviations: 3), allowed: nil) { world in
      let log = Log()
      world.user("begin") {
        for letter in ["a", "b", "c"] {
          Task.detached { await MainActor.run { log.text += letter } }
        }
      }
      world.shows { log.text }
    }
    #expect(
      Set(found.outcomes.map(\.text)) == ["abc", "acb", "bac", "bca", "cab", "cba"],
      "\(found.outcomes.map(\.text))")
  }
}
