import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyTesting
import Testing

/// A feed as in an app: three asynchronous methods, each recorded with one line.
@MainActor private final class Feed {
  enum State { case idle, new, more, newest }
  let track = StateTrack("feed", State.idle)
  private(set) var state = State.idle { didSet { track.moved(to: state) } }
  private let fetch: @MainActor (State) async -> State
  private let isFixed: Bool
  private var lastCall = 0

  init(isFixed: Bool = false, _ fetch: @escaping @MainActor (State) async -> State) {
    (self.isFixed, self.fetch) = (isFixed, fetch)
  }

  func refresh() async { await track.received("refresh") { await load(.new) } }
  func loadMore() async { await track.received("load more") { await load(.more) } }
  func reload() async { await track.received("reload") { await load(.newest) } }

  private func load(_ wanted: State) async {
    lastCall += 1
    let call = lastCall
    let loaded = await fetch(wanted)
    if isFixed, call != lastCall { return }
    state = loaded
  }

  var calls: [StateName: @MainActor () async -> Void] {
    ["refresh": refresh, "load more": loadMore, "reload": reload]
  }
}

extension ControllerRegistry {
  @MainActor fileprivate static var feed: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register(world: "feed") { world in
      let feed = Feed { state in await world.answer("fetch \(state)", state) }
      return world.subject(calls: feed.calls)
    }
    return registry
  }
}

/// The recorder records the tracks of the whole process: one test at a time.
@MainActor @Suite(.serialized) struct ReproductionTests {
  /// Records three calls, whose answers come in the given order.
  private func record(_ order: [Feed.State], overlapping: Bool = true) async throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "staty-\(UUID().uuidString).sqlite"
    ).path
    let recorder = try HistoryRecorder(at: path)
    var waiting: [Feed.State: CheckedContinuation<Void, Never>] = [:]
    let feed = Feed { state in
      await withCheckedContinuation { waiting[state] = $0 }
      return state
    }
    recorder.attach(to: feed.track, as: "feed")
    let calls = [feed.refresh, feed.loadMore, feed.reload]
    var tasks: [Task<Void, Never>] = []
    for (number, call) in calls.enumerated() {
      tasks.append(Task { await call() })
      while waiting.count <= (overlapping ? number : 0) { await Task.yield() }
      if overlapping { continue }
      waiting.removeValue(forKey: order[number])?.resume()
      await tasks[number].value
    }
    for state in overlapping ? order : [] {
      waiting[state]?.resume()
      while feed.state != state { await Task.yield() }
    }
    for task in tasks { await task.value }
    await recorder.close()
    return path
  }

  @Test func `three overlapping calls whose answers came in reverse order`() async throws {
    let path = try await record([.newest, .more, .new])
    let order = try reproduce(path, in: .feed)
    #expect(order.verdict == .reproduced(decisions: 3))
    #expect(
      order.conditions == [
        "the answer of 'fetch new' to 'refresh' is late: behind 'reload' and the answer of "
          + "'fetch more' to 'load more'",
        "the answer of 'fetch more' to 'load more' is late: behind 'reload' and the answer of "
          + "'fetch newest' to 'reload'",
      ])
    expectReproduced(path, in: .feed)
  }

  @Test func `calls that were answered one after the other need no deviation`() async throws {
    let path = try await record([.new, .more, .newest], overlapping: false)
    let order = try reproduce(path, in: .feed)
    #expect(order.verdict == .reproduced(decisions: 3) && order.conditions == [])
    #expect(order.runs <= 2)
  }

  /// How else the recorded calls can end.
  @Test func `the recording shows what else can come of the calls`() async throws {
    let path = try await record([.new, .more, .newest], overlapping: false)
    withKnownIssue {
      expectOneOutcome(path, in: .feed)
    } matching: {
      $0.comments.contains { $0.rawValue.contains("have 3 outcomes") }
    }
    expectOutcomes(path, in: .feed, allowed: "newest", "new", "more")
  }

  /// The recorded outcome is marked, and its order told; a single order that is repeated is told, too.
  @Test func `of the outcomes the recorded one is told`() async throws {
    let path = try await record([.newest, .more, .new])
    withKnownIssue {
      expectOneOutcome(path, in: .feed)
    } matching: {
      let text = $0.comments.map(\.rawValue).joined()
      let late =
        "the answer of 'fetch new' to 'refresh' is late: behind 'reload' and the answer of "
      return text.contains(". new: if \(late)")
        && text.contains(" The recording can have ended like this: if \(late)")
        && text.contains("1. newest: as usual.\n")
    }
    withKnownIssue {
      expectOneOutcome(path, in: .feed, repeating: "usual")
    } matching: {
      let text = $0.comments.map(\.rawValue).joined()
      return text.contains("Only the order 'usual' was run")
        && text.contains("the answer of 'fetch newest' to 'reload'\n      feed moved to newest\n")
    }
  }

  @Test func `a model that cannot do what was recorded diverges`() async throws {
    let path = try await record([.newest, .more, .new])
    var registry = ControllerRegistry()
    registry.register(world: "feed") { world in
      // Mended: only the answer to the call that was made last is shown.
      let feed = Feed(isFixed: true) { state in await world.answer("fetch \(state)", state) }
      return world.subject(calls: feed.calls)
    }
    let verdict = try reproduce(path, in: registry).verdict
    guard case .diverged(let divergence) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(divergence.recorded == "feed moved to more" && divergence.matched == 1)
    expectOneOutcome(path, in: registry)
  }

  /// A switch on a screen that has a track of its own, and which keeps a count beside it.
  @MainActor private final class Switch {
    enum State { case off, on }
    let track = StateTrack("switch", State.off)
    private let count = StateTrack("count", 0)
    private(set) var state = State.off { didSet { track.moved(to: state) } }
    private var toggles = 0 { didSet { count.moved(to: toggles) } }
    private let isTold: Bool
    init(isTold: Bool = true) { self.isTold = isTold }

    func toggle() {
      let change = { [self] in
        toggles += 1
        state = state == .on ? .off : .on
      }
      if isTold { track.received("toggle", change) } else { change() }
    }
  }

  private func record(_ one: Switch, _ use: () -> Void) async throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "staty-\(UUID().uuidString).sqlite"
    ).path
    let recorder = try HistoryRecorder(at: path)
    let settings = StateTrack("settings", 0)
    recorder.attach(to: one.track, as: "switch")
    recorder.attach(to: settings, as: "settings")
    // The call comes from the handling of another model's message.
    settings.received("tap", use)
    await recorder.close()
    return path
  }

  private func registry(isTold: Bool = true) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register(world: "switch") { world in
      let one = Switch(isTold: isTold)
      return world.subject(calls: ["toggle": { one.toggle() }])
    }
    return registry
  }

  @Test func `what another model tells the model is told again, and other tracks are left alone`()
    async throws
  {
    let one = Switch()
    let path = try await record(one) {
      one.toggle()
      one.toggle()
    }
    let verdict = try reproduce(path, in: registry()).verdict
    #expect(verdict == .reproduced(decisions: 2))
    expectOneOutcome(path, in: registry())
  }

  @Test func `what began in the middle of the model's work is not known`() async throws {
    let one = Switch()
    one.toggle()
    let path = try await record(one) { one.toggle() }
    guard case .inconclusive(let reasons) = try reproduce(path, in: registry()).verdict else {
      Issue.record("it had done something already")
      return
    }
    #expect(reasons.first?.contains("has done something already") ?? false, "\(reasons)")
    withKnownIssue {
      expectOneOutcome(path, in: registry())
    } matching: {
      $0.comments.contains { $0.rawValue.contains("has done something already") }
    }
  }

  /// A model that refreshes itself when it is made, as a poll does.
  @MainActor private final class Polling {
    enum State { case signedOut, refreshing, signedIn }
    let track = StateTrack("polling", State.signedIn)
    private(set) var state = State.signedIn { didSet { track.moved(to: state) } }
    private let token: @MainActor () async -> Void

    init(_ token: @escaping @MainActor () async -> Void) {
      self.token = token
      Task { await refresh() }
    }

    func refresh() async {
      await track.received("refresh") {
        state = .refreshing
        await token()
        state = .signedIn
      }
    }

    func signOut() { track.received("sign out") { state = .signedOut } }
  }

  @Test func `what a model calls itself is not called a second time`() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "staty-\(UUID().uuidString).sqlite"
    ).path
    let recorder = try HistoryRecorder(at: path)
    var answer: CheckedContinuation<Void, Never>?
    let model = Polling { await withCheckedContinuation { answer = $0 } }
    recorder.attach(to: model.track, as: "polling")
    while answer == nil { await Task.yield() }
    model.signOut()
    answer?.resume()
    while model.state != .signedIn { await Task.yield() }
    await recorder.close()
    var registry = ControllerRegistry()
    registry.register(world: "polling") { world in
      let model = Polling { await world.answer("token", ()) }
      return world.subject(calls: [
        "refresh": { await model.refresh() }, "sign out": { model.signOut() },
      ])
    }
    let order = try reproduce(path, in: registry)
    #expect(order.verdict == .reproduced(decisions: 3), "\(order)")
    // In other orders, the user's call could come first, and the model's would be a second one.
    withKnownIssue {
      expectOneOutcome(path, in: registry)
    } matching: {
      $0.comments.contains { $0.rawValue.contains("the model sends itself 'refresh'") }
        || $0.comments.contains { $0.rawValue.contains("The model sends itself 'refresh'") }
    }
  }

  @Test func `where nothing was recorded of what the user did, nothing was tried`() async throws {
    let one = Switch(isTold: false)
    let path = try await record(one) { one.toggle() }
    withKnownIssue {
      expectOneOutcome(path, in: registry(isTold: false))
    } matching: {
      $0.comments.contains { $0.rawValue.contains("No message was recorded") }
    }
    guard case .inconclusive = try reproduce(path, in: registry(isTold: false)).verdict else {
      Issue.record("it is not known what the user did")
      return
    }
  }

  @Test func `a model that does more than was recorded diverges`() async throws {
    let path = try await record([.newest, .more, .new])
    for isEager in [true, false] {
      @MainActor final class More {
        let track = StateTrack("feed", Feed.State.idle)
        var state = Feed.State.idle { didSet { track.moved(to: state) } }
        let (world, isEager): (World, Bool)
        init(_ world: World, isEager: Bool) { (self.world, self.isEager) = (world, isEager) }
        func load(_ name: StaticString, _ wanted: Feed.State) async {
          await track.received(name) {
            state = await world.answer("fetch \(wanted)", wanted)
            // The recorded one stayed there.
            if isEager, state == .new { state = .newest }
          }
        }
      }
      var registry = ControllerRegistry()
      registry.register(world: "feed") { world in
        let model = More(world, isEager: isEager)
        return world.subject(calls: [
          "refresh": { await model.load("refresh", .new) },
          "load more": { await model.load("load more", .more) },
          "reload": { await model.load("reload", .newest) },
        ])
      }
      let verdict = try reproduce(path, in: registry).verdict
      guard isEager else {
        #expect(verdict == .reproduced(decisions: 3))
        continue
      }
      guard case .diverged(let divergence) = verdict else {
        Issue.record("\(verdict)")
        return
      }
      #expect(divergence.recorded == "nothing more")
      #expect(divergence.replayed == "feed moved to newest")
    }
  }

  @Test func `what a registry makes beside the async model is explored, too`() async throws {
    let path = try await recordBeside()
    var registry = ControllerRegistry.feed
    registry.register("player") { context in
      let player = Player()
      return context.subject(of: player.track) { (message: Player.Message) in player.send(message) }
    }
    expectOneOutcome(path, in: .feed)
    withKnownIssue {
      expectOneOutcome(path, in: registry)
    } matching: {
      $0.comments.contains { $0.rawValue.contains("playing, set by 'ready'") }
    }
  }

  /// Plays as soon as it is ready, whatever happened since it was asked to.
  @MainActor private final class Player {
    enum State: Hashable { case idle, loading, paused, playing }
    enum Message: RecordedMessage { case load, pause, ready }
    let track = StateTrack("player", State.idle)
    var state = State.idle { didSet { track.moved(to: state) } }
    @discardableResult
    func send(_ message: Message, answering: MessageOrigin? = nil) -> MessageOrigin? {
      track.received(message, answering: answering) {
        switch message {
        case .load: state = .loading
        case .pause: state = .paused
        case .ready: state = .playing
        }
        return MessageOrigin.current
      }
    }
  }

  /// Records a call of the feed, and a player that is paused when it is ready.
  private func recordBeside() async throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "staty-\(UUID().uuidString).sqlite"
    ).path
    let recorder = try HistoryRecorder(at: path)
    let (feed, player) = (Feed { $0 }, Player())
    recorder.attach(to: feed.track, as: "feed")
    recorder.attach(to: player.track, as: "player")
    await feed.refresh()
    let load = player.send(.load)
    player.send(.ready, answering: load)
    player.send(.pause)
    await recorder.close()
    return path
  }

  @Test func `a limit that is reached says how far the closest order came`() async throws {
    let path = try await record([.newest, .more, .new])
    var options = WorldOptions()
    options.mostOrders = 3
    let verdict = try reproduce(path, in: .feed, options: options).verdict
    guard case .inconclusive(let reasons) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(
      reasons.joined().hasPrefix("None of 3 orders does what was recorded, and there are more."))
  }

  /// Both calls end in a state of the same name: what each change follows from tells them apart.
  @Test func `changes of one name are told by the calls that they follow from`() async throws {
    @MainActor final class List {
      enum State { case idle, loading, ready([String]) }
      let track = StateTrack("list", State.idle)
      var state = State.idle { didSet { track.moved(to: state) } }
      let load: @MainActor (String) async -> String
      init(_ load: @escaping @MainActor (String) async -> String) { self.load = load }
      func refresh() async { await track.received("refresh") { await show("new") } }
      func loadMore() async { await track.received("load more") { await show("more") } }
      private func show(_ what: String) async {
        state = .loading
        state = .ready([await load(what)])
      }
    }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "staty-\(UUID().uuidString).sqlite"
    ).path
    let recorder = try HistoryRecorder(at: path)
    var waiting: [String: CheckedContinuation<Void, Never>] = [:]
    let list = List { what in
      await withCheckedContinuation { waiting[what] = $0 }
      return what
    }
    recorder.attach(to: list.track, as: "list")
    let tasks = [Task { await list.refresh() }, Task { await list.loadMore() }]
    while waiting.count < 2 { await Task.yield() }
    waiting["more"]?.resume()
    await tasks[1].value
    waiting["new"]?.resume()
    await tasks[0].value
    await recorder.close()
    var registry = ControllerRegistry()
    registry.register(world: "list") { world in
      let list = List { what in await world.answer(what, what) }
      return world.subject(calls: ["refresh": list.refresh, "load more": list.loadMore])
        .showing { "\(list.state)" }
    }
    #expect(
      try reproduce(path, in: registry).conditions == [
        "the answer of 'new' to 'refresh' is late: behind 'load more' and the answer of 'more' to "
          + "'load more'"
      ])
    withKnownIssue { expectOneOutcome(path, in: registry) }
  }

  /// A list that shows nothing but its rows, and a server that answers by hand.
  @MainActor private final class Rows {
    enum State: Hashable { case idle, ready([Int]) }
    let track: StateTrack
    private(set) var rows: [Int] = []
    let load: @MainActor (String) async -> [Int]

    init(_ load: @escaping @MainActor (String) async -> [Int]) {
      track = StateTrack("rows", State.idle)
      self.load = load
    }

    func show(_ rows: [Int]) {
      self.rows = rows
      track.moved(to: State.ready(rows), showing: rows)
    }

    func search() async { await track.received("search") { show(await load("search")) } }
    func filter() async { await track.received("filter") { show(await load("filter")) } }

    var calls: [StateName: @MainActor () async -> Void] { ["search": search, "filter": filter] }
  }

  /// Records a search and a filter, whose answers cross.
  private func recordRows() async throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "staty-\(UUID().uuidString).sqlite"
    ).path
    let recorder = try HistoryRecorder(at: path)
    var waiting: [CheckedContinuation<Void, Never>] = []
    let rows = Rows { what in
      await withCheckedContinuation { waiting.append($0) }
      return what == "search" ? [1, 2] : [1]
    }
    recorder.attach(to: rows.track, as: "rows")
    func step(_ count: Int, _ call: @escaping @MainActor () async -> Void) async -> Task<
      Void, Never
    > {
      let task = Task { await call() }
      while waiting.count < count { await Task.yield() }
      return task
    }
    // The first search is answered at once; then two calls end in the order in which they were made.
    let first = await step(1, rows.search)
    waiting.removeLast().resume()
    await first.value
    let search = await step(1, rows.search)
    let filter = await step(2, rows.filter)
    for (place, task) in [search, filter].enumerated() {
      waiting[place].resume()
      await task.value
    }
    await recorder.close()
    return path
  }

  private func registry(
    _ answer: @escaping @MainActor (String) -> [Int]
  ) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register(world: "rows") { world in
      let rows = Rows { what in await world.answer(what, answer(what)) }
      return world.subject(calls: rows.calls)
    }
    return registry
  }

  @Test func `what is shown within a name is compared, too`() async throws {
    let path = try await recordRows()
    let registry = registry { $0 == "search" ? [1, 2] : [1] }
    let order = try reproduce(path, in: registry)
    #expect(order.verdict == .reproduced(decisions: 3))
    // The names alone are one outcome.
    withKnownIssue {
      expectOneOutcome(path, in: registry)
    } matching: {
      let text = $0.comments.map(\.rawValue).joined()
      return text.contains(
        "1. ready ([1]): as usual.\n     The recording can have ended like this: if the user")
        && text.contains("2. ready ([1, 2]): ")
    }
    expectOutcomes(path, in: registry, allowed: "ready ([1])", "ready ([1, 2])")
  }

  /// As where a line is added that sets a variable to what it is.
  @Test(arguments: [false, true])
  func `what is set without a change makes no other order`(usesPool: Bool) async throws {
    let path = try await recordRows()
    var registry = ControllerRegistry()
    registry.register(world: "rows") { world in
      let rows = Rows { what in await world.answer(what, what == "search" ? [1, 2] : [1]) }
      @MainActor func twice(_ what: StaticString) async {
        if usesPool { Task.detached {} }
        await rows.track.received(what) {
          let found = await rows.load("\(what)")
          rows.show(found)
          rows.show(found)
        }
      }
      return world.subject(calls: [
        "search": { await twice("search") }, "filter": { await twice("filter") },
      ])
    }
    let verdict = try reproduce(path, in: registry).verdict
    #expect("\(verdict)".hasPrefix("Reproduced"), "\(verdict)")
  }

  @Test func `a fake that answers otherwise than the server did is no reproduction`() async throws {
    let path = try await recordRows()
    let verdict = try reproduce(path, in: registry { _ in [1, 2] }).verdict
    #expect(
      verdict
        == .inconclusive([
          "An order has the recorded names, but none shows what was recorded: 'rows moved to ready' "
            + "(event 8) showed something else than all moves before it, and here it does not. If this is "
            + "what a fix changes, delete this test. Else let the fakes answer what the server did: the same "
            + "where it was the same, else something else."
        ]), "\(verdict)")
    var count = 0
    let counting = registry { _ in
      count += 1
      return [count]
    }
    let other = try reproduce(path, in: counting).verdict
    #expect(
      "\(other)".contains("(event 7) showed the same as event 4, and here it does not"), "\(other)")
  }

  @Test func `values that cannot be compared are said`() async throws {
    struct Hidden { let rows: [Int] }
    let path = try await recordRows()
    func registry(comparing: Bool) -> ControllerRegistry {
      var registry = ControllerRegistry()
      registry.register(world: "rows") { world in
        let track = StateTrack("rows")
        var count = 0
        @MainActor func load(_ what: StaticString) async {
          await track.received(what) {
            count = await world.answer("\(what)", "\(what)".count)
            track.moved(to: Hidden(rows: [count]))
          }
        }
        let subject = world.subject(calls: [
          "search": { await load("search") }, "filter": { await load("filter") },
        ])
        return comparing ? subject.showing { count } : subject
      }
      return registry
    }
    withKnownIssue {
      expectOneOutcome(path, in: registry(comparing: false))
    } matching: {
      "\($0.comments)".contains("Of what 'rows' shows, only the name can be compared")
    }
    expectOneOutcome(path, in: registry(comparing: true))
  }

  @Test func `a search of the replay points to those of async code`() async throws {
    let path = try await recordRows()
    let registry = registry { _ in [1] }
    for search in [
      { _ = StatyTesting.explore(history: path, in: registry) },
      { expectNoFindings(replaying: path, in: registry) },
    ] {
      withKnownIssue {
        search()
      } matching: {
        "\($0.comments)".contains("'rows' is registered as plain async code")
      }
    }
  }

  /// A message of one track is the cause of the other's change.
  @Test func `a model with two tracks`() async throws {
    enum Phase { case idle, loading, ready }
    @MainActor final class Shop {
      let list = StateTrack("list", Phase.idle)
      let cart = StateTrack("cart", Phase.idle)
      let load: @MainActor (String) async -> Void
      init(_ load: @escaping @MainActor (String) async -> Void) { self.load = load }
      func refresh() async {
        await list.received("refresh") {
          list.moved(to: Phase.loading)
          await load("items")
          list.moved(to: Phase.ready)
          cart.moved(to: Phase.ready)
        }
      }
      func clear() {
        list.received("clear") {
          cart.moved(to: Phase.idle)
          list.moved(to: Phase.idle)
        }
      }
    }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "staty-\(UUID().uuidString).sqlite"
    ).path
    let recorder = try HistoryRecorder(at: path)
    var waiting: CheckedContinuation<Void, Never>?
    let shop = Shop { _ in await withCheckedContinuation { waiting = $0 } }
    recorder.attach(to: shop.list, as: "list")
    recorder.attach(to: shop.cart, as: "cart")
    let refresh = Task { await shop.refresh() }
    while waiting == nil { await Task.yield() }
    shop.clear()
    waiting?.resume()
    await refresh.value
    await recorder.close()
    var registry = ControllerRegistry()
    registry.register(world: "list", "cart") { world in
      let shop = Shop { what in await world.answer(what, ()) }
      return world.subject(calls: ["refresh": shop.refresh, "clear": { shop.clear() }])
    }
    let order = try reproduce(path, in: registry)
    #expect(
      order.conditions == ["the answer of 'items' to 'refresh' is late: behind 'clear'"],
      "\(order)")
  }

  @Test func `a message without a call is named`() async throws {
    let path = try await record([.newest, .more, .new])
    var registry = ControllerRegistry()
    registry.register(world: "feed") { world in
      let feed = Feed { state in await world.answer("fetch", state) }
      return world.subject(calls: ["refresh": { await feed.refresh() }])
    }
    let verdict = try reproduce(path, in: registry).verdict
    #expect("\(verdict)".contains("which call belongs to the message 'load more'"), "\(verdict)")
  }

  @Test func `what a call records begins with the call, and its changes have it as their cause`()
    async throws
  {
    let path = try await record([.newest, .more, .new])
    let reader = try HistoryReader(receivedAt: path)
    let names = try reader.names()
    var rows: [String] = []
    let events = try reader.events(session: 1)
    while let row = try events.next() {
      rows.append("\(row.seq) \(names[row.state] ?? "") \(row.ownCause)")
    }
    #expect(
      rows == [
        "1  0", "2 idle 0", "3 refresh 0", "4 load more 0", "5 reload 0", "6 newest 5", "7 more 4",
        "8 new 3",
      ])
  }
}
