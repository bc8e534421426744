#if os(Linux)
  import Dispatch
  import Foundation
  import StatyTesting
  import Synchronization
  import Testing

  @MainActor private final class Player {
    private(set) var isPlaying = false
    @inline(never) func load() {
      DispatchQueue.global().async {
        DispatchQueue.main.async { MainActor.assumeIsolated { self.isPlaying = true } }
      }
    }
    func pause() { isPlaying = false }
  }

  private final class ThreadLog: Sendable {
    let lines = Mutex<[String]>([])
    func note(_ place: String) {
      lines.withLock { $0.append("\(place) \(Thread.isMainThread)") }
    }
  }

  /// Dispatch queues and run loops, which are under control or noticed on Linux.
  @MainActor struct DispatchTests {
    @MainActor private final class Screen {
      var text = ""
    }

    @Test func `pause while loading, with DispatchQueue`() {
      let found = outcomes { world in
        let player = Player()
        world.user("load") { player.load() }
        world.user("pause") { player.pause() }
        world.shows { player.isPlaying ? "playing" : "paused" }
      }
      #expect(found.outcomes.map(\.text) == ["paused", "playing"])
      #expect(
        found.outcomes[1].conditions == [
          "block 1 of 'load' (Player.load()) is late: behind 'pause'"
        ])
    }

    @Test func `a timer of the run loop`() {
      let timer = Mutex<Timer?>(nil)
      let found = doubts { world in
        world.user("start") {
          timer.withLock {
            $0 = Timer.scheduledTimer(withTimeInterval: 900, repeats: false) { _ in }
          }
        }
      }
      timer.withLock { $0?.invalidate() }
      #expect(
        found == ["A timer of the run loop was set, which does not fire while orders are searched."]
      )
    }

    @Test func `a timer that is invalidated before the end`() {
      @MainActor final class Typing {
        private(set) var isShown = false
        private var timer: Timer?
        func typed() {
          isShown = true
          timer = Timer.scheduledTimer(withTimeInterval: 3, repeats: false) { [weak self] _ in
            MainActor.assumeIsolated { self?.isShown = false }
          }
        }
        func leave() { timer?.invalidate() }
      }
      let found = doubts { world in
        let typing = Typing()
        world.user("type") { typing.typed() }
        world.user("leave") { typing.leave() }
      }
      #expect(
        found == ["A timer of the run loop was set, which does not fire while orders are searched."]
      )
    }

    /// Without a barrier, what is read may be older than what was dispatched before.
    @Test func `a concurrent queue does not wait for what was dispatched to it`() {
      let found = outcomes { world in
        let queue = DispatchQueue(label: "values", attributes: .concurrent)
        let values = Mutex([Int]())
        var seen = 0
        world.user("save") { queue.async { values.withLock { $0.append(1) } } }
        world.user("show") { seen = queue.sync { values.withLock(\.count) } }
        world.shows { seen }
      }
      #expect(found.outcomes.map(\.text) == ["1", "0"])
      #expect(found.doubts == [])
    }

    /// A serial queue runs what was there when it was asked, and not what that dispatches.
    @Test func `a serial queue waits for what was dispatched to it before`() {
      let found = outcomes { world in
        let queue = DispatchQueue(label: "chunks")
        let read = Mutex(0)
        let isStopped = Mutex(false)
        @Sendable func next(_ left: Int) {
          queue.async {
            if left == 0 || isStopped.withLock(\.self) { return }
            read.withLock { $0 += 1 }
            next(left - 1)
          }
        }
        world.user("start") { next(3) }
        world.user("stop") { queue.sync { isStopped.withLock { $0 = true } } }
        world.shows { read.withLock(\.self) }
      }
      #expect(Set(found.outcomes.map(\.text)).isSubset(of: ["1", "2", "3"]))
      #expect(found.outcomes.count > 1 && found.doubts == [], "\(found.doubts)")
    }

    @Test func `what goes on outside of the control is named`() {
      let found = doubts { world in
        world.user("offline") {
          let queue = DispatchQueue(label: "requests")
          queue.suspend()
          queue.resume()
          DispatchWorkItem { @Sendable in }.notify(queue: .global()) { @Sendable in }
        }
      }
      #expect(
        found == [
          "DispatchQueue.suspend is not under control.",
          "DispatchGroup.notify is not under control.",
        ])
    }

    /// A queue that has no free thread starts one where it is asked.
    @Test func `threads of the queues are none of the app's`() {
      let found = doubts { world in
        world.user("load") {
          let group = DispatchGroup()
          for _ in 0..<4 {
            DispatchQueue(label: "own").async(group: group) { @Sendable in usleep(10_000) }
            DispatchQueue.global(qos: .background).async(group: group) { @Sendable in usleep(10_000)
            }
          }
          group.notify(queue: .global(qos: .utility)) { @Sendable in }
        }
      }
      #expect(
        found == [
          "DispatchQueue.async(group:) is not under control.",
          "DispatchGroup.notify is not under control.",
        ])
    }

    @Test func `a timer of the main run loop`() {
      let timer = Mutex<Timer?>(nil)
      let found = doubts { world in
        world.user("poll") {
          timer.withLock {
            let new = Timer(timeInterval: 3_600, repeats: true) { _ in }
            RunLoop.main.add(new, forMode: .default)
            $0 = new
          }
        }
      }
      timer.withLock { $0?.invalidate() }
      #expect(found.contains { $0.hasPrefix("A timer of the run loop was set") }, "\(found)")
    }

    @Test func `a group of dispatch`() {
      let found = doubts { world in
        world.user("load") {
          let group = DispatchGroup()
          group.notify(queue: .global()) { @Sendable in }
        }
      }
      #expect(found == ["DispatchGroup.notify is not under control."])
    }

    @Test func `blocks of a serial queue keep their order, those of another do not`() {
      let own = DispatchQueue(label: "own", attributes: .concurrent)
      for (queue, count) in [(DispatchQueue(label: "own"), 1), (.global(), 2), (own, 2)] {
        let found = outcomes { world in
          let order = Mutex("")
          world.user("start") {
            for letter in ["a", "b"] { queue.async { order.withLock { $0 += letter } } }
          }
          world.shows { order.withLock(\.self) }
        }
        #expect(found.outcomes.count == count)
        #expect(found.doubts == [])
      }
    }

    @Test func `blocks of later come in virtual time`() {
      let found = outcomes { world in
        var text = ""
        world.user("start") {
          DispatchQueue.main.asyncAfter(deadline: .now() + 20) {
            MainActor.assumeIsolated { text += "b" }
          }
          DispatchQueue.main.asyncAfter(wallDeadline: .now() + 10) {
            MainActor.assumeIsolated { text += "a" }
          }
        }
        world.shows { text }
      }
      #expect(found.outcomes.map(\.text) == ["ab"])
    }

    /// A block that is under control comes when the thread waits for it.
    @Test func `a semaphore that waits for a block`() {
      let found = outcomes { world in
        var text = ""
        world.user("load") {
          let done = DispatchSemaphore(value: 0)
          DispatchQueue.global().async { done.signal() }
          waitSynchronously(done)
          text = "loaded"
        }
        world.shows { text }
      }
      #expect(found.outcomes.map(\.text) == ["loaded"] && found.doubts == [])
    }

    @Test func `a serial queue runs one block at a time`() {
      let found = outcomes { world in
        let queue = DispatchQueue(label: "uploads")
        let log = Mutex("")
        world.user("upload") {
          for letter in ["a", "b"] {
            queue.async {
              let done = DispatchSemaphore(value: 0)
              DispatchQueue.global().async { done.signal() }
              waitSynchronously(done)
              log.withLock { $0 += letter }
            }
          }
        }
        world.shows { log.withLock(\.self) }
      }
      #expect(found.outcomes.map(\.text) == ["ab"] && found.doubts == [])
    }

    @Test func `the main queue keeps its order for what waits`() {
      let found = outcomes { world in
        let screen = Screen()
        world.user("load") {
          DispatchQueue.global().async {
            DispatchQueue.main.async { MainActor.assumeIsolated { screen.text += "a" } }
            DispatchQueue.main.sync { MainActor.assumeIsolated { screen.text += "b" } }
          }
        }
        world.shows { screen.text }
      }
      #expect(found.outcomes.map(\.text) == ["ab"] && found.doubts == [])
    }

    @Test func `blocks of the main queue that wait as long keep their order`() {
      let found = outcomes { world in
        let screen = Screen()
        world.user("start") {
          for letter in ["a", "b"] {
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) {
              MainActor.assumeIsolated { screen.text += letter }
            }
          }
        }
        world.shows { screen.text }
      }
      #expect(found.outcomes.map(\.text) == ["ab"])
    }

    @Test func `a semaphore that nothing signals does not hang the test`() {
      var options = WorldOptions()
      options.mostOrders = 1
      let found = doubts(options) { world in
        world.user("load") { waitSynchronously(DispatchSemaphore(value: 0)) }
      }
      #expect(found == ["DispatchSemaphore.wait is not under control."])
    }

    @Test func `what a queue was given comes before what is waited for`() {
      for queue in [
        DispatchQueue(label: "serial"), DispatchQueue(label: "own", attributes: .concurrent),
      ] {
        let found = outcomes { world in
          let values = Mutex(["old"])
          var seen: [String] = []
          world.user("save") {
            queue.async(flags: .barrier) { values.withLock { $0.append("new") } }
            seen = queue.sync { values.withLock(\.self) }
          }
          world.shows { seen }
        }
        #expect(found.outcomes.map(\.text) == [#"["old", "new"]"#] && found.doubts == [])
      }
    }

    @Test func `a barrier does not overtake what was dispatched before it`() {
      let found = outcomes { world in
        // A queue that has had a barrier keeps its order from then on.
        let queue = DispatchQueue(label: "own", attributes: .concurrent)
        let values = Mutex(["a": "one"])
        let screen = Screen()
        world.user("open") {
          queue.async {
            let value = values.withLock { $0["a"] } ?? "missing"
            DispatchQueue.main.async { MainActor.assumeIsolated { screen.text = value } }
          }
        }
        world.user("clear") { queue.async(flags: .barrier) { values.withLock { $0 = [:] } } }
        world.shows { screen.text }
      }
      #expect(found.outcomes.map(\.text) == ["one"] && found.doubts == [])
    }

    @Test func `a block knows its queue`() {
      let key = DispatchSpecificKey<Bool>()
      let queue = DispatchQueue(label: "own")
      queue.setSpecific(key: key, value: true)
      let found = outcomes { world in
        let seen = Mutex("")
        world.user("save") {
          let isOutside = DispatchQueue.getSpecific(key: key) == nil
          queue.async {
            let isInside = DispatchQueue.getSpecific(key: key) ?? false
            seen.withLock { $0 = isOutside && isInside ? "known" : "unknown" }
          }
        }
        world.user("read") {
          let isInside = queue.sync { DispatchQueue.getSpecific(key: key) ?? false }
          if !isInside { seen.withLock { $0 = "unknown" } }
        }
        world.shows { seen.withLock(\.self) }
      }
      #expect(found.outcomes.map(\.text) == ["known"] && found.doubts == [])
    }

    @Test func `what runs on the pool is not on the main thread`() {
      let found = outcomes { world in
        let log = ThreadLog()
        world.user("load") {
          log.note("action")
          await Task.detached { log.note("pool") }.value
          await withUnsafeContinuation { continuation in
            DispatchQueue.global().async {
              log.note("queue")
              DispatchQueue.main.sync { log.note("synced") }
              DispatchQueue.main.async {
                log.note("main")
                continuation.resume()
              }
            }
          }
        }
        world.shows { log.lines.withLock(\.self) }
      }
      #expect(
        found.outcomes.map(\.text) == [
          #"["action true", "pool false", "queue false", "synced true", "main true"]"#
        ])
    }

    /// Between the check on the queue and the change on the main actor, the user can cancel.
    @Test func `what goes to the main thread unless it is there can come too late`() {
      @MainActor final class Cell {
        private(set) var image = ""
        private let isReused = Mutex(false)
        func load() {
          DispatchQueue.global().async {
            if self.isReused.withLock(\.self) { return }
            self.onMain { self.image = "loaded" }
          }
        }
        nonisolated private func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
          if Thread.isMainThread {
            MainActor.assumeIsolated(body)
          } else {
            DispatchQueue.main.async { MainActor.assumeIsolated(body) }
          }
        }
        func reuse() {
          isReused.withLock { $0 = true }
          image = ""
        }
      }
      let found = outcomes { world in
        let cell = Cell()
        world.user("show") { cell.load() }
        world.user("reuse") { cell.reuse() }
        world.shows { cell.image }
      }
      #expect(found.outcomes.map(\.text) == ["", "loaded"])
    }

    @Test func `a block of another queue that takes itself for the main actor ends the process`()
      async
    {
      await #expect(processExitsWith: .failure) {
        await MainActor.run {
          _ = outcomes { world in
            world.user("load") { DispatchQueue.global().async { MainActor.assumeIsolated {} } }
          }
        }
      }
    }

    @Test func `a block waits for one on the main queue`() {
      let found = outcomes { world in
        let screen = Screen()
        world.user("load") {
          DispatchQueue.global().async {
            let name = DispatchQueue.main.sync {
              MainActor.assumeIsolated { screen.text + "loaded" }
            }
            DispatchQueue.main.async { MainActor.assumeIsolated { screen.text = name } }
          }
        }
        world.shows { screen.text }
      }
      #expect(found.outcomes.map(\.text) == ["loaded"] && found.doubts == [])
    }
  }

  /// What waits for what, and what comes meanwhile.
  @MainActor struct DispatchWaitTests {
    /// Asks the main queue on its own queue for what it writes.
    @MainActor private final class Draft {
      private(set) var text = "draft"
      private(set) var saved = ""
      private let queue = DispatchQueue(label: "drafts")
      private let file = Mutex("")
      private let asksTheMainQueue: Bool
      init(asksTheMainQueue: Bool) { self.asksTheMainQueue = asksTheMainQueue }

      func save() {
        let text = text
        queue.async { [self] in
          var current = text
          if asksTheMainQueue {
            current = DispatchQueue.main.sync { MainActor.assumeIsolated { self.text } }
          }
          file.withLock { $0 = current }
        }
      }
      func close() { saved = queue.sync { file.withLock(\.self) } }
      func flush() {
        let done = DispatchSemaphore(value: 0)
        save()
        queue.async { done.signal() }
        waitSynchronously(done)
        saved = file.withLock(\.self)
      }
    }

    @Test(arguments: [false, true])
    func `the main queue waits for a block that waits for the main queue`(asks: Bool) {
      let found = outcomes { world in
        let draft = Draft(asksTheMainQueue: asks)
        world.user("save") { draft.save() }
        world.user("close") { draft.close() }
        world.shows { draft.saved }
      }
      #expect(found.verdict == (asks ? .inconclusive : .same), "\(found.doubts)")
      #expect(
        found.doubts
          == (asks
            ? [
              "DispatchQueue.main.sync in a block that the main thread waits for waits for ever."
            ] : []))
    }

    @Test(arguments: [false, true])
    func `the main thread waits for a signal of a block that waits for it`(asks: Bool) {
      let found = outcomes { world in
        let draft = Draft(asksTheMainQueue: asks)
        world.user("flush") { draft.flush() }
        world.shows { draft.saved }
      }
      #expect(found.verdict == (asks ? .inconclusive : .same), "\(found.doubts)")
      #expect(found.doubts.isEmpty != asks)
    }

    @Test func `a queue that waits for its own block waits for ever`() {
      var options = WorldOptions()
      options.mostOrders = 1
      let found = doubts(options) { world in
        let queue = DispatchQueue(label: "own")
        world.user("save") {
          queue.sync {
            let done = DispatchSemaphore(value: 0)
            queue.async { done.signal() }
            waitSynchronously(done)
          }
        }
      }
      #expect(found == ["DispatchSemaphore.wait is not under control."])
    }

    @Test func `a queue that waits for itself waits for ever`() {
      let found = doubts { world in
        let queue = DispatchQueue(label: "own")
        world.user("save") { queue.sync { queue.sync {} } }
      }
      #expect(
        found == ["DispatchQueue.sync on the queue whose block is running waits for ever."])
    }

    @Test func `who reads a concurrent queue may read it within, also behind a barrier`() {
      let found = outcomes { world in
        let queue = DispatchQueue(label: "values", attributes: .concurrent)
        let values = Mutex(0)
        var seen = 0
        world.user("save") { queue.async(flags: .barrier) { values.withLock { $0 = 1 } } }
        world.user("show") { seen = queue.sync { queue.sync { values.withLock(\.self) } } }
        world.shows { seen }
      }
      #expect(found.outcomes.map(\.text) == ["1"] && found.doubts == [])
    }

    /// Shows a name on the main queue, after it has asked there whether the user is signed in.
    @MainActor private final class Profile {
      private(set) var name = "none"
      private var isSignedIn = true
      private let looksAgain: Bool
      init(looksAgain: Bool) { self.looksAgain = looksAgain }

      func load() {
        DispatchQueue.global().async { [self] in
          let isSignedIn = DispatchQueue.main.sync {
            MainActor.assumeIsolated { self.isSignedIn }
          }
          guard isSignedIn else { return }
          DispatchQueue.main.sync { MainActor.assumeIsolated { show("me") } }
        }
      }
      private func show(_ name: String) {
        if looksAgain, !isSignedIn { return }
        self.name = name
      }
      func signOut() { (isSignedIn, name) = (false, "none") }
    }

    @Test(arguments: [false, true])
    func `the user acts while a block waits for the main queue`(looksAgain: Bool) {
      let found = outcomes { world in
        let profile = Profile(looksAgain: looksAgain)
        world.user("load") { profile.load() }
        world.user("sign out") { profile.signOut() }
        world.shows { profile.name }
      }
      #expect(found.outcomes.map(\.text) == (looksAgain ? ["none"] : ["none", "me"]))
      #expect(found.verdict == (looksAgain ? .same : .differs), "\(found.doubts)")
      if looksAgain { return }
      let condition = found.outcomes[1].conditions.joined()
      #expect(condition.hasPrefix("the user does 'sign out' while block 1 of 'load'"))
      #expect(condition.hasSuffix(" waits for the main queue"))
      var search = WorldSearch(WorldOptions()) { world in
        let profile = Profile(looksAgain: false)
        world.user("load") { profile.load() }
        world.user("sign out") { profile.signOut() }
        world.shows { profile.name }
      }
      #expect(search.run(repeating: found.outcomes[1].order).outcomes.map(\.text) == ["me"])
    }

    /// Counts its items on another queue.
    @MainActor private final class Inbox {
      private var items: [String] = []
      private(set) var title = ""
      func open(_ world: World) async {
        DispatchQueue.global().async { [self] in
          let count = DispatchQueue.main.sync { MainActor.assumeIsolated { items.count } }
          DispatchQueue.main.sync { MainActor.assumeIsolated { title = "\(count)" } }
        }
        items = await world.answer("items", ["a", "b"])
        title = "\(items.count)"
      }
    }

    @Test func `an answer comes while a block waits for the main queue`() {
      let found = outcomes { world in
        let inbox = Inbox()
        world.user("open") { await inbox.open(world) }
        world.shows { inbox.title }
      }
      #expect(Set(found.outcomes.map(\.text)) == ["2", "0"] && found.doubts == [])
    }

    @Test(arguments: [false, true])
    func `blocks that are waited for come in any order, but for those of a serial queue`(
      isSerial: Bool
    ) {
      let found = outcomes { world in
        let queue = isSerial ? DispatchQueue(label: "own") : .global()
        let log = Mutex("")
        var text = ""
        world.user("load") {
          let done = DispatchSemaphore(value: 0)
          for letter in ["a", "b"] {
            queue.async {
              log.withLock { $0 += letter }
              done.signal()
            }
          }
          for _ in 0..<2 { waitSynchronously(done) }
          text = log.withLock(\.self)
        }
        world.shows { text }
      }
      #expect(Set(found.outcomes.map(\.text)) == (isSerial ? ["ab"] : ["ab", "ba"]))
      #expect(found.doubts == [])
    }

    @Test func `what is waited for comes before a block that needs the lock of the waiting code`() {
      let found = outcomes { world in
        let values = Mutex(0)
        world.user("load") { DispatchQueue.global().async { values.withLock { $0 += 1 } } }
        world.user("save") {
          values.withLock {
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async { done.signal() }
            waitSynchronously(done)
            $0 += 10
          }
        }
        world.shows { values.withLock(\.self) }
      }
      #expect(found.outcomes.map(\.text) == ["11"] && found.doubts == [])
    }
  }

  /// Which queue a block is on, and what that means for its order.
  @MainActor struct DispatchQueueTests {
    @MainActor private final class Screen {
      var text = ""
    }

    /// How two blocks can come, each on a queue of its own.
    private func orders(
      _ first: @escaping @MainActor () -> DispatchQueue,
      _ second: @escaping @MainActor () -> DispatchQueue
    ) -> Set<String> {
      let found = outcomes { world in
        let log = Mutex("")
        world.user("start") {
          first().async { log.withLock { $0 += "a" } }
          second().async { log.withLock { $0 += "b" } }
        }
        world.shows { log.withLock(\.self) }
      }
      #expect(found.doubts == [])
      return Set(found.outcomes.map(\.text))
    }

    /// The memory of a queue that is freed may become another queue.
    @Test func `two queues that nothing but their blocks holds are two queues`() {
      #expect(
        orders({ DispatchQueue(label: "a") }, { DispatchQueue(label: "b") }) == ["ab", "ba"])
    }

    @Test func `one of many queues is concurrent, too, and one that is activated later`() {
      let many = (0..<300).map { DispatchQueue(label: "\($0)", attributes: .concurrent) }
      #expect(orders({ many[299] }, { many[299] }) == ["ab", "ba"])
      let late = DispatchQueue(label: "late", attributes: [.concurrent, .initiallyInactive])
      late.activate()
      #expect(orders({ late }, { late }) == ["ab", "ba"])
    }

    @Test func `queues with one serial target keep their order, and others do not`() {
      let target = DispatchQueue(label: "database")
      let (one, other) = (
        DispatchQueue(label: "one", target: target),
        DispatchQueue(label: "other", attributes: .concurrent, target: target)
      )
      #expect(orders({ one }, { other }) == ["ab"])
      let later = DispatchQueue(label: "later", attributes: .initiallyInactive)
      later.setTarget(queue: target)
      later.activate()
      #expect(orders({ one }, { later }) == ["ab"])
      let pool = DispatchQueue(label: "pool", attributes: .concurrent)
      let (first, second) = (
        DispatchQueue(label: "first", target: pool), DispatchQueue(label: "second", target: pool)
      )
      #expect(orders({ first }, { second }) == ["ab", "ba"])
    }

    @Test func `a queue whose target is the main queue is the main queue`() {
      let found = outcomes { world in
        let queue = DispatchQueue(label: "screen", target: .main)
        let screen = Screen()
        world.user("load") {
          queue.async { MainActor.assumeIsolated { screen.text += "a" } }
          DispatchQueue.global().async {
            queue.sync { MainActor.assumeIsolated { screen.text += "b" } }
          }
        }
        world.shows { screen.text }
      }
      #expect(found.outcomes.map(\.text) == ["ab"] && found.doubts == [])
    }

    @Test func `a work item that is a barrier does not overtake what was dispatched before it`() {
      for flags: DispatchWorkItemFlags in [.barrier, [.barrier, .enforceQoS]] {
        let found = outcomes { world in
          let queue = DispatchQueue(label: "own", attributes: .concurrent)
          let values = Mutex(["a": "one"])
          let screen = Screen()
          world.user("open") {
            queue.async {
              let value = values.withLock { $0["a"] } ?? "missing"
              DispatchQueue.main.async { MainActor.assumeIsolated { screen.text = value } }
            }
          }
          world.user("clear") {
            queue.async(
              execute: DispatchWorkItem(flags: flags) { @Sendable in values.withLock { $0 = [:] } })
          }
          world.shows { screen.text }
        }
        #expect(found.outcomes.map(\.text) == ["one"] && found.doubts == [])
      }
    }

    @Test func `blocks of the main queue come in the order of their times`() {
      let found = outcomes { world in
        let screen = Screen()
        world.user("start") {
          for (letter, delay) in [("b", 0.33), ("a", 0.3)] {
            DispatchQueue.main.asyncAfter(deadline: .now() + delay) {
              MainActor.assumeIsolated { screen.text += letter }
            }
          }
        }
        world.shows { screen.text }
      }
      #expect(found.outcomes.map(\.text) == ["ab"] && found.doubts == [])
    }

    @Test func `a condition on the queue that holds is no doubt`() {
      let found = outcomes { world in
        let target = DispatchQueue(label: "database")
        let queue = DispatchQueue(label: "rows", target: target)
        let shared = DispatchQueue(label: "shared", attributes: .concurrent)
        world.user("load") {
          dispatchPrecondition(condition: .onQueue(.main))
          dispatchPrecondition(condition: .notOnQueue(queue))
          queue.sync {
            dispatchPrecondition(condition: .onQueue(queue))
            dispatchPrecondition(condition: .onQueue(.main))
          }
          queue.async {
            dispatchPrecondition(condition: .onQueue(queue))
            dispatchPrecondition(condition: .onQueueAsBarrier(target))
            dispatchPrecondition(condition: .notOnQueue(.main))
            DispatchQueue.main.sync { dispatchPrecondition(condition: .onQueue(queue)) }
          }
          shared.async(flags: .barrier) {
            dispatchPrecondition(condition: .onQueueAsBarrier(shared))
          }
        }
        world.shows { 1 }
      }
      #expect(found.doubts == [] && found.verdict == .same)
    }

    @Test func `a condition on the queue that does not hold is named`() {
      let queue = DispatchQueue(label: "own", attributes: .concurrent)
      func failure(
        _ condition: @escaping @Sendable () -> DispatchPredicate, isInside: Bool = false
      ) -> [String] {
        doubts { world in
          world.user("load") {
            if isInside {
              queue.async { dispatchPrecondition(condition: condition()) }
            } else {
              dispatchPrecondition(condition: condition())
            }
          }
        }
      }
      func words(_ name: String) -> [String] {
        ["'dispatchPrecondition(.\(name))' does not hold, which ends the app."]
      }
      #expect(failure { .onQueue(queue) } == words("onQueue"))
      #expect(failure { .notOnQueue(.main) } == words("notOnQueue"))
      #expect(failure({ .notOnQueue(queue) }, isInside: true) == words("notOnQueue"))
      #expect(failure({ .onQueueAsBarrier(queue) }, isInside: true) == words("onQueueAsBarrier"))
      #expect(failure({ .onQueue(.main) }, isInside: true) == words("onQueue"))
    }

    @Test func `what runs on the pool is not on the main queue`() {
      let key = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: key, value: true)
      defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
      let found = outcomes { world in
        let screen = Screen()
        world.user("load") {
          let isMain = DispatchQueue.getSpecific(key: key) ?? false
          Task.detached {
            let isDetachedMain = DispatchQueue.getSpecific(key: key) ?? false
            await MainActor.run { screen.text = "\(isMain) \(isDetachedMain)" }
          }
        }
        world.shows { screen.text }
      }
      #expect(found.outcomes.map(\.text) == ["true false"] && found.doubts == [])
    }
  }

  /// Swift forbids it in asynchronous code, and apps do it in functions that such code calls.
  private func waitSynchronously(_ semaphore: DispatchSemaphore) { semaphore.wait() }
#endif
