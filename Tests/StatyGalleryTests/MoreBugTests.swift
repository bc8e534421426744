import Chance
import Foundation
import Staty
import StatyGallery
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules
import StatyTesting
import Testing

/// Five more bugs of public trackers, written down before the tool had seen them: what a search finds from
/// a test without the bug, what a check says of the reported order, and whether that is reproduced.
@MainActor @Suite(.serialized) struct MoreBugTests {
  typealias Body = @MainActor (World, Version) -> Void
  typealias Registration = @MainActor (World, Version) -> WorldSubject

  private func search(_ version: Version, _ body: @escaping Body) -> WorldOutcomes {
    var search = WorldSearch(WorldOptions()) { body($0, version) }
    return search.run()
  }

  /// Expects a second outcome of the reported version, and none of the fixed one.
  private func expect(
    _ usual: String, and other: String, _ condition: String, _ body: @escaping Body,
    at location: SourceLocation = #_sourceLocation
  ) {
    let found = search(.reported, body)
    #expect(found.outcomes.map(\.text) == [usual, other], sourceLocation: location)
    #expect(found.outcomes.last?.conditions == [condition], sourceLocation: location)
    #expect(found.verdict == .differs, "\(found.doubts)", sourceLocation: location)
    let fixed = search(.fixed, body)
    #expect(fixed.outcomes.map(\.text) == [usual], sourceLocation: location)
    #expect(fixed.verdict == .same, "\(fixed.doubts)", sourceLocation: location)
  }

  // MARK: The status that is told on the start of a location manager

  @Test func `a status that is told on the start is found late`() {
    expect(
      "granted", and: "refused",
      "the call 'status of the start' of 'open' is late: behind 'ask'"
    ) { world, version in
      let permission = LocationPermission(version)
      let manager = FakeManager(world, permission)
      world.user("open") { manager.start() }
      world.user("ask") { permission.request(from: manager) }
      world.shows { permission.state }
    }
  }

  /// As in the report, the manager is made when it is asked: then it goes wrong in every order, and a test
  /// has to say what is right.
  @Test func `a bug that comes in every order is one outcome`() {
    let body: Body = { world, version in
      let permission = LocationPermission(version)
      let manager = FakeManager(world, permission)
      world.user("ask") {
        manager.start()
        permission.request(from: manager)
      }
      world.shows { permission.state }
      world.atEnd("the answer of the user counts") { permission.state == .granted }
    }
    let found = search(.reported, body)
    #expect(found.outcomes.map(\.text) == ["refused"] && found.verdict == .broken)
    #expect(search(.fixed, body).verdict == .same)
  }

  private func recordLocation(_ version: Version) async throws -> RecordedOrder {
    try await RecordedOrder { recorder in
      let permission = LocationPermission(version)
      recorder.attach(to: permission.track, as: "location-permission")
      permission.request(from: SilentManager())
      permission.didChangeAuthorization(.notDetermined)
      permission.didChangeAuthorization(.authorizedWhenInUse)
    }
  }

  /// A miss: a call of the delegate answers no message, so nothing is wrong with the second one.
  @Test(arguments: Version.allCases)
  func `a check says nothing about a status that is told on the start`(version: Version)
    async throws
  {
    let recorded = try await recordLocation(version)
    #expect(recorded.codes == [])
  }

  /// Calls of the delegate were recorded by their names: the registry has to have their values.
  @Test func `the status that is told on the start is reproduced`() async throws {
    let recorded = try await recordLocation(.reported)
    // A fake that calls by itself is not enough.
    let verdict = try recorded.verdict("location-permission", .reported) { world, version in
      let permission = LocationPermission(version)
      let manager = FakeManager(world, permission)
      return world.subject(calls: ["request": { permission.request(from: manager) }])
    }
    #expect(verdict.contains("which call belongs to the message 'did change authorization'"))
    let register: Registration = { world, version in
      let permission = LocationPermission(version)
      var statuses = [LocationStatus.notDetermined, .authorizedWhenInUse]
      return world.subject(calls: [
        "request": { permission.request(from: SilentManager()) },
        "did change authorization": {
          permission.didChangeAuthorization(statuses.removeFirst())
        },
      ])
    }
    let reported = try recorded.verdict("location-permission", .reported, register)
    #expect(reported.hasPrefix("Reproduced"))
    let fixed = try recorded.verdict("location-permission", .fixed, register)
    #expect(fixed.contains("the history says 'location-permission moved to refused'"))
  }

  // MARK: The timer of a toast that is shown again

  /// A miss: at the end no toast is shown, in any version.
  @Test(arguments: Version.allCases)
  func `a toast that goes too early is no other outcome`(version: Version) {
    let found = search(version) { world, version in
      let toast = TimedToast(version)
      world.user("save") { toast.show("saved") }
      world.user("send") { toast.show("sent") }
      world.shows { toast.state }
    }
    #expect(found.outcomes.map(\.text) == ["hidden"] && found.verdict == .same)
  }

  @Test func `a toast that goes too early breaks a condition on time`() {
    let body: Body = { world, version in
      let toast = TimedToast(version)
      let clock = world.clock
      var shown = clock.now
      for text in ["saved", "sent"] {
        world.user(text) {
          toast.show(text)
          shown = clock.now
        }
      }
      world.always("a toast stays for five seconds") {
        toast.state != .hidden || shown == clock.now
          || shown.duration(to: clock.now) >= .seconds(5)
      }
    }
    #expect(search(.reported, body).verdict == .broken)
    #expect(search(.fixed, body).verdict == .same)
  }

  private func recordToast(_ version: Version) async throws -> RecordedOrder {
    try await RecordedOrder { recorder in
      let toast = TimedToast(time: .milliseconds(400), version)
      recorder.attach(to: toast.track, as: "toast")
      toast.show("saved")
      try await Task.sleep(for: .milliseconds(100))
      toast.show("sent")
      while toast.state != .hidden { try await Task.sleep(for: .milliseconds(20)) }
      try await Task.sleep(for: .milliseconds(300))
    }
  }

  /// A miss: in both versions, a timer that a tap has set hides the toast once.
  @Test(arguments: Version.allCases)
  func `a check only notes that a toast is shown twice`(version: Version) async throws {
    let recorded = try await recordToast(version)
    #expect(recorded.codes == [.askedTwice])
  }

  @Test func `the toast that goes too early is reproduced`() async throws {
    let recorded = try await recordToast(.reported)
    let register: Registration = { world, version in
      let toast = TimedToast(version)
      var texts = ["saved", "sent"]
      return world.subject(calls: ["show": { toast.show(texts.removeFirst()) }])
    }
    let reported = try recorded.verdict("toast", .reported, register)
    #expect(reported.hasPrefix("Reproduced"))
    // No order of the fixed version does it, but its timers are code of another thread.
    let fixed = try recorded.verdict("toast", .fixed, register)
    #expect(fixed.contains("No order does what was recorded"), "\(fixed)")
  }

  // MARK: The draft of a message that is being sent

  @Test func `a draft that is still there when the user comes back is found`() {
    expect(
      "empty", and: #"written("hello")"#,
      "the answer of 'send' to 'send' is late: behind 'come back'"
    ) { world, version in
      let composer = Composer(WorldServer(world), version)
      world.user("write") { composer.write("hello") }
      world.user("send") { await composer.send() }
      world.user("come back") { composer.appear() }
      world.shows { composer.field }
    }
  }

  private func recordDraft(_ version: Version) async throws -> RecordedOrder {
    try await RecordedOrder { recorder in
      let server = HandServer()
      let composer = Composer(server, version)
      recorder.attach(to: composer.track, as: "composer")
      composer.write("hello")
      let sending = Task { await composer.send() }
      while server.waiting == nil { await Task.yield() }
      composer.appear()
      server.waiting?.resume(returning: true)
      await sending.value
    }
  }

  /// A miss: the answer comes last and changes the draft alone, which is not recorded.
  @Test(arguments: Version.allCases)
  func `a check says nothing about a draft that comes back`(version: Version) async throws {
    let recorded = try await recordDraft(version)
    #expect(recorded.codes == [])
  }

  @Test func `the draft that comes back is reproduced`() async throws {
    let recorded = try await recordDraft(.reported)
    let register: Registration = { world, version in
      let composer = Composer(WorldServer(world), version)
      return world.subject(calls: [
        "write": { composer.write("hello") }, "send": { await composer.send() },
        "appear": { composer.appear() },
      ])
    }
    let reported = try recorded.verdict("composer", .reported, register)
    #expect(reported == "Reproduced: every one of 3 decisions was made again.")
    let fixed = try recorded.verdict("composer", .fixed, register)
    #expect(fixed.contains("the history says 'composer moved to written'"))
  }

  // MARK: A connection that ends while its end is decided

  @Test func `a connection that is never left in its end is found`() {
    let body: Body = { world, version in
      let socket = FakeSocket(world)
      let connection = ChatConnection(socket, version)
      socket.connection = connection
      let recovery = ConnectionRecovery(connection, version)
      world.user("lose the network") {
        world.call("the server's end") { socket.ended() }
        await recovery.networkChanged(isOnline: false)
      }
      world.user("find the network") { await recovery.networkChanged(isOnline: true) }
      world.shows { connection.state }
    }
    let found = search(.reported, body)
    #expect(found.outcomes.map(\.text) == ["connected", "disconnected", "disconnecting"])
    #expect(
      found.outcomes.last?.conditions == [
        "the call 'the server's end' of 'lose the network' is late: behind 'find the network'",
        "the rest of 'lose the network' is late: behind 'find the network' and "
          + "the call 'the server's end' of 'lose the network'",
      ])
    let fixed = search(.fixed, body)
    #expect(fixed.outcomes.map(\.text) == ["connected"] && fixed.verdict == .same)
  }

  /// - Parameter rest: how long the app goes on behind that.
  private func recordConnection(
    _ version: Version, rest: Duration = .zero
  ) async throws -> RecordedOrder {
    try await RecordedOrder { recorder in
      let connection = ChatConnection(SilentSocket(), version)
      if rest > .zero { connection.track.leaves("disconnecting") }
      let recovery = ConnectionRecovery(connection, version)
      recorder.attach(to: connection.track, as: "chat-connection")
      let offline = Task.detached { await recovery.networkChanged(isOnline: false) }
      // The question waits for the main actor; behind it, the end of the connection.
      block()
      await Task { connection.didClose() }.value
      await offline.value
      await recovery.networkChanged(isOnline: true)
      guard rest > .zero else { return }
      try await Task.sleep(for: rest)
      // The recording ends while the model is there.
      await recorder.close()
    }
  }

  /// A miss: nothing says that `disconnecting` has to end.
  @Test(arguments: Version.allCases)
  func `a check says nothing about a connection that stays in its end`(version: Version)
    async throws
  {
    let recorded = try await recordConnection(version)
    #expect(recorded.codes == [])
  }

  @Test(arguments: Version.allCases)
  func `a check notes that a declared state is never left`(version: Version) async throws {
    let recorded = try await recordConnection(version, rest: .milliseconds(2_200))
    #expect(recorded.codes == (version == .reported ? [.neverLeft] : []))
  }

  @Test func `the connection that stays in its end is reproduced`() async throws {
    let recorded = try await recordConnection(.reported)
    // A miss: the question was asked before what is recorded of it.
    let asked = try recorded.verdict("chat-connection", .reported) { world, version in
      let connection = ChatConnection(SilentSocket(), version)
      let recovery = ConnectionRecovery(connection, version)
      return world.subject(calls: [
        "disconnect": { await recovery.networkChanged(isOnline: false) },
        "reconnect": { await recovery.networkChanged(isOnline: true) },
        "did close": { connection.didClose() },
      ])
    }
    #expect(asked.contains("No order does what was recorded"), "\(asked)")
    // The methods that were recorded do it.
    let register: Registration = { world, version in
      let connection = ChatConnection(SilentSocket(), version)
      return world.subject(calls: [
        "disconnect": {
          version == .fixed ? connection.disconnectIfNeeded() : connection.disconnect()
        },
        "reconnect": { connection.reconnectIfNeeded() },
        "did close": { connection.didClose() },
      ])
    }
    let reported = try recorded.verdict("chat-connection", .reported, register)
    #expect(reported.hasPrefix("Reproduced"))
    let fixed = try recorded.verdict("chat-connection", .fixed, register)
    #expect(fixed.contains("the history says 'chat-connection received 'disconnect''"))
  }

  // MARK: A list that is told while a workspace is closed

  @Test func `a list that comes back over a newer one is found`() {
    expect(
      #"["a", "b", "c", "d"]"#, and: #"["a", "b", "c"]"#,
      "the answer of 'close' to 'close b' is late: behind 'open d elsewhere'"
    ) { world, version in
      let list = WorkspaceList(["a", "b", "c"], WorldServer(world), version)
      world.user("close b") { await list.close("b") }
      world.user("open d elsewhere") { list.updated(["a", "b", "c", "d"]) }
      world.shows { list.names }
    }
  }

  @Test func `a row that comes back although it was closed elsewhere is found`() {
    expect(
      #"["a", "c"]"#, and: #"["a", "b", "c"]"#,
      "the answer of 'close' to 'close b' is late: behind 'close b elsewhere'"
    ) { world, version in
      let list = WorkspaceList(["a", "b", "c"], WorldServer(world), version)
      world.user("close b") { await list.close("b") }
      world.user("close b elsewhere") { list.updated(["a", "c"]) }
      world.shows { list.names }
    }
  }

  private func recordList(_ version: Version) async throws -> RecordedOrder {
    try await RecordedOrder { recorder in
      let server = HandServer()
      let list = WorkspaceList(["a", "b", "c"], server, version)
      recorder.attach(to: list.track, as: "workspaces")
      let closing = Task { await list.close("b") }
      while server.waiting == nil { await Task.yield() }
      list.updated(["a", "b", "c", "d"])
      server.waiting?.resume(returning: false)
      await closing.value
    }
  }

  /// The fixed version fails late, too, and is right to do so: it is a note.
  @Test(arguments: Version.allCases)
  func `a check notes that the failure came late`(version: Version) async throws {
    let recorded = try await recordList(version)
    #expect(recorded.codes == [.lateAnswer])
  }

  @Test func `the list that comes back is reproduced`() async throws {
    let recorded = try await recordList(.reported)
    // A miss: the fixed version does what was recorded, since only the names of the states were.
    for version in Version.allCases {
      let verdict = try recorded.verdict("workspaces", version) { world, version in
        let list = WorkspaceList(["a", "b", "c"], WorldServer(world), version)
        return world.subject(calls: [
          "close": { await list.close("b") }, "updated": { list.updated(["a", "b", "c", "d"]) },
        ])
      }
      #expect(verdict == "Reproduced: every one of 3 decisions was made again.")
    }
  }
}

// MARK: False alarms

extension MoreBugTests {
  /// Lets a user do things with a fixed version in a thousand random orders while each is recorded, and
  /// returns what a check finds, without notes.
  private func accused(_ use: @escaping @MainActor (World) -> Track) async throws -> [RuleCode] {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite")
      .path
    let recorder = try HistoryRecorder(at: path)
    var options = WorldOptions()
    options.randomOrders = 1_000
    var runs = 0
    var search = WorldSearch(options) { world in
      recorder.attach(to: use(world), as: "run")
      runs += 1
    }
    let outcomes = search.run()
    #expect(runs > 1_000 && outcomes.doubts.isEmpty, "\(runs) \(outcomes.doubts)")
    await recorder.close()
    let reader = try HistoryReader(path: path)
    #expect(try reader.controllers(session: 1).count == runs)
    let result = try HistoryCheck(reader).session(1)
    #expect(result.losses.isEmpty)
    return result.findings.map(\.code)
  }

  @Test func `no fixed version is accused in a thousand random orders`() async throws {
    #expect(
      try await accused { world in
        let permission = LocationPermission(.fixed)
        let manager = FakeManager(world, permission)
        world.user("open") { manager.start() }
        world.user("ask") { permission.request(from: manager) }
        world.shows { permission.state }
        return permission.track
      } == [])
    #expect(
      try await accused { world in
        let toast = TimedToast(.fixed)
        for text in ["saved", "sent", "deleted"] { world.user(text) { toast.show(text) } }
        world.shows { toast.state }
        return toast.track
      } == [])
    #expect(
      try await accused { world in
        let composer = Composer(WorldServer(world), .fixed)
        for text in ["hello", "bye"] {
          world.user("write") { composer.write(text) }
          world.user("send") { await composer.send() }
          world.user("come back") { composer.appear() }
        }
        world.shows { composer.field }
        return composer.track
      } == [])
    #expect(
      try await accused { world in
        let socket = FakeSocket(world)
        let connection = ChatConnection(socket, .fixed)
        socket.connection = connection
        let recovery = ConnectionRecovery(connection, .fixed)
        world.user("lose the network") {
          world.call("the server's end") { socket.ended() }
          await recovery.networkChanged(isOnline: false)
        }
        world.user("find the network") { await recovery.networkChanged(isOnline: true) }
        world.shows { connection.state }
        return connection.track
      } == [])
    #expect(
      try await accused { world in
        let list = WorkspaceList(["a", "b"], WorldServer(world), .fixed)
        world.user("close b") { await list.close("b") }
        world.user("open c elsewhere") { list.updated(["a", "b", "c"]) }
        world.user("close c") { await list.close("c") }
        world.shows { list.state }
        return list.track
      } == [])
  }
}

/// A recording of what was reported.
@MainActor private struct RecordedOrder {
  /// What a check finds, and what it notes.
  let codes: [RuleCode]
  private let path: String

  init(_ play: @MainActor (HistoryRecorder) async throws -> Void) async throws {
    self = try await steadily { try await RecordedOrder(once: play) }
  }

  private init(once play: @MainActor (HistoryRecorder) async throws -> Void) async throws {
    path =
      FileManager.default.temporaryDirectory.appendingPathComponent(
        "staty-\(UUID().uuidString).sqlite"
      ).path
    let recorder = try HistoryRecorder(at: path)
    try await play(recorder)
    await recorder.close()
    let result = try #require(try HistoryCheck(HistoryReader(path: path)).file().first)
    #expect(result.findings.isEmpty)
    codes = result.notes.map(\.code)
  }

  /// Whether a version does what was recorded.
  func verdict(
    _ name: String, _ version: Version, _ register: @escaping MoreBugTests.Registration
  ) throws -> String {
    var registry = ControllerRegistry()
    registry.register(world: name) { register($0, version) }
    return "\(try reproduce(path, in: registry).verdict)"
  }
}

/// Tells its start, and what the user has answered.
@MainActor private final class FakeManager: LocationManager {
  private let world: World
  private let permission: LocationPermission

  init(_ world: World, _ permission: LocationPermission) {
    (self.world, self.permission) = (world, permission)
  }

  func start() { tell("status of the start", .notDetermined) }
  func requestWhenInUseAuthorization() { tell("answer of the user", .authorizedWhenInUse) }

  private func tell(_ name: String, _ status: LocationStatus) {
    world.call(name, from: "location manager") { [permission] in
      permission.didChangeAuthorization(status)
    }
  }
}

private struct SilentManager: LocationManager {
  func requestWhenInUseAuthorization() {}
}

/// Ends once, by itself or because it is closed.
@MainActor private final class FakeSocket: ChatSocket {
  weak var connection: ChatConnection?
  private let world: World
  private var isOpen = true

  init(_ world: World) { self.world = world }

  func open() { isOpen = true }
  func close() { world.call("end of the socket") { self.ended() } }

  func ended() {
    guard isOpen else { return }
    isOpen = false
    connection?.didClose()
  }
}

private struct SilentSocket: ChatSocket {
  func open() {}
  func close() {}
}

/// Answers when the world wants.
private struct WorldServer: PromptServer, WorkspaceServer {
  private let world: World

  init(_ world: World) { self.world = world }

  func send(_ text: String) async -> Bool { await world.answer("send", true) }
  func close(_ name: String) async -> Bool { await world.answer("close", false) }
}

/// Answers by hand.
@MainActor private final class HandServer: PromptServer, WorkspaceServer {
  private(set) var waiting: CheckedContinuation<Bool, Never>?

  func send(_ text: String) async -> Bool { await withCheckedContinuation { waiting = $0 } }
  func close(_ name: String) async -> Bool { await withCheckedContinuation { waiting = $0 } }
}

/// Keeps the main actor busy.
@MainActor private func block() { Thread.sleep(forTimeInterval: 0.1) }
