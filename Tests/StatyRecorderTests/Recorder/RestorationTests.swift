import Foundation
import Staty
import StatyHistory
import StatyRecorder
import StatySQLite
import Testing

/// An app can restore the state of its previous launch.
@Suite struct RestorationTests {
  let place: Place

  init() throws {
    place = try Place()
  }

  @Test func `at the first launch there is no last state`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    #expect(recorder.lastState(of: "checkout") == nil)
    recorder.close()
    #expect(recorder.lastState(of: "checkout") == nil)
  }

  @Test func `the state that was shown when a session was closed is the last one`() throws {
    let before = Date()
    let page = Page()
    let controller = StateController<Page>()
    let first = try HistoryRecorder(at: place.path)
    first.attach(to: controller, as: "checkout")
    controller.bind(to: page)
    controller.transition(to: Instant("list"))
    controller.transition(to: Instant("detail", payload: .open("item 7")))
    first.close()
    let second = try HistoryRecorder(at: place.path)
    let last = try #require(second.lastState(of: "checkout"))
    #expect(last.state == "detail")
    #expect(last.payload == "item 7")
    #expect(last.wasShown)
    #expect(last.ended == .clean)
    #expect(try [last.session] == place.query("SELECT uuid FROM sessions WHERE session = 1"))
    #expect(abs(last.at.timeIntervalSince(before)) < 60)
    // The current session is ignored.
    second.attach(to: StateController<Page>(), as: "checkout")
    try second.flush()
    #expect(second.lastState(of: "checkout") == last)
    #expect(second.lastState(of: "other") == nil)
    second.close()
  }

  @Test func `what a released model showed was not shown at the end`() throws {
    enum Screen { case list, detail }
    let first = try HistoryRecorder(at: place.path)
    for _ in 0..<2 {
      let track = StateTrack("detail", Screen.list)
      first.attach(to: track, as: "detail")
      track.moved(to: Screen.detail)
    }
    first.close()
    let second = try HistoryRecorder(at: place.path)
    let last = try #require(second.lastState(of: "detail"))
    second.close()
    #expect(last.state == "detail" && !last.wasShown)
  }

  @Test func `the last state is found in a file of an older schema, after its migration`() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.copyItem(
      atPath: tests.appendingPathComponent("StatyHistoryTests/Golden/v1.sqlite").path,
      toPath: place.path)
    var options = RecorderOptions()
    options.retention = Retention()
    let recorder = try HistoryRecorder(at: place.path, options: options)
    let last = try #require(recorder.lastState(of: "checkout"))
    #expect(last.state == "loading" && !last.wasShown)
    recorder.close()
  }

  @Test func `hashed and omitted payloads are returned as they are stored`() throws {
    let page = Page()
    let recorder = try HistoryRecorder(at: place.path)
    var controllers: [StateController<Page>] = []
    for (name, payload) in [("a", StatePayload.hashed("secret")), ("b", .omitted)] {
      let controller = StateController<Page>()
      recorder.attach(to: controller, as: name)
      controller.bind(to: page)
      controller.transition(to: Instant("content", payload: payload))
      controllers.append(controller)
    }
    recorder.close()
    let second = try HistoryRecorder(at: place.path)
    #expect(second.lastState(of: "a")?.payload?.hasPrefix("hash:") == true)
    #expect(second.lastState(of: "b")?.payload == "omitted")
    second.close()
  }

  @Test(
    arguments: [
      // All events in the ring, all in the file, and some in each.
      ["attach=checkout", "list", "detail=7"],
      ["attach=checkout", "list", "detail=7", "flush"],
      ["flush", "attach=checkout", "flush", "list", "detail=7"],
      ["attach=checkout", "list", "flush", "detail=7"],
      ["attach=checkout", "detail=7", "list", "flush", "list", "detail=7"],
      // An earlier controller with the same name, and a later one with another name.
      ["attach=checkout", "list", "attach=checkout", "detail=7", "attach=other", "flush", "x"],
      ["attach=checkout", "list", "flush", "attach=checkout", "detail=7"],
      // The second controller with the name showed no state.
      ["attach=checkout", "detail=7", "flush", "attach=checkout"],
    ])
  func `after a kill, the last state is found before the ring is recovered`(
    script: [String]
  ) throws {
    try kill(after: script)
    // Once before and once after the ring is recovered.
    let lookup = try peek(of: "checkout")
    #expect(lookup.state == "detail")
    #expect(lookup.payload == "7")
    #expect(lookup.wasShown)
    #expect(lookup.ended == .killed)
    let recorder = try HistoryRecorder(at: place.path)
    #expect(recorder.lastState(of: "checkout") == lookup)
    try recorder.flush()
    #expect(recorder.lastState(of: "checkout") == lookup)
    recorder.close()
    #expect(try place.query("SELECT ended FROM sessions") == ["killed", "clean"])
  }

  @Test(arguments: [["leave"], ["flush", "leave"], ["leave", "flush"]])
  func `if no state is shown, the last state is the one that exited last`(end: [String]) throws {
    try kill(after: ["attach=checkout", "list", "detail=7"] + end)
    let last = try peek(of: "checkout")
    #expect(last.state == "detail")
    #expect(!last.wasShown)
    let recorder = try HistoryRecorder(at: place.path)
    try recorder.flush()
    #expect(recorder.lastState(of: "checkout") == last)
    recorder.close()
  }

  @Test func `the last state is the same while a long ring is being recovered`() throws {
    let moves = (0..<2_000).flatMap { ["list=\($0)", "leave", "detail=\($0)"] }
    try kill(after: ["attach=checkout"] + moves + ["flush", "list"] + moves)
    let recorder = try HistoryRecorder(at: place.path)
    let first = try #require(recorder.lastState(of: "checkout"))
    #expect(first.state == "detail")
    #expect(first.payload == "1999")
    var answers = 0
    while recorder.statistics.stored == 0, answers < 30 {
      #expect(recorder.lastState(of: "checkout") == first)
      answers += 1
      if answers == 10 { recorder.mark("the ring is in the file when this is") }
    }
    try recorder.flush()
    #expect(recorder.lastState(of: "checkout") == first)
    recorder.close()
  }

  @Test func `of several killed sessions, the last one with the controller counts`() throws {
    try kill(after: ["attach=checkout", "first"])
    try kill(after: ["attach=checkout", "second"])
    try kill(after: ["attach=other", "third"])
    let recorder = try HistoryRecorder(at: place.path)
    #expect(recorder.lastState(of: "checkout")?.state == "second")
    #expect(recorder.lastState(of: "other")?.state == "third")
    recorder.close()
  }

  @Test func `the last state of a late attached controller is the one it had when it was attached`()
    throws
  {
    let page = Page()
    let controller = StateController<Page>()
    controller.bind(to: page)
    controller.transition(to: Instant("content"))
    let first = try HistoryRecorder(at: place.path)
    first.attach(to: controller, as: "checkout")
    first.close()
    let second = try HistoryRecorder(at: place.path)
    #expect(second.lastState(of: "checkout")?.state == "content")
    #expect(second.lastState(of: "checkout")?.wasShown == true)
    second.close()
  }

  @Test func `a deleted session has no last state`() throws {
    try kill(after: ["attach=checkout", "list"])
    var options = RecorderOptions()
    options.retention.sessions = 1
    let recorder = try HistoryRecorder(at: place.path, options: options)
    try recorder.flush()
    #expect(recorder.lastState(of: "checkout") == nil)
    #expect(try place.query("SELECT count(*) FROM visit") == ["0"])
    recorder.close()
  }

  @Test func `the last state is found in an exclusively locked file`() throws {
    try kill(after: ["attach=checkout", "list"])
    var options = RecorderOptions()
    options.isExclusive = true
    let recorder = try HistoryRecorder(at: place.path, options: options)
    #expect(recorder.lastState(of: "checkout")?.state == "list")
    recorder.close()
  }

  @Test(
    arguments: [
      "UPDATE visit SET state = -7", "UPDATE visit SET state = 9223372036854775807",
      "UPDATE visit SET entered = -1", "UPDATE visit SET entered = 9223372036854775807",
      "UPDATE visit SET gone = -9223372036854775807, what = what | 1",
      "UPDATE visit SET seq = -seq", "UPDATE visit SET what = 99",
      "UPDATE event SET visit = -1, t = 9223372036854775807",
      "DELETE FROM event", "DELETE FROM name", "DELETE FROM session",
      "DELETE FROM anchor; UPDATE session SET wall_us = 9223372036854775807, ended = 'open'",
    ])
  func `a damaged or forged file does not yield a wrong state`(damage: String) throws {
    try kill(after: ["attach=checkout", "list=1", "flush", "list=2"])
    try HistoryRecorder(at: place.path).close()
    let connection = try Connection(path: place.path, mode: .readWrite)
    try connection.execute(damage)
    try connection.close()
    let recorder = try HistoryRecorder(at: place.path)
    if let last = recorder.lastState(of: "checkout") { #expect(last.state == "list") }
    recorder.close()
  }

  @Test func `a damaged ring is ignored`() throws {
    try kill(after: ["attach=checkout", "list", "flush", "detail"])
    let ring = try FileHandle(forWritingTo: URL(fileURLWithPath: place.path + "-ring"))
    try ring.write(contentsOf: Data(repeating: 0xA5, count: 20_000))
    try ring.close()
    try FileManager.default.moveItem(
      atPath: place.path + "-ring", toPath: place.path + "-ring-\(UUID().uuidString)")
    let recorder = try HistoryRecorder(at: place.path)
    #expect(recorder.lastState(of: "checkout")?.state == "list")
    recorder.close()
  }

  private func kill(after script: [String]) throws {
    let process = Process()
    process.executableURL = Probe.executable("RecorderProbe")
    process.arguments = ["script", place.path] + script
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
  }

  /// The last state before the ring is recovered: a recorder for a copy cannot recover it, because the copy
  /// is locked.
  private func peek(of name: String) throws -> LastState {
    let copy = try Place()
    for file in try FileManager.default.contentsOfDirectory(atPath: place.directory) {
      try FileManager.default.copyItem(
        atPath: place.directory + "/" + file, toPath: copy.directory + "/" + file)
    }
    let other = try Connection(path: copy.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let recorder = try HistoryRecorder(at: copy.path)
    let last = try #require(recorder.lastState(of: name))
    #expect(recorder.statistics.stored == 0)
    try other.execute("COMMIT")
    try other.close()
    recorder.close()
    return last
  }
}
