import Foundation
import StatyTesting
import Synchronization
import Testing

// Ordinary code, with and without its bug: nothing here knows that it is under control, but for the
// fake of a server.

struct Server {
  let world: World
  func fetch(_ what: String) async -> String { await world.answer("fetch \(what)", what) }
}

@MainActor private final class Feed {
  private(set) var items: [String] = []
  private let server: Server
  init(_ server: Server) { self.server = server }
  func refresh() async { items = [await server.fetch("new")] }
  func loadMore() async { items.append(await server.fetch("more")) }
}

@MainActor private final class Search {
  private(set) var found: [String] = []
  private var task: Task<Void, Never>?
  private let server: Server
  private let looksAtCancellation: Bool
  init(_ server: Server, looksAtCancellation: Bool) {
    (self.server, self.looksAtCancellation) = (server, looksAtCancellation)
  }
  func type(_ text: String) {
    task?.cancel()
    task = Task {
      guard (try? await Task.sleep(for: .milliseconds(300))) != nil else { return }
      let answer = await server.fetch(text)
      if looksAtCancellation, Task.isCancelled { return }
      found = [answer]
    }
  }
}

@MainActor private final class Session {
  private(set) var state = "in"
  private let server: Server
  private let looksAgain: Bool
  init(_ server: Server, looksAgain: Bool = false) {
    (self.server, self.looksAgain) = (server, looksAgain)
  }
  func refreshToken() async {
    let token = await server.fetch("token")
    if looksAgain, state == "out" { return }
    state = "in, with \(token)"
  }
  func signOut() { state = "out" }
}

private actor Counter {
  private var count = 0
  let server: Server
  init(_ server: Server) { self.server = server }
  func add() async {
    let before = count
    _ = await server.fetch("count")
    count = before + 1
  }
  func value() -> Int { count }
}

@MainActor struct SceneTests {
  @Test func `pull to refresh, then load more`() {
    let found = outcomes { world in
      let feed = Feed(Server(world: world))
      world.user("pull to refresh") { await feed.refresh() }
      world.user("load more") { await feed.loadMore() }
      world.shows { feed.items }
    }
    #expect(found.outcomes.map(\.text) == [#"["new", "more"]"#, #"["new"]"#])
    #expect(
      found.outcomes[1].conditions == [
        "the answer of 'fetch new' to 'pull to refresh' is late: behind 'load more' and "
          + "the answer of 'fetch more' to 'load more'"
      ])
    #expect(found.verdict == .differs)
  }

  @Test(arguments: [false, true])
  func `search as you type, with a pause of 300 ms`(looksAtCancellation: Bool) {
    let found = outcomes { world in
      let search = Search(Server(world: world), looksAtCancellation: looksAtCancellation)
      world.user("type a") { search.type("a") }
      world.user("type ab") { search.type("ab") }
      world.shows { search.found }
    }
    #expect(
      found.outcomes.map(\.text) == (looksAtCancellation ? [#"["ab"]"#] : [#"["ab"]"#, #"["a"]"#]))
    #expect(found.verdict == (looksAtCancellation ? .same : .differs))
  }

  @Test(arguments: [false, true]) func `sign out while a token is refreshed`(looksAgain: Bool) {
    let found = outcomes { world in
      let account = Session(Server(world: world), looksAgain: looksAgain)
      world.user("refresh the token") { await account.refreshToken() }
      world.user("sign out") { account.signOut() }
      world.shows { account.state }
    }
    #expect(found.outcomes.map(\.text) == (looksAgain ? ["out"] : ["out", "in, with token"]))
    #expect(
      found.outcomes.dropFirst().map(\.conditions)
        == (looksAgain
          ? []
          : [["the answer of 'fetch token' to 'refresh the token' is late: behind 'sign out'"]]))
  }

  @Test func `an actor that reads, waits and writes`() {
    let found = outcomes { world in
      let counter = Counter(Server(world: world))
      var count = 0
      world.shows { count }
      async let first: Void = counter.add()
      async let second: Void = counter.add()
      _ = await (first, second)
      count = await counter.value()
    }
    #expect(found.outcomes.map(\.text) == ["1", "2"])
  }

  @Test func `a continuation that nobody resumes`() {
    let found = outcomes { world in
      world.user("load") {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
      world.shows { 1 }
    }
    #expect(found.outcomes.map(\.text) == ["1; 'load' never ends"])
    #expect(found.verdict == .same)
  }

  @Test func `three that sleep in virtual time`() {
    let began = ContinuousClock.now
    let found = outcomes { world in
      var order: [Int] = []
      world.shows { order }
      for seconds in [3, 1, 2] {
        Task {
          try? await Task.sleep(for: .seconds(seconds * 1000))
          order.append(seconds)
        }
      }
    }
    #expect(found.outcomes.map(\.text) == ["[1, 2, 3]"])
    #expect(ContinuousClock.now - began < .seconds(1000))
  }

  @Test(arguments: [0, 5]) func `a thread that answers`(milliseconds: Int) {
    let found = outcomes { world in
      var state = "empty"
      world.user("load") { state = await answerOfAThread(after: milliseconds) }
      world.user("clear") { state = "empty" }
      world.shows { state }
    }
    #expect(found.outcomes.map(\.text).contains("empty"))
    #expect(found.doubts.first == "A new thread is not under control.")
    // A thread that answers at once may be done before anything waits for it.
    if milliseconds > 0 {
      #expect(found.doubts.dropFirst() == ["Another thread went on with the rest of 'load'."])
    }
    #expect(found.verdict == .inconclusive)
  }
}

@MainActor private func answerOfAThread(after milliseconds: Int) async -> String {
  await withUnsafeContinuation { continuation in
    Thread {
      Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
      continuation.resume(returning: "loaded")
    }.start()
  }
}

@MainActor func outcomes(
  _ options: WorldOptions = WorldOptions(), allowed: Set<String>? = nil,
  _ body: @escaping @MainActor (World) async throws -> Void
) -> WorldOutcomes {
  var search = WorldSearch(options, body)
  return search.run(allowed: allowed.map(Array.init))
}

/// What prevents a verdict.
@MainActor func doubts(
  _ options: WorldOptions = WorldOptions(),
  _ body: @escaping @MainActor (World) async throws -> Void
) -> [String] {
  let found = outcomes(options) { world in
    world.shows { 1 }
    try await body(world)
  }
  #expect(found.verdict == .inconclusive)
  return found.doubts
}

@MainActor struct SizeTests {
  @Test(arguments: [
    (2, [4, 8]), (3, [5, 13]), (4, [6, 23]), (5, [7, 36]),
  ]) func `overlapping calls need few runs`(calls: Int, most: [Int]) {
    for deviations in 1...2 {
      var options = WorldOptions()
      (options.mostDeviations, options.randomOrders) = (deviations, 0)
      let found = outcomes(options) { world in
        var log = ""
        for call in 0..<calls { Task { log += await world.answer("\(call)", "\(call)") } }
        world.shows { log }
      }
      #expect(found.runs <= most[deviations - 1])
    }
  }
}

/// What a search says of orders that it did not run.
@MainActor struct ExtentTests {
  private func loading(
    _ most: Int, _ text: @escaping @Sendable (Int) -> String
  ) -> WorldOutcomes {
    var options = WorldOptions(mostDeviations: 2)
    options.mostOrders = most
    return outcomes(options) { world in
      var log = ""
      for call in 0..<6 { Task { log += await world.answer("\(call)", text(call)) } }
      world.shows { log }
    }
  }

  @Test func `without all orders that were asked for nothing is the same`() {
    let found = loading(12) { _ in "a" }
    #expect(found.complete == 1 && found.randomRuns > 0)
    #expect(found.outcomes.count == 1 && found.verdict == .inconclusive)
    #expect(loading(10_000) { _ in "a" }.verdict == .same)
    // Two outcomes are two, also without the other orders.
    #expect(loading(12) { "\($0)" }.verdict == .differs)
  }

  @Test func `a sleep of the main actor is no work of the pool`() {
    let found = outcomes { world in
      var text = ""
      world.user("copy") {
        text = "copied"
        try? await Task.sleep(for: .seconds(1))
        text = ""
      }
      world.shows { text }
    }
    #expect(found.outcomes.map(\.text) == [""] && !found.hasPoolWork)
  }

  private actor Cache {
    private var item = ""
    func load(_ world: World) async -> String {
      item = await world.answer("item", "me")
      return item
    }
  }

  @Test func `what an actor does behind an answer is in one step`() {
    var options = WorldOptions(mostDeviations: 30)
    options.choosesHops = true
    let found = outcomes(options) { world in
      let cache = Cache()
      var text = ""
      world.user("load") { text = await cache.load(world) }
      world.shows { text }
    }
    #expect(found.isExhaustive && found.extent.hasPrefix("All orders of its steps"))
  }

  @Test func `a task that could have come before what runs on the main actor is said`() {
    let found = outcomes(WorldOptions(mostDeviations: 30), allowed: nil) { world in
      let counter = Counter(Server(world: world))
      var text = ""
      world.user("open") {
        Task { text += "\(await counter.value())" }
        Task { text += "a" }
      }
      world.shows { text.count }
    }
    #expect(found.isExhaustive && found.hasMergedHops)
  }

  private final class Flag: Sendable {
    private let value = Mutex(false)
    func set() { value.withLock { $0 = true } }
    @concurrent func read() async -> Bool { value.withLock { $0 } }
  }

  /// Both orders are possible: a thread of the pool may be at once where the main actor is not yet.
  @Test func `a task that leaves the main actor overtakes its queue, at random`() throws {
    let body: @MainActor (World) async throws -> Void = { world in
      let flag = Flag()
      var seen: Bool?
      world.user("open") {
        Task { seen = await flag.read() }
        Task { flag.set() }
      }
      world.shows { seen }
    }
    let found = outcomes(WorldOptions(), allowed: nil, body)
    #expect(found.isExhaustive && found.extent.contains("at random"), "\(found.extent)")
    #expect(
      Set(found.outcomes.map(\.text)) == ["Optional(true)", "Optional(false)"] && found.doubts == []
    )
    let order = try #require(found.outcomes.last).order
    var search = WorldSearch(WorldOptions(), body)
    #expect(
      search.run(repeating: order).outcomes.map(\.text) == found.outcomes.suffix(1).map(\.text))
  }
}

/// How late something can be with one deviation.
@MainActor struct LatenessTests {
  private func ends(
    _ deviations: Int = 1, _ body: @escaping @MainActor (World) async throws -> Void
  ) -> [String] {
    var options = WorldOptions()
    (options.mostDeviations, options.randomOrders) = (deviations, 0)
    return outcomes(options, body).outcomes.map(\.text).sorted()
  }

  @Test func `an answer is late behind each later action`() {
    let found = ends { world in
      var text = ""
      world.user("load") { text += await world.answer("load", "L") }
      for letter in ["a", "b", "c"] { world.user(letter) { text += letter } }
      world.shows { text }
    }
    #expect(found == ["Labc", "aLbc", "abLc", "abcL"])
  }

  @Test func `an answer is late behind the last action, and comes before its timer`() {
    let found = ends { world in
      var text = ""
      world.user("load") { text += await world.answer("load", "L") }
      world.user("look") { text += "a" }
      world.user("wait") {
        text += "w"
        try? await world.clock.sleep(for: .seconds(5))
        text += "t"
      }
      world.shows { text }
    }
    #expect(found == ["Lawt", "aLwt", "awLt", "awtL"])
  }

  @Test func `an answer is late behind a time limit`() {
    let found = ends { world in
      var text = "loading"
      world.user("load") {
        let limit = Task {
          try await Task.sleep(for: .seconds(10))
          text = "too late"
        }
        let answer = await world.answer("load", "loaded")
        if !limit.isCancelled, text == "loading" { text = answer }
        limit.cancel()
      }
      world.shows { text }
    }
    #expect(found == ["loaded", "too late"])
  }

  @Test func `a platform's call that takes a while may take longer than a time limit`() {
    let found = ends { world in
      var text = "opening"
      world.user("open") {
        Task {
          try await Task.sleep(for: .seconds(2))
          if text == "opening" { text = "failed" }
        }
        world.call("didShow", after: .milliseconds(300)) { if text == "opening" { text = "shown" } }
      }
      world.shows { text }
    }
    #expect(found == ["failed", "shown"])
  }

  @Test func `a late answer comes between two tasks, too`() {
    var options = WorldOptions()
    options.mostDeviations = 3
    let found = outcomes(options) { world in
      var (status, seen) = (0, 0)
      world.user("open") {
        Task {
          status = await world.answer("load", 1)
          await Task {}.value
          status = 2
          await Task {}.value
          status = 3
        }
        Task {
          await world.answer("push", ())
          seen = status
        }
      }
      world.shows { seen }
    }
    #expect(found.outcomes.map(\.text).sorted() == ["0", "1", "2", "3"])
  }

  @Test func `nothing is under way where something sleeps for ever`() {
    for forEver in [UInt64.max, UInt64(Int64.max)] {
      let found = outcomes { world in
        var isBusy = false
        world.user("watch") { try? await Task.sleep(nanoseconds: forEver) }
        world.user("load") {
          isBusy = true
          _ = await world.answer("list", 1)
        }
        world.atRest("it is not busy") { !isBusy }
      }
      #expect(found.broken.map(\.text) == ["it is not busy"])
    }
  }

  @Test func `a late answer comes at last, also while something goes on at intervals`() {
    let found = ends { world in
      var text = "in"
      world.user("watch") { while (try? await Task.sleep(for: .seconds(30))) != nil {} }
      world.user("refresh") { text = await world.answer("token", "in") }
      world.user("sign out") { text = "out" }
      world.shows { text }
    }
    #expect(found == ["in", "out"])
  }
}
