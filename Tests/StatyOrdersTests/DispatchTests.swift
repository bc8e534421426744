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

  /// Swift forbids it in asynchronous code, and apps do it in functions that such code calls.
  private func waitSynchronously(_ semaphore: DispatchSemaphore) { semaphore.wait() }
#endif
