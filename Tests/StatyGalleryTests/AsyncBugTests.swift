import StatyGallery
import StatyTesting
import Testing

/// Bugs of public trackers in plain async code, each from a test without the bug: the reported
/// version can end in another way, the fixed one cannot.
@MainActor @Suite struct AsyncBugTests {
  private typealias Body = @MainActor (World, Version) -> Void

  private func expect(
    _ usual: String, and other: String, _ condition: String, _ body: @escaping Body,
    at location: SourceLocation = #_sourceLocation
  ) {
    var search = WorldSearch(WorldOptions()) { body($0, .reported) }
    let found = search.run()
    #expect(found.outcomes.map(\.text) == [usual, other], sourceLocation: location)
    #expect(
      found.outcomes.dropFirst().first?.conditions == [condition],
      "\(found.outcomes)", sourceLocation: location)
    #expect(found.verdict == .differs, "\(found.doubts)", sourceLocation: location)
    var fixed = WorldSearch(WorldOptions()) { body($0, .fixed) }
    let sound = fixed.run()
    #expect(sound.outcomes.map(\.text) == [usual], "\(sound.outcomes)", sourceLocation: location)
    #expect(sound.verdict == .same, "\(sound.doubts)", sourceLocation: location)
  }

  @Test func `two requests refresh one token`() {
    expect(
      "true", and: "false",
      "the user does 'open the previews' without waiting for the answer of 'exchange' to "
        + "'open the projects'"
    ) { world, version in
      let credentials = Credentials("token 0", Server(world), version)
      world.user("open the projects") { _ = await credentials.authorize() }
      world.user("open the previews") { _ = await credentials.authorize() }
      world.shows { credentials.refreshToken != nil }
    }
  }

  @Test func `a refresh whose caller was cancelled`() {
    expect(
      "true", and: "false",
      "the answer of 'exchange' to 'open' is late: behind 'open again' and "
        + "the answer of 'exchange' to 'open again'"
    ) { world, version in
      let vault = Vault("token 0", Server(world), version)
      world.user("open") { _ = await vault.refreshed() }
      world.user("leave") { world.cancel("open") }
      world.user("open again") { _ = await vault.refreshed() }
      world.shows { vault.isSignedIn }
    }
  }

  @Test func `a screen that is left while it loads`() {
    expect(
      #"ready(["milk"])"#, and: "failed", "the answer of 'stock' to 'open' is late: behind 'leave'"
    ) { world, version in
      let screen = StockScreen(Server(world), version)
      world.user("open") { await screen.appear() }
      world.user("leave") { world.cancel("open") }
      world.user("come back") { await screen.appear() }
      world.shows { screen.state }
    }
  }

  @Test func `a cell that is used again`() {
    expect(
      #"Optional("b")"#, and: #"Optional("a")"#,
      "the answer of 'image a' to 'show a' is late: behind 'scroll to b' and "
        + "the answer of 'image b' to 'scroll to b'"
    ) { world, version in
      let cell = GridCell(Server(world), version)
      world.user("show a") { cell.configure("a") }
      world.user("scroll to b") { cell.configure("b") }
      world.shows { cell.image }
    }
  }

  @Test func `a button that is tapped twice`() {
    expect(
      "false", and: "true",
      "the answer of 'set true' to 'tap' is late: behind 'tap (2)' and "
        + "the answer of 'set true' to 'tap (2)'"
    ) { world, version in
      let button = FavouriteButton(Server(world), version)
      for _ in 0..<2 { world.user("tap", when: { button.isEnabled }) { await button.tap() } }
      world.shows { button.isFavourite }
    }
  }
}

/// Stands in for all servers, and answers when the world wants.
private actor Server: TokenExchange, StockServer, ImageLoader, FavouriteServer {
  private let world: World
  private var used: Set<String> = []

  init(_ world: World) { self.world = world }

  func exchange(_ refreshToken: String) async -> String? {
    let isFirst = used.insert(refreshToken).inserted
    return await world.answer("exchange", isFirst ? "\(refreshToken)'" : nil)
  }

  nonisolated func stock() async throws -> [String] {
    try await world.answer(
      "stock", Result<_, Never>.success(["milk"]), whenCancelled: CancellationError())
  }

  nonisolated func image(at address: String) async -> String {
    await world.answer("image \(address)", address)
  }

  nonisolated func set(_ isFavourite: Bool) async -> Bool {
    await world.answer("set \(isFavourite)", isFavourite)
  }
}
