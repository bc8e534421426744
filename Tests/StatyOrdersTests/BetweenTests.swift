#if os(Linux)
  import Dispatch
  import StatyOrders
  import StatyTesting
  import Synchronization
  import Testing

  /// What comes between two pieces of code that wait for the main queue, and who waits for whom.
  @MainActor @Suite(.serialized) struct BetweenTests {
    /// A list that is counted on another thread.
    @MainActor private final class List {
      private let world: World
      private(set) var items: [String] = []
      private(set) var title = ""

      init(_ world: World) { self.world = world }

      func open() async {
        items = await world.answer("items", ["a", "b"])
        title = "\(items.count)"
      }

      nonisolated func count() {
        DispatchQueue.global().async { [self] in
          let count = DispatchQueue.main.sync { MainActor.assumeIsolated { items.count } }
          DispatchQueue.main.sync { MainActor.assumeIsolated { title = "\(count) counted" } }
        }
      }
    }

    @Test func `a late answer comes between two pieces of code of the main queue`() {
      let found = outcomes(WorldOptions(mostDeviations: 2)) { world in
        let list = List(world)
        world.user("open") { await list.open() }
        world.user("count") { list.count() }
        world.shows { list.title }
      }
      #expect(Set(found.outcomes.map(\.text)) == ["2 counted", "2", "0 counted"])
      for one in found.outcomes {
        var search = WorldSearch(WorldOptions(mostDeviations: 2)) { world in
          let list = List(world)
          world.user("open") { await list.open() }
          world.user("count") { list.count() }
          world.shows { list.title }
        }
        let again = search.run(repeating: one.order)
        #expect(again.outcomes.first?.text == one.text)
      }
    }

    @MainActor private final class Feed {
      var isLoading = true
      var items: [String] = []

      nonisolated func load(atOnce: Bool) {
        DispatchQueue.global().async { [self] in
          if !atOnce { DispatchQueue.main.sync { MainActor.assumeIsolated { isLoading = false } } }
          DispatchQueue.main.sync {
            MainActor.assumeIsolated {
              items = ["a"]
              isLoading = false
            }
          }
        }
      }
    }

    @Test(arguments: [false, true])
    func `what the screen shows between them is looked at`(atOnce: Bool) {
      let found = outcomes { world in
        let feed = Feed()
        world.user("load") { feed.load(atOnce: atOnce) }
        world.always("it is loading or has items") { feed.isLoading || !feed.items.isEmpty }
      }
      #expect(found.broken.isEmpty == atOnce)
    }

    private static let cache = DispatchQueue(label: "cache", attributes: .concurrent)

    @Test func `readers of a concurrent queue overtake each other, also in a later run`() {
      let found = outcomes { world in
        let log = Mutex("")
        world.user("read") {
          for letter in ["a", "b"] {
            Self.cache.async { log.withLock { $0 += letter } }
          }
        }
        world.user("clear") { Self.cache.async(flags: .barrier) { log.withLock { $0 += "." } } }
        world.shows { log.withLock(\.self) }
      }
      #expect(found.doubts == [])
      #expect(Set(found.outcomes.map(\.text)).isSuperset(of: ["ab.", "ba."]))
      // Nothing that was dispatched before a barrier comes behind it.
      #expect(found.outcomes.allSatisfy { $0.text.hasSuffix(".") })
    }

    @MainActor private final class Store {
      private let queue = DispatchQueue(label: "store")
      private let items = Mutex([String]())

      func load() { queue.async { [self] in items.withLock { $0 = ["a"] } } }
      func delete() { queue.async { [self] in items.withLock { $0 = [] } } }
      var isEmpty: Bool { queue.sync { items.withLock(\.isEmpty) } }
    }

    @Test func `a condition may read through a queue`() {
      let found = outcomes { world in
        let store = Store()
        world.user("load") { store.load() }
        world.user("delete", when: { !store.isEmpty }) { store.delete() }
        world.shows { store.isEmpty }
      }
      #expect(found.outcomes.map(\.text) == ["true"] && found.doubts == [])
    }

    @Test func `who sleeps for ever is cancelled at the end, and not woken`() {
      var wakes = 0
      let found = outcomes { world in
        world.user("watch") {
          do {
            try await Task.sleep(nanoseconds: .max)
            wakes += 1
          } catch {}
        }
        world.shows { "watching" }
      }
      #expect(wakes == 0)
      #expect(found.outcomes.count == 1)
    }

    private actor Chat {
      private(set) var failures = 0

      func listen(_ world: World) async {
        while true {
          do { try await world.neverAnswer("next") } catch { failures += 1 }
        }
      }
    }

    @Test func `who asks again for ever is left behind`() {
      let found = outcomes { world in
        let chat = Chat()
        world.user("listen") { await chat.listen(world) }
        world.shows { "chat" }
      }
      #expect(found.outcomes.map(\.text) == ["chat; 'listen' never ends"])
    }

    @MainActor private final class Socket {
      private let world: World
      private var isListening = false

      init(_ world: World) { self.world = world }

      func open() {
        for name in ["a", "b"] {
          Task {
            await world.answer(name, ())
            if isListening { return }
            await world.answer("token \(name)", ())
            isListening = true
            try? await world.neverAnswer("messages")
          }
        }
      }
    }

    @Test func `two listeners are not one`() {
      let found = outcomes { world in
        let socket = Socket(world)
        world.user("open") { socket.open() }
        world.shows { "open" }
      }
      #expect(found.outcomes.count == 2)
    }
  }
#endif
