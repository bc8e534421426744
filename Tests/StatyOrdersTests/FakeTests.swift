import Dispatch
import StatyTesting
import Testing

/// What the world does in place of servers, platforms, users and clocks.
@MainActor struct FakeTests {
  private struct Offline: Error, CustomStringConvertible {
    let description = "offline"
  }

  private func texts(
    _ body: @escaping @MainActor (World) async throws -> Void
  ) -> [String: [String]] {
    let found = outcomes(WorldOptions(), allowed: nil, body)
    #expect(found.doubts == [])
    return Dictionary(uniqueKeysWithValues: found.outcomes.map { ($0.text, $0.conditions) })
  }

  @Test func `a server answers with one of several values`() {
    let found = texts { world in
      var count = 0
      world.user("load") { count = await world.answer("count", oneOf: [1, 2, 3]) }
      world.shows { count }
    }
    #expect(
      found == [
        "1": [], "2": ["the answer of 'count' to 'load' is 2"],
        "3": ["the answer of 'count' to 'load' is 3"],
      ])
  }

  @Test func `a set and a dictionary have the same text in every run`() {
    let numbers = Array(1...40)
    let found = texts { world in
      var (ids, counts) = (Set<Int>(), [Int: Int]())
      world.user("load") {
        for id in await world.answer("ids", oneOf: [numbers, numbers.reversed()]) {
          ids.insert(id)
          counts[id] = 0
        }
      }
      world.shows("ids") { ids }
      world.shows("counts") { counts }
    }
    let sorted = numbers.map(String.init).sorted()
    #expect(
      found.keys.map(\.self) == [
        "ids: [\(sorted.joined(separator: ", "))]; "
          + "counts: [\(sorted.map { "\($0): 0" }.sorted().joined(separator: ", "))]"
      ])
  }

  /// Beside a clock that ticks a run takes hundreds of steps, and there are hundreds of orders: the first show it.
  private var ticking: WorldOptions {
    var options = WorldOptions()
    options.mostOrders = 60
    return options
  }

  @Test func `a condition at rest is checked beside a clock that ticks`() {
    for isEnding in [true, false] {
      let found = outcomes(ticking, allowed: nil) { world in
        var (ticks, isBusy) = (0, false)
        world.user("open") {
          while true {
            try? await Task.sleep(for: .seconds(1))
            if Task.isCancelled { return }
            ticks += 1
          }
        }
        world.user("load") {
          isBusy = true
          _ = await world.answer("items", [1])
          if isEnding { isBusy = false }
        }
        world.shows { isBusy }
        world.atRest("it is not busy") { !isBusy }
      }
      #expect(found.broken.map(\.text) == (isEnding ? [] : ["it is not busy"]))
    }
  }

  @Test func `a sleep that was cancelled is not under way`() {
    let found = outcomes(WorldOptions(), allowed: nil) { world in
      var isLoading = false
      world.user("load") {
        isLoading = true
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await world.answer("items", ()) }
          group.addTask { try? await Task.sleep(for: .seconds(30)) }
          await group.next()
          group.cancelAll()
        }
      }
      world.user("retry") { isLoading = false }
      world.shows { isLoading }
      world.atRest("it is not loading") { !isLoading }
    }
    #expect(found.broken.map(\.text) == ["it is not loading"])
    #expect(found.doubts == [])
  }

  @Test func `beside a clock that ticks, a timer that has not come is under way`() {
    let found = outcomes(ticking, allowed: nil) { world in
      var (ticks, isBusy) = (0, false)
      world.user("open") {
        while true {
          try? await Task.sleep(for: .milliseconds(16))
          if Task.isCancelled { return }
          ticks += 1
        }
      }
      world.user("try later") {
        isBusy = true
        try? await Task.sleep(for: .seconds(60))
        isBusy = false
      }
      world.shows { isBusy }
      world.atRest("it is not busy") { !isBusy }
    }
    #expect(found.broken.map(\.text) == [])
  }

  /// Both wait behind each other before the actor, and then each sleeps in it.
  @Test func `two tasks sleep in one actor`() {
    actor Backoff {
      func pause() async { try? await Task.sleep(for: .seconds(1)) }
    }
    @MainActor final class Home {
      private let backoff = Backoff()
      private(set) var loaded: Set<String> = []
      func appear() {
        for what in ["news", "mail"] { Task { await load(what) } }
      }
      private func load(_ what: String) async {
        await backoff.pause()
        loaded.insert(what)
      }
    }
    let found = outcomes { world in
      let home = Home()
      world.user("appear") { home.appear() }
      world.shows { home.loaded }
    }
    #expect(found.outcomes.map(\.text) == [#"["mail", "news"]"#])
    #expect(found.doubts == [])
  }

  @Test func `a timer that comes once comes beside a clock that ticks`() {
    let found = outcomes(ticking) { world in
      var (ticks, isLocked) = (0, false)
      world.user("open") {
        while (try? await Task.sleep(for: .seconds(1))) != nil { ticks += 1 }
      }
      world.user("unlock") {
        Task {
          try? await Task.sleep(for: .seconds(600))
          isLocked = true
        }
      }
      world.shows { isLocked }
      world.atEnd("it locks itself") { isLocked }
    }
    #expect(found.broken.isEmpty)
    #expect(found.outcomes.map(\.text) == ["true"])
  }

  /// A clock has ticked for hundreds of seconds before the answer comes.
  @Test func `a wait that is as long as an earlier one is over beside a clock that ticks`() {
    let found = outcomes(ticking) { world in
      var (ticks, isFading) = (0, false)
      world.user("appear") {
        Task { while (try? await Task.sleep(for: .seconds(30))) != nil { ticks += 1 } }
      }
      world.user("search") {
        try? await Task.sleep(for: .milliseconds(300))
        _ = await world.answer("find", 1)
        isFading = true
        try? await Task.sleep(for: .milliseconds(300))
        isFading = false
      }
      world.shows { isFading }
    }
    #expect(found.outcomes.map(\.text) == ["false"])
  }

  /// A random order holds back dozens of them, and a clock ticks behind each.
  @Test func `many late answers beside a clock that ticks come to rest`() {
    let found = outcomes { world in
      var (ticks, rows) = (0, Set<Int>())
      world.user("appear") {
        Task { while (try? await Task.sleep(for: .seconds(1))) != nil { ticks += 1 } }
      }
      world.user("load") {
        for row in 0..<25 {
          Task {
            _ = await world.answer("row", row)
            rows.insert(row)
          }
        }
      }
      world.shows { rows.count }
    }
    #expect(found.outcomes.map(\.text) == ["25"])
    #expect(found.doubts == [])
  }

  #if os(Linux)
    @Test func `a block that comes once comes beside one of the same queue that ticks`() {
      @MainActor final class Lock {
        private(set) var (ticks, isLocked) = (0, false)
        func poll() {
          ticks += 1
          DispatchQueue.main.asyncAfter(deadline: .now() + 1) { self.poll() }
        }
        func lockLater() {
          DispatchQueue.main.asyncAfter(deadline: .now() + 600) { self.isLocked = true }
        }
      }
      let found = outcomes(ticking) { world in
        let lock = Lock()
        world.user("open") { lock.poll() }
        world.user("unlock") { lock.lockLater() }
        world.shows { lock.isLocked }
      }
      #expect(found.outcomes.map(\.text) == ["true"])
    }
  #endif

  /// What both have begun is the same, whichever came first.
  @Test func `which action has begun what listens is no outcome`() {
    @MainActor final class Chat {
      private let world: World
      private var listener: Task<Void, Never>?
      private(set) var isConnected = false
      init(_ world: World) { self.world = world }
      func connect() async {
        await world.answer("open", ())
        isConnected = true
        guard listener == nil else { return }
        listener = Task { for await _ in AsyncStream<Int>.makeStream().stream {} }
      }
    }
    let found = outcomes { world in
      let chat = Chat(world)
      world.user("appear") { await chat.connect() }
      world.user("pull to refresh") { await chat.connect() }
      world.shows { chat.isConnected }
    }
    #expect(found.outcomes.count == 1, "\(found.outcomes.map(\.text))")
  }

  /// In one order two actions have begun what never ends, in another order one of them both.
  @Test func `one action may begin what two begin in another order`() {
    @MainActor final class Chat {
      private let world: World
      private var listener: Task<Void, Never>?
      private(set) var isConnected = false
      init(_ world: World) { self.world = world }
      func connect() async {
        await world.answer("open", ())
        isConnected = true
        if listener == nil { listener = listening() }
      }
      func open() async {
        await connect()
        _ = listening()
      }
      private func listening() -> Task<Void, Never> {
        Task { for await _ in AsyncStream<Int>.makeStream().stream {} }
      }
    }
    let found = outcomes { world in
      let chat = Chat(world)
      world.user("appear") { await chat.connect() }
      world.user("open") { await chat.open() }
      world.shows { chat.isConnected }
    }
    #expect(found.outcomes.count == 1, "\(found.outcomes.map(\.text))")
  }

  @Test func `what a model begins when it is made is told as that`() {
    @MainActor final class Chat {
      init() { Task { for await _ in AsyncStream<Int>.makeStream().stream {} } }
    }
    let found = texts { world in
      let chat = Chat()
      world.user("look") { _ = chat }
      world.shows { 1 }
    }
    #expect(found == ["1; what the test begins never ends": []])
  }

  @Test func `a server fails`() {
    let found = texts { world in
      var text = ""
      world.user("load") {
        do {
          text = try await world.answer("name", oneOf: [.success("me"), .failure(Offline())])
        } catch {
          text = "\(error)"
        }
      }
      world.shows { text }
    }
    #expect(
      found == ["me": [], "offline": ["the answer of 'name' to 'load' is the error offline"]])
  }

  @Test func `what a server answered is told in the order, too`() {
    let found = outcomes(WorldOptions(), allowed: nil) { world in
      var isLiked = false
      world.user("like") {
        isLiked = true
        let result = await world.answer("like", oneOf: [true, false])
        if !result { isLiked = false }
      }
      world.shows { isLiked }
    }
    #expect(
      found.outcomes.map(\.story) == [
        ["the user: like", "the answer of 'like' to 'like'"],
        ["the user: like", "the answer of 'like' to 'like' is false"],
      ])
  }

  @Test func `a server that never answers leaves its user waiting`() {
    let found = texts { world in
      var text = "idle"
      world.user("load") {
        text = "loading"
        _ = try? await world.neverAnswer("name")
        text = "over"
      }
      world.shows { text }
    }
    #expect(found == ["loading; 'load' never ends": []])
  }

  @Test func `what is not answered ends when it is cancelled`() {
    let found = texts { world in
      var text = "idle"
      world.user("load") {
        text = "loading"
        _ = try? await world.neverAnswer("name")
        text = "over"
      }
      world.user("leave") { world.cancel("load") }
      world.shows { text }
    }
    #expect(found == ["over": []])
  }

  @Test(arguments: [nil, "disk"]) func `answers of one source keep their order`(source: String?) {
    let found = texts { world in
      var text = ""
      for letter in ["a", "b"] {
        world.user("read \(letter)") {
          text += await world.answer("read \(letter)", letter, inOrderOf: source)
        }
      }
      world.shows { text }
    }
    #expect(Set(found.keys) == (source == nil ? ["ab", "ba"] : ["ab"]))
  }

  @Test func `a delegate is called twice`() {
    let found = texts { world in
      var text = ""
      world.user("connect") {
        for _ in 0..<2 { world.call("didConnect", from: "central") { text += "c" } }
      }
      world.user("disconnect") { text += "d" }
      world.shows { text }
    }
    #expect(Set(found.keys) == ["ccd", "cdc", "dcc"])
    #expect(
      found["cdc"] == ["the call 'didConnect' 2 of 'connect' is late: behind 'disconnect'"])
  }

  @Test func `animations that take as long come in their order`() {
    let found = texts { world in
      var text = ""
      for letter in ["a", "b"] {
        world.user("show \(letter)") {
          world.call("animation", from: "animations", after: .milliseconds(300)) { text += letter }
        }
      }
      world.shows { text }
    }
    #expect(Set(found.keys) == ["ab"])
  }

  @Test func `a user waits until a button is enabled`() {
    let found = texts { world in
      var (isEnabled, text) = (false, "")
      world.user("agree") {
        await world.answer("check", ())
        isEnabled = true
      }
      world.user("sign in", when: { isEnabled }) { text = "in" }
      world.shows { text }
    }
    #expect(found == ["in": []])
  }

  @Test func `a button that is never enabled is no success`() {
    let found = outcomes { world in
      world.user("sign in", when: { false }) {}
      world.shows { 1 }
    }
    #expect(
      found.doubts == ["'sign in' was never possible: nothing is known of what comes after it."])
  }

  @Test func `a clock from outside`() {
    let found = texts { world in
      let clock = world.clock
      var seconds: Duration = .zero
      world.user("wait") {
        let before = clock.now
        try? await clock.sleep(for: .seconds(90))
        seconds = before.duration(to: clock.now)
      }
      world.shows { seconds }
    }
    #expect(found == ["90.0 seconds": []])
  }

  @Test func `a user does not wait for a toast to go`() {
    let found = texts { world in
      var text = ""
      world.user("copy") {
        text = "copied"
        try? await world.clock.sleep(for: .milliseconds(800))
        text = ""
      }
      world.user("delete") { text = "deleted" }
      world.shows { text }
    }
    #expect(Set(found.keys) == ["deleted", ""])
    #expect(
      found[""] == ["the user does 'delete' without waiting for the timer of 800 ms of 'copy'"])
  }

  /// How often the fake goes through other functions before it asks changes nothing.
  @Test(arguments: [0, 1, 3]) func `hops in the fake change neither outcomes nor conditions`(
    hops: Int
  ) {
    @concurrent @Sendable func answer(_ world: World, _ hops: Int) async -> String {
      hops == 0 ? await world.answer("name", "me") : await answer(world, hops - 1)
    }
    let found = texts { world in
      var text = ""
      world.user("load") { text = await answer(world, hops) }
      world.user("clear") { text = "" }
      world.shows { text }
    }
    #expect(found == ["": [], "me": ["the answer of 'name' to 'load' is late: behind 'clear'"]])
  }

  @Test func `two values that read the same are two outcomes, and neither can be allowed`() {
    struct Secret: Equatable, CustomStringConvertible {
      let number: Int
      let description = "secret"
    }
    let found = outcomes(allowed: ["secret"]) { world in
      var number = 0
      world.user("load") { number = await world.answer("number", oneOf: [1, 2]) }
      world.shows { Secret(number: number) }
    }
    #expect(found.outcomes.map(\.text) == ["secret", "secret (value 2)"])
    #expect(found.outcomes.map(\.isAllowed) == [false, false])
  }

  @Test func `conditions hold always, at rest or at the end`() {
    let found = outcomes { world in
      var (isBusy, count) = (false, 0)
      world.user("load") {
        isBusy = true
        await world.answer("count", ())
        (isBusy, count) = (false, 1)
      }
      world.always("never busy") { !isBusy }
      world.atRest("not busy at rest") { !isBusy }
      world.atRest("has loaded at rest") { count == 1 }
      world.atEnd("has loaded at the end") { count == 1 }
    }
    #expect(found.broken.map(\.text) == ["has loaded at rest", "never busy"])
    #expect(found.verdict == .broken)
  }

  /// To tell what is not needed, no action is left out that a later one builds on.
  @Test func `actions may build on each other`() {
    @MainActor final class Detail {
      var text = ""
      func load(_ world: World) async { text = await world.answer("text", "loaded") }
    }
    let found = outcomes { world in
      var detail: Detail?
      world.user("open") { detail = Detail() }
      world.user("load") { await detail!.load(world) }
      world.user("clear") { detail!.text = "" }
      world.user("look") {}
      world.shows { detail!.text }
    }
    #expect(found.outcomes.map(\.text) == ["", "loaded"])
    #expect(found.needless == ["look"])
  }
}
