import Staty
import StatyTesting
import Testing

/// Expectations of how plain async code ends.
@MainActor @Suite struct WorldTests {
  enum Phase: Hashable { case signedOut, refreshing, signedIn }

  /// Signs in again when a token comes after the user has signed out.
  @MainActor final class Account {
    let track = StateTrack("account", Phase.signedIn)
    private(set) var phase = Phase.signedIn { didSet { track.moved(to: phase) } }
    private let world: World
    private let looksAgain: Bool

    init(_ world: World, looksAgain: Bool = false) {
      (self.world, self.looksAgain) = (world, looksAgain)
    }

    func refresh() async {
      await track.received("refresh") {
        phase = .refreshing
        _ = await world.answer("token", "abc")
        if looksAgain, phase != .refreshing { return }
        phase = .signedIn
      }
    }
    func signOut() { track.received("sign out") { phase = .signedOut } }
  }

  private func scene(_ world: World, looksAgain: Bool = false) {
    let account = Account(world, looksAgain: looksAgain)
    world.user("look at the settings") {}
    world.user("refresh") { await account.refresh() }
    world.user("sign out") { account.signOut() }
    world.shows { account.phase }
  }

  /// A stub that answers at once hides the bug of the scene.
  @Test func `a test in which nothing can come in another order is warned`() {
    for isStub in [true, false] {
      let found = issues {
        expectOneOutcome { world in
          var phase = Phase.signedIn
          world.user("refresh") {
            phase = .refreshing
            if !isStub { _ = await world.answer("token", "abc") }
            if phase == .refreshing { phase = .signedIn }
          }
          world.user("sign out") { phase = .signedOut }
          world.shows { phase }
        }
      }
      #expect(found.map(\.severity) == (isStub ? [.warning] : []))
      #expect(found.first?.sourceLocation?.line == (isStub ? #line - 12 : nil))
    }
  }

  @Test func `a test in which the user does nothing is warned, unless two things come`() {
    for calls in 1...2 {
      let found = issues {
        expectOneOutcome { world in
          var count = 0
          for call in 0..<calls { Task { count += await world.answer("\(call)", 1) } }
          world.shows { count }
        }
      }
      #expect(found.map(\.severity) == (calls == 1 ? [.warning] : []))
    }
  }

  @Test func `a failure tells both outcomes as stories`() throws {
    let found = failures { expectOneOutcome { scene($0) } }
    try expectGolden(found.map(\.text).joined(), "world")
    #expect(found.map(\.line) == [#line - 2])
  }

  @Test func `the code without the bug has one outcome`() {
    expectOneOutcome { scene($0, looksAgain: true) }
  }

  @Test func `outcomes that are allowed are right, and another one is not`() throws {
    expectOutcomes(allowed: "signedOut", "signedIn") { scene($0) }
    let found = failures { expectOutcomes(allowed: "signedOut") { scene($0) } }
    try expectGolden(found.map(\.text).joined(), "world-forbidden")
  }

  @Test func `a condition that does not hold is told with its order`() throws {
    let found = failures {
      expectOutcomes(allowed: "signedOut", "signedIn") { world in
        let account = Account(world)
        var isOut = false
        world.user("refresh") { await account.refresh() }
        world.user("sign out") {
          account.signOut()
          isOut = true
        }
        world.shows { account.phase }
        world.always("whoever has signed out stays so") { !isOut || account.phase == .signedOut }
      }
    }
    try expectGolden(found.map(\.text).joined(), "world-condition")
  }

  @Test func `only the order that was asked for is run`() {
    func text(_ order: String) -> String {
      failures { #expect(expectOneOutcome(repeating: order) { scene($0) }.runs <= 1) }
        .map(\.text).joined()
    }
    #expect(text("0:1").contains("Only the order '0:1' was run: leave out 'repeating' to try all."))
    #expect(text("90:1").contains("There is no order '90:1' any more"))
    #expect(text("first").contains("'first' is no order"))
  }

  @Test func `a search that was cut off says how far it came`() {
    var options = WorldOptions(mostDeviations: 2)
    options.mostOrders = 12
    let text = failures {
      expectOneOutcome(options: options) { world in
        var count = 0
        for call in 0..<6 { Task { count += await world.answer("\(call)", 1) } }
        world.shows { count }
      }
    }.map(\.text).joined()
    #expect(text.contains("Not every order with 2 deviations was run."), "\(text)")
    #expect(text.contains("orders were run, all with at most 1 deviation, and"), "\(text)")
  }

  @Test func `nothing that is compared is no success`() throws {
    let found = failures { expectOneOutcome { $0.user("tap") {} } }
    try expectGolden(found.map(\.text).joined(), "world-nothing")
  }

  @Test func `a search in a search is refused`() {
    let found = failures {
      expectOneOutcome { world in
        expectOneOutcome { $0.shows { 1 } }
        world.shows { 1 }
      }
    }
    #expect(found.first?.text.contains("A search goes on already") == true)
  }

  @Test func `a task is told by the place in the code where it begins`() {
    @MainActor final class Thumbnail {
      var image = "none"
      func draw() { Task.detached { await self.show(String("reward".reversed())) } }
      func show(_ image: String) { self.image = image }
    }
    let text = failuresOf { world in
      let thumbnail = Thumbnail()
      world.user("draw") { thumbnail.draw() }
      world.user("erase") { thumbnail.image = "none" }
      world.shows { thumbnail.image }
    }
    #expect(text.contains("task 1 of 'draw' ("), "\(text)")
    #expect(text.contains("()) is late: behind 'erase'"), "\(text)")
  }

  private func failuresOf(_ body: @escaping @MainActor (World) async throws -> Void) -> String {
    failures { expectOneOutcome(body) }.map(\.text).joined()
  }
}
