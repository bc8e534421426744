import Foundation
import Staty
import StatyHistory
import Testing

@testable import StatyRecorder

/// A launch can find out how the previous one ended, and the app's state at that time.
@Suite struct PreviousSessionTests {
  let place: Place

  init() throws {
    place = try Place()
  }

  @Test func `at the first launch there is no previous session`() async throws {
    let recorder = try HistoryRecorder(at: place.path)
    #expect(await recorder.previousSession() == nil)
    await recorder.close()
    #expect(await recorder.previousSession() == nil)
  }

  @Test func `a session whose recorder was closed has ended clean`() async throws {
    let first = try HistoryRecorder(
      at: place.path, options: RecorderOptions(app: "Shop", appVersion: "1.2"))
    let page = Page()
    let controller = StateController<Page>()
    first.attach(to: controller, as: "checkout")
    controller.bind(to: page)
    controller.transition(to: Instant("list", payload: .open("all")))
    await first.close()
    let second = try HistoryRecorder(at: place.path)
    let previous = try #require(await second.previousSession())
    await second.close()
    #expect(previous.ended == .clean)
    #expect(previous.onScreen.map(\.state) == ["list"])
    #expect(previous.onScreen.map(\.payload) == ["all"])
    #expect(previous.underWay.isEmpty && previous.findings.isEmpty)
    #expect(previous.description == "Shop 1.2 ended clean; on screen: checkout list")
    #expect(try [previous.session] == place.query("SELECT uuid FROM sessions WHERE session = 1"))
    #expect(previous.lastEvent >= previous.began)
  }

  @Test(arguments: ["kill", "suspend"])
  func `a launch that is killed before its first event leaves no session`(line: String) async throws
  {
    let first = try HistoryRecorder(at: place.path)
    first.mark("before")
    await first.close()
    let probe = try Probe(["hold", place.path], of: "RecorderProbe")
    #expect(probe.line() == "ready")
    // Its writer has begun a session.
    #expect(eventually { try place.query("SELECT count(*) FROM sessions") == ["2"] })
    if line == "suspend" {
      try probe.tell(line)
      #expect(probe.line() == "suspended")
    }
    probe.kill()
    let recorder = try HistoryRecorder(at: place.path)
    let previous = try #require(await recorder.previousSession())
    #expect(previous.ended == .clean)
    #expect(try [previous.session] == place.query("SELECT uuid FROM sessions WHERE session = 1"))
    await recorder.close()
    #expect(try place.query("SELECT ended || events FROM sessions") == ["clean1", "clean0"])
    #expect(try place.rings() == [])
  }

  /// The models of screens that the user has left.
  @Test func `what was released is not on screen`() async throws {
    enum Screen { case home, detail }
    let first = try HistoryRecorder(at: place.path)
    let home = StateTrack("home", Screen.home)
    first.attach(to: home, as: "home")
    home.moved(to: Screen.detail)
    for _ in 0..<3 {
      let detail = StateTrack("detail", Screen.detail)
      first.attach(to: detail, as: "detail")
      detail.moved(to: Screen.home)
    }
    await first.close()
    let second = try HistoryRecorder(at: place.path)
    let previous = try #require(await second.previousSession())
    await second.close()
    #expect(previous.onScreen.map(\.controller) == ["home"])
  }

  /// What the next launch is told of a process that was killed during transitions.
  private func killedSession() async throws -> PreviousSession {
    let probe = try Probe(["hold", place.path], of: "RecorderProbe")
    #expect(probe.line() == "ready")
    try probe.tell("leave")
    #expect(probe.line() == "left")
    probe.kill()
    let recorder = try HistoryRecorder(at: place.path)
    defer { recorder.close() }
    return try #require(await recorder.previousSession())
  }

  @Test
  func `after a kill it has the shown states, the open transitions and the findings`()
    async throws
  {
    let previous = try await killedSession()
    #expect(previous.ended == .killed)
    #expect(previous.onScreen.map(\.state) == ["content"])
    #expect(previous.underWay.map(\.state) == ["alert", "loading"])
    #expect(previous.underWay.map(\.phase) == [.entering, .waiting])
    #expect(previous.findings.map(\.code) == ["overlap"])
    let line = previous.description
    #expect(
      line.contains(
        "ended killed; on screen: screen content; under way: screen alert entering for "))
    #expect(line.hasSuffix("findings: screen overlap"))
    let coded = try JSONDecoder().decode(
      PreviousSession.self, from: JSONEncoder().encode(previous))
    #expect(coded == previous)
    #expect(try place.query("SELECT ended FROM sessions") == ["killed", "clean"])
    #expect(
      try place.query("SELECT DISTINCT outcome FROM visits WHERE session = 1") == ["killed"])
  }

  @Test
  func
    `an app killed in the background has ended suspended, and one killed after it resumed, killed`()
    async throws
  {
    for (line, end) in [("suspend", "suspended"), ("resume", "killed")] {
      let probe = try Probe(["hold", place.path], of: "RecorderProbe")
      #expect(probe.line() == "ready")
      try probe.tell("suspend")
      #expect(probe.line() == "suspended")
      // These events are only in the ring.
      try probe.tell("note in the background")
      #expect(probe.line() == "marked")
      if line == "resume" {
        try probe.tell(line)
        #expect(probe.line() == "resumed")
      }
      probe.kill()
      let recorder = try HistoryRecorder(at: place.path)
      #expect(await recorder.previousSession()?.ended.rawValue == end)
      await recorder.close()
    }
    #expect(
      try place.query("SELECT ended, events, lost FROM sessions")
        == ["suspended|1|0", "clean|0|0", "killed|1|0", "clean|0|0"])
  }

  @Test func `a launch in the background that never became active has ended suspended`()
    async throws
  {
    for (line, end) in [("launched", "suspended"), ("resume", "killed")] {
      let probe = try Probe(["hold", place.path], of: "RecorderProbe")
      #expect(probe.line() == "ready")
      try probe.tell("launched")
      #expect(probe.line() == "launched")
      try probe.tell("note in the background")
      #expect(probe.line() == "marked")
      try probe.tell("flush")
      #expect(probe.line() == "flushing")
      // Unlike during suspension, events are stored.
      #expect(probe.line() == "stored")
      if line == "resume" {
        try probe.tell(line)
        #expect(probe.line() == "resumed")
      }
      probe.kill()
      let recorder = try HistoryRecorder(at: place.path)
      #expect(await recorder.previousSession()?.ended.rawValue == end)
      await recorder.close()
    }
  }

  @Test func `a process that exits by itself was not killed`() async throws {
    let probe = try Probe(["exit", place.path], of: "RecorderProbe")
    probe.wait()
    let recorder = try HistoryRecorder(at: place.path)
    #expect(await recorder.previousSession()?.ended == .clean)
    await recorder.close()
    #expect(
      try place.query("SELECT ended, events, lost FROM sessions") == ["clean|1|0", "clean|0|0"])
  }

  @Test func `the ending of a continued session is that of its last part`() async throws {
    let writer = try HistoryWriter(path: place.path)
    for (uuid, run, end) in [("a", nil, SessionEnd.continued), ("b", "a", .suspended)] {
      let id = try writer.beginSession(
        SessionOpening(
          uuid: uuid, app: "Shop", appVersion: "", os: "", pid: 1, wallTime: 1_700_000_000_000_000,
          run: run))
      try writer.endSession(id, end)
    }
    try writer.close()
    var options = RecorderOptions()
    options.retention = Retention()
    let recorder = try HistoryRecorder(at: place.path, options: options)
    let previous = try #require(await recorder.previousSession())
    await recorder.close()
    #expect(previous.session == "a")
    #expect(previous.description == "Shop ended suspended")
  }

  @Test func `the summary has the last transitions and what was open, and no payload`() async throws
  {
    let previous = try await killedSession()
    let lines = previous.summary.replacing(/[0-9]+\.[0-9] s/, with: "_ s").split(separator: "\n")
    #expect(lines.first?.hasSuffix("ended killed, _ s after it began") == true, "\(lines)")
    #expect(
      lines.contains { $0.hasPrefix("on screen: screen #") && $0.hasSuffix("content for _ s") })
    #expect(lines.contains { $0.hasPrefix("entering: screen #") && $0.hasSuffix("alert for _ s") })
    #expect(lines.contains("finding: screen overlap"))
    #expect(lines.last?.hasPrefix("-_ s screen ") == true, "\(lines)")
    let moves = lines.filter { $0.hasPrefix("-") }
    #expect(moves.contains { $0.contains(" screen entering #") && $0.hasSuffix(" alert") })
    #expect(moves.count == previous.transitions.count && moves.count > 4)
    #expect(
      previous.transitions.map(\.secondsBefore)
        == previous.transitions.map(\.secondsBefore).sorted(by: >))
  }

  @Test(arguments: [
    "state", "a\nb\u{202e}", "\u{1F9D1}\u{200d}\u{1F680}",
    "e" + String(repeating: "\u{301}", count: 90),
  ])
  func `the summary is short and has plain lines, whatever there is`(name: String) {
    for (count, length) in [(0, 1), (3, 1), (200, 1), (200, 500)] {
      let long = String(repeating: name, count: length)
      func visit(_ number: Int) -> PreviousSession.Visit {
        .init(
          controller: long, visit: UInt32(number), state: long, phase: .entering, seconds: 1e9,
          payload: "secret")
      }
      let previous = PreviousSession(
        session: "u", app: long, appVersion: long, began: .distantPast, lastEvent: .distantFuture,
        ended: .killed, onScreen: (0..<count).map(visit), underWay: (0..<count).map(visit),
        transitions: (0..<min(count, 20)).map {
          .init(
            secondsBefore: 1e9, controller: long, what: "discarded (replaced)", visit: UInt32($0),
            state: long)
        },
        findings: (0..<min(count, 20)).map { _ in
          .init(code: "overlap", controller: long, detail: long)
        })
      let summary = previous.summary
      #expect(summary.utf8.count <= 2_000, "\(count), \(length)")
      #expect(!summary.contains("secret"))
      let hidden = summary.unicodeScalars.filter {
        $0.properties.generalCategory == .format
          || $0.properties.generalCategory == .control && $0 != "\n"
      }
      #expect(hidden.isEmpty)
      let lines = summary.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { !$0.isEmpty })
      // The last transition is there, and what is left out is marked.
      #expect(count == 0 || lines.last?.hasPrefix("-") == true, "\(summary)")
      let all = 1 + 2 * count + 2 * min(count, 20)
      #expect(lines.contains("…") == (lines.count { $0 != "…" } < all), "\(summary)")
    }
  }
}
