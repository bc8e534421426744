import Foundation
import StatyTesting
import Testing

@testable import StatyOrders

/// What tells one outcome from another.
@MainActor struct ComparisonTests {
  // MARK: What never ends

  /// A socket that says from time to time that it is still there.
  @MainActor private final class Presence {
    private let world: World
    private var beat: Task<Void, Never>?
    private(set) var interval = 30

    init(_ world: World) { self.world = world }

    func connect() async {
      Task { for await _ in AsyncStream<String>.makeStream().stream {} }
      await world.answer("connected", ())
      restart()
    }

    func loadSettings() async {
      interval = await world.answer("settings", 10)
      restart()
    }

    private func restart() {
      beat?.cancel()
      beat = Task { [interval] in
        while (try? await Task.sleep(for: .seconds(interval))) != nil {}
      }
    }
  }

  /// An answer may be late until each tick of a clock: the first orders do.
  private var few: WorldOptions {
    var options = WorldOptions()
    (options.mostOrders, options.time) = (60, nil)
    return options
  }

  /// In one order the reader and the beat are one action's, in another order they are two actions'.
  @Test func `a beat that another action has begun anew is no difference`() {
    let found = outcomes(few) { world in
      let presence = Presence(world)
      world.user("connect") { await presence.connect() }
      world.user("load the settings") { await presence.loadSettings() }
      world.shows { presence.interval }
    }
    #expect(found.outcomes.map(\.text) == ["10; 'connect' never ends"] && found.doubts == [])
  }

  /// Who comes before the gate is open waits for its opening.
  @MainActor private final class Gate {
    private let remembers: Bool
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(remembers: Bool) { self.remembers = remembers }

    func pass() async {
      if remembers, isOpen { return }
      await withCheckedContinuation { waiters.append($0) }
    }

    func open() {
      isOpen = true
      for waiter in waiters { waiter.resume() }
      waiters = []
    }
  }

  @Test(arguments: [false, true]) func `what hangs beside a clock in one order only`(
    remembers: Bool
  ) throws {
    let found = outcomes(few) { world in
      let gate = Gate(remembers: remembers)
      var (seconds, name) = (0, "")
      world.user("open") {
        Task { while (try? await Task.sleep(for: .seconds(1))) != nil { seconds += 1 } }
        Task {
          name = await world.answer("name", "me")
          await gate.pass()
        }
        Task {
          await world.answer("sign-in", ())
          gate.open()
        }
      }
      world.shows { name }
    }
    try #require(found.doubts == [])
    #expect(
      found.outcomes.map(\.text)
        == (remembers ? ["me"] : ["me; 1 task goes on", "me; 2 tasks go on"]))
  }

  // MARK: What is equal

  /// As the rows of a list have it, of which only the identity tells which row moves where.
  private struct Item: Equatable {
    let id: Int
    let title: String
    static func == (one: Item, other: Item) -> Bool { one.id == other.id }
  }

  @Test func `equal rows that read otherwise are under doubt`() {
    let found = outcomes { world in
      var items: [Item] = []
      world.user("refresh") { items = [Item(id: 1, title: await world.answer("feed", "old"))] }
      world.user("save") { items = [Item(id: 1, title: await world.answer("saved", "new"))] }
      world.shows { items }
    }
    #expect(found.verdict == .inconclusive)
    #expect(
      found.doubts == [
        "Values that are equal read otherwise: '[StatyOrdersTests.ComparisonTests.Item(id: 1, title: \"new\")]' and '[StatyOrdersTests.ComparisonTests.Item(id: 1, title: "
          + "\"old\")]'. Their '==' leaves something out: let 'world.shows' return what is to be compared."
      ], "\(found.doubts)")
  }

  @Test func `a bug that is seen anyway is told instead`() {
    let found = outcomes { world in
      var (items, count) = ([Item](), 0)
      world.user("refresh") {
        (items, count) = ([Item(id: 1, title: await world.answer("feed", "old"))], 1)
      }
      world.user("save") {
        (items, count) = ([Item(id: 1, title: await world.answer("saved", "new"))], 2)
      }
      world.shows("items") { items }
      world.shows("count") { count }
    }
    #expect(found.verdict == .differs && found.doubts == [])
  }

  /// Each is made anew for each run, and two of them are equal all the same.
  private struct Toast: Equatable {
    let id = UUID()
    let text: String
    static func == (one: Toast, other: Toast) -> Bool { one.text == other.text }
  }

  private struct Marks: Equatable {
    var ids: Set<Int> = []
    var names: [Int: String] = [:]
  }

  private final class Page: NSObject {
    let number: Int
    init(_ number: Int) { self.number = number }
    override func isEqual(_ object: Any?) -> Bool { (object as? Page)?.number == number }
  }

  @Test func `identities, sets and objects may read otherwise`() {
    let found = outcomes { world in
      var (toasts, marks, pages) = ([Toast](), Marks(), [Page]())
      for number in 0..<4 {
        world.user("mark \(number)") {
          let name = await world.answer("name \(number)", "\(number)")
          marks.ids.insert(number)
          marks.names[number] = name
          toasts = [Toast(text: "marked")]
          pages = [Page(0), Page(1)]
        }
      }
      world.shows("toasts") { toasts }
      world.shows("marks") { marks }
      world.shows("pages") { pages }
    }
    #expect(found.verdict == .same, "\(found.doubts)")
  }

  @Test func `what is not equal to itself cannot be compared`() {
    let found = outcomes { world in
      var (sum, count) = (0.0, 0.0)
      world.user("load") {
        _ = await world.answer("rows", [Double]()).map { (sum, count) = (sum + $0, count + 1) }
      }
      world.shows("average") { sum / count }
    }
    #expect(
      found.doubts == [
        "'average' is not equal to itself, as a number that is none (NaN): it cannot be compared."
      ])
  }

  // MARK: What a sleep is meant to be

  @Test func `a step that takes its time makes no sleep longer`() {
    var running = RunningCode()
    running.began = .now - .milliseconds(80)
    #expect(running.delay(left: 1_249_990_000) == 1_250_000_000)
    #expect(running.delay(left: 1_279_990_000) == 1_280_000_000)
    // It was asked for when the step began.
    #expect(running.delay(left: 4_935_400_000) == 5_000_000_000)
  }
}
