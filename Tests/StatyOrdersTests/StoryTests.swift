import Staty
import StatyOrders
import StatyTesting
import Synchronization
import Testing

/// What is told of an order, line by line.
@MainActor struct StoryTests {
  /// It shows who has signed in, and takes any answer while it loads.
  @MainActor private final class Profile {
    enum State: Hashable { case signedOut, loading, loaded(String) }

    private let track = StateTrack("profile", State.signedOut)
    private(set) var state = State.signedOut { didSet { track.moved(to: state) } }
    private let name: @Sendable () async -> String

    init(name: @escaping @Sendable () async -> String) { self.name = name }

    func signIn() async {
      state = .loading
      let name = await name()
      if state == .loading { state = .loaded(name) }
    }

    func signOut() { state = .signedOut }
  }

  /// Each sign-in is another person's.
  private static func scene(_ world: World, _ name: @escaping @Sendable () async -> String) {
    let profile = Profile(name: name)
    world.user("sign in") { await profile.signIn() }
    world.user("sign out") { profile.signOut() }
    world.user("sign in again") { await profile.signIn() }
    world.shows { profile.state }
  }

  private static func inOrder(_ world: World) {
    var names = ["Ada", "Bob"]
    scene(world) { @MainActor in await world.answer("name", names.removeFirst()) }
  }

  /// The line above a change, of those that are no changes.
  private func line(above change: String, in story: [String]) -> String? {
    story.lastIndex(of: change).flatMap { story[..<$0].last { !$0.hasPrefix(" ") } }
  }

  @Test func `a change stands below what led to it, also where another answer came between`() throws
  {
    let found = outcomes { Self.inOrder($0) }
    // The user waits for nothing: both answers come before either is used.
    var search = WorldSearch(WorldOptions()) { Self.inOrder($0) }
    let ada = try #require(search.run(repeating: "0:2 1:2").outcomes.first)
    #expect(
      ada.story.suffix(4) == [
        "the answer of 'name' to 'sign in'", "the answer of 'name' to 'sign in again'",
        "the rest of 'sign in'", "  profile moved to loaded(\"Ada\")",
      ])
    let usual = try #require(found.outcomes.first)
    #expect(
      line(above: "  profile moved to loaded(\"Bob\")", in: usual.story)
        == "the answer of 'name' to 'sign in again'")
  }

  @Test func `what an order is about is among its lines`() throws {
    let found = outcomes { world in
      // The request that comes first is answered with the first name.
      let names = Mutex(["Ada", "Bob"])
      Self.scene(world) { await world.answer("name", names.withLock { $0.removeFirst() }) }
    }
    let late = try #require(
      found.outcomes.first {
        $0.conditions.contains { $0.hasPrefix("the rest of 'sign in' is late") }
      })
    #expect(late.story.contains("the rest of 'sign in'"))
    #expect(found.extent.contains("before a 'world.answer' was reordered at random only"))
  }

  @Test func `a call of the platform stands above what it changes`() throws {
    enum Connection { case offline, online }
    let found = outcomes(allowed: []) { world in
      let track = StateTrack("connection", Connection.offline)
      var state = Connection.offline { didSet { track.moved(to: state) } }
      world.user("connect") {
        world.call("didConnect", from: "central") { state = .online }
      }
      world.shows { state }
    }
    #expect(
      found.outcomes.map(\.story) == [
        [
          "the user: connect", "the call 'didConnect' of 'connect'",
          "  connection moved to online",
        ]
      ])
  }

  @Test func `what the user could not do is said`() throws {
    let found = outcomes { world in
      var (isReady, count) = (false, 0)
      world.user("load") { isReady = await world.answer("ready", oneOf: [false, true]) }
      world.user("tap", when: { isReady }) { count += 1 }
      world.shows { count }
    }
    #expect(found.outcomes.map(\.text) == ["0", "1"])
    #expect(found.outcomes.first?.story.last == "'tap' was never possible")
    #expect(found.outcomes.last?.story.last == "the user: tap")
  }

  @Test func `whoever repeats an order gets this one, and no other is run`() throws {
    let all = outcomes { Self.inOrder($0) }
    let ada = try #require(all.outcomes.first { $0.text == "loaded(\"Ada\")" })
    var runs = 0
    var search = WorldSearch(WorldOptions()) { world in
      Self.inOrder(world)
      runs += 1
    }
    let only = search.run(repeating: ada.order)
    #expect(only.outcomes.map(\.order) == [ada.order])
    #expect(only.outcomes.map(\.story) == [ada.story])
    // Once to see how it ends, and once to tell it.
    #expect(runs == 2)
  }
}
