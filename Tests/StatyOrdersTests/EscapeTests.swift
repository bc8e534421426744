import Dispatch
import Foundation
import StatyTesting
import Synchronization
import Testing

/// What is not under control, or never ends, is noticed and named.
@MainActor struct EscapeTests {
  @Test func `a loop that yields for ever`() {
    let found = doubts { world in
      world.user("spin") { while !Task.isCancelled { await Task.yield() } }
    }
    #expect(found == ["The rest of 'spin' had not come to rest after 10000 steps."])
  }

  @Test func `tasks that make tasks without end`() {
    @MainActor func more() { Task { more() } }
    let found = doubts { world in world.user("grow") { more() } }
    #expect(
      found.count == 1 && found[0].hasPrefix("Task ")
        && found[0].hasSuffix("had not come to rest after 10000 steps."))
  }

  @Test func `a clock on the screen is at rest`() {
    let found = outcomes { world in
      var seconds = 0
      world.user("open") {
        while (try? await Task.sleep(for: .seconds(1))) != nil { seconds += 1 }
      }
      world.user("close") { world.cancel("open") }
      world.shows { seconds > 0 }
    }
    #expect(found.doubts == [])
  }

  /// A sleep that is cancelled returns at once, and an actor goes on without a pause.
  @Test func `an actor that polls for ever is left at the end`() {
    actor Poller {
      private(set) var count = 0
      func run() async {
        while true {
          try? await Task.sleep(for: .seconds(1))
          count += 1
        }
      }
    }
    var options = WorldOptions()
    options.mostOrders = 10
    let found = outcomes(options) { world in
      let poller = Poller()
      world.user("open") { await poller.run() }
      world.shows { 1 }
    }
    #expect(found.outcomes.map(\.text) == ["1"] && found.doubts == [])
  }

  @Test func `a function that waits beside a clock that ticks never ends`() {
    var options = WorldOptions()
    options.mostOrders = 10
    for waits in [false, true] {
      let found = outcomes(options) { world in
        var seconds = 0
        world.user("open") {
          Task { while (try? await Task.sleep(for: .seconds(1))) != nil { seconds += 1 } }
          if waits { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        }
        world.shows { seconds > 0 }
      }
      #expect(found.outcomes.map(\.text) == [waits ? "true; 'open' never ends" : "true"])
    }
  }

  /// What the body says below the wait is never heard: here that the user sends anything at all.
  @Test func `a body that never returns has not said everything`() {
    let found = doubts { world in
      var ids: [Int] = []
      world.always("no message is there twice") { Set(ids).count == ids.count }
      for await id in AsyncStream<Int>.makeStream().stream { ids.append(id) }
      world.user("send") { ids += [1, 1] }
    }
    #expect(
      found == [
        "The test itself never returns, and what it says below that place is not heard: let "
          + "'world.user' or a 'Task' wait."
      ])
  }

  @Test func `a body whose task goes on has said everything`() {
    let found = outcomes { world in
      Task { for await _ in AsyncStream<Int>.makeStream().stream {} }
      world.shows { 1 }
    }
    #expect(found.verdict == .same)
  }

  /// A model that is made once for the process asks the world in which it was made.
  @Test func `a model that is kept from an earlier test is in no test's hands`() {
    @MainActor final class Kept {
      static var world: World?
      var text = ""
      func load() async {
        text = "loading"
        text = await Self.world?.answer("text", "loaded") ?? ""
      }
    }
    let model = Kept()
    for _ in 0..<2 {
      let found = doubts { world in
        Kept.world = Kept.world ?? world
        world.user("load") { await model.load() }
        world.shows { model.text }
      }
      #expect(
        found.contains(
          "'text' was asked of the world of an earlier run: an object is kept between runs."))
    }
  }

  @Test func `real time does not pass`() {
    let began = ContinuousClock.now
    let found = outcomes { world in
      var text = ""
      world.user("wait") {
        try? await Task.sleep(for: .seconds(100_000))
        text = "done"
      }
      world.shows { text }
    }
    #expect(found.outcomes.map(\.text) == ["done"])
    #expect(ContinuousClock.now - began < .seconds(10_000))
  }

  @Test func `an object that is shared by all runs`() {
    let shared = Mutex(0)
    let found = doubts { world in
      let before = shared.withLock {
        $0 += 1
        return $0
      }
      world.user("tap") {}
      world.shows("count") { before }
    }
    #expect(found.contains { $0.hasPrefix("The same order did not happen twice") })
  }

  @Test func `a random number`() {
    let found = doubts { world in
      let number = Int.random(in: 0..<1_000_000)
      world.shows("number") { number }
    }
    #expect(found.contains { $0.hasPrefix("The same order did not happen twice") })
  }

  @Test func `a detached task that a thread resumes after its run was over`() async throws {
    var options = WorldOptions()
    options.patience = .milliseconds(20)
    _ = outcomes(options) { world in
      world.shows { 1 }
      world.user("load") {
        Task {
          await withUnsafeContinuation { done in
            Thread {
              Thread.sleep(forTimeInterval: 0.1)
              done.resume()
            }.start()
          }
        }
      }
    }
    // It does no harm to what follows.
    try await Task.sleep(for: .milliseconds(150))
    #expect(outcomes { $0.shows { 1 } }.doubts == [])
  }

  /// A device's thread that is there before the test, and answers after a while.
  private final class Device: Sendable {
    private let waiting = Mutex<[UnsafeContinuation<String, Never>]>([])
    private let isOver = Mutex(false)

    func begin(pause: TimeInterval = 0.03) {
      Thread { [self] in
        while !isOver.withLock({ $0 }) {
          Thread.sleep(forTimeInterval: pause)
          let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
          }
          for one in all { one.resume(returning: "on") }
        }
      }.start()
    }

    func end() { isOver.withLock { $0 = true } }

    func state() async -> String {
      await withUnsafeContinuation { one in waiting.withLock { $0.append(one) } }
    }
  }

  @Test func `a detached task that an old thread answers`() {
    @MainActor final class Model {
      private(set) var text = ""
      func show(_ state: String) { text = state }
    }
    let device = Device()
    device.begin()
    defer { device.end() }
    let found = doubts { world in
      let model = Model()
      world.user("look") {
        Task.detached {
          let state = await device.state()
          await model.show(state)
        }
      }
      world.shows("state") { model.text }
    }
    #expect(found.contains { $0.hasPrefix("Another thread went on with") }, "\(found)")
  }

  /// A task of the pool waits for nothing in each order: what one order waits for has its time.
  @Test func `an old thread that answers in one order only`() {
    let device = Device()
    device.begin(pause: 0.12)
    defer { device.end() }
    let found = outcomes { world in
      var (isClosed, text) = (false, "")
      let events = AsyncStream<Int>.makeStream().stream
      Task.detached { for await _ in events {} }
      world.user("load") {
        text = await world.answer("text", "loaded")
        if isClosed { text = await device.state() }
      }
      world.user("close") { isClosed = true }
      world.shows("text") { text }
    }
    #expect(Set(found.outcomes.map(\.text)) == ["text: loaded", "text: on"])
    #expect(found.verdict == .inconclusive)
  }

  @Test func `a test that throws`() {
    struct Wrong: Error {}
    let found = outcomes { world in
      world.shows { 1 }
      throw Wrong()
    }
    #expect(found.outcomes.map(\.text) == ["1; the test throws Wrong()"])
    // What it had still to say was not heard.
    #expect(found.doubts == ["The test throws Wrong()."])
  }

  @Test func `an object that is kept, and only a condition looks at`() {
    final class Kept { var isShown = false }
    let kept = Kept()
    let found = outcomes { world in
      var shows = false
      world.user("launch") {
        _ = await world.answer("config", 1)
        if !kept.isShown { (kept.isShown, shows) = (true, true) }
      }
      world.user("look") {}
      world.atEnd("it is shown") { shows }
    }
    #expect(found.doubts.contains { $0.hasPrefix("The same order did not happen twice") })
    #expect(found.verdict == .inconclusive)
  }

  @Test func `a thread that only sets a value`() {
    let value = Mutex(0)
    let found = doubts { world in
      world.user("count") { Thread { value.withLock { $0 += 1 } }.start() }
    }
    #expect(found.contains("A new thread is not under control."))
  }

  @Test func `an actor on a thread of its own`() {
    let found = doubts { world in
      let actor = OnThread()
      var text = ""
      world.user("load") {
        await actor.add("a")
        text = "loaded"
      }
      world.shows("text") { text }
    }
    #expect(found.contains("Another thread went on with the rest of 'load'."))
  }

  @Test func `a thread that calls for the world`() {
    let found = doubts { world in
      world.user("load") { Thread { world.call("loaded") {} }.start() }
    }
    #expect(found.contains("A new thread is not under control."))
  }

  @Test func `an action that is not there cannot be cancelled`() {
    let found = doubts { world in world.user("leave") { world.cancel("opne") } }
    #expect(found == ["There is no action 'opne' to cancel."])
  }

  @Test func `an action whose name another one begins with is not numbered`() {
    let found = outcomes { world in
      var text = "idle"
      world.user("load (all)") {}
      world.user("load") {
        _ = try? await world.neverAnswer("items")
        text = "over"
      }
      world.user("leave") { world.cancel("load") }
      world.shows { text }
    }
    #expect(found.outcomes.map(\.text) == ["over"] && found.doubts == [])
  }

  @Test func `an action that becomes impossible is another outcome`() {
    let found = outcomes { world in
      var (loading, epoch) = (0, 0)
      world.user("refresh") {
        loading += 1
        let began = epoch
        await world.answer("refresh", ())
        if began == epoch { loading -= 1 }
      }
      world.user("reset") { epoch += 1 }
      world.user("save", when: { loading == 0 }) {}
      world.shows { "list" }
    }
    #expect(found.outcomes.map(\.text) == ["list", "list; 'save' is never possible"])
  }
}

/// Runs an actor on a thread, as a database does.
private final class ThreadExecutor: SerialExecutor {
  static let shared = ThreadExecutor()
  private let jobs = Mutex<[UnownedJob]>([])
  private let semaphore = DispatchSemaphore(value: 0)

  private init() {
    Thread { [self] in
      while true {
        semaphore.wait()
        let job = jobs.withLock { $0.removeFirst() }
        job.runSynchronously(on: asUnownedSerialExecutor())
      }
    }.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    semaphore.signal()
  }
}

private actor OnThread {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    ThreadExecutor.shared.asUnownedSerialExecutor()
  }
  private var items: [String] = []
  func add(_ item: String) { items.append(item) }
}
