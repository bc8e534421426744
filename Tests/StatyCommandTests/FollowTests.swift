import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import Testing

@testable import StatyCommand

/// `show -f`, as a process of its own, with recorders in this process.
@Suite struct FollowTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test func `what is recorded is listed as it is, session after session`() throws {
    let recorder = try HistoryRecorder(at: place.path())
    recorder.mark("one")
    try recorder.flush(.stored)
    let follower = try Follower(
      ["show", "-f", "--format=ndjson", "history.sqlite"], in: place.directory)
    #expect(follower.line()?.contains("\"note\":\"one\"") == true)
    recorder.mark("two")
    #expect(follower.line()?.contains("\"note\":\"two\"") == true)
    recorder.close()
    let second = try HistoryRecorder(at: place.path())
    second.mark("three")
    let third = follower.line() ?? ""
    #expect(third.contains("\"note\":\"three\"") && third.hasPrefix("{\"session\":2,"))
    second.close()
    // A follower does not prevent a recorder from removing its files.
    let files = try FileManager.default.contentsOfDirectory(atPath: place.directory)
    #expect(!files.contains("history.sqlite-ring"))
    follower.process.interrupt()
    follower.process.waitUntilExit()
    #expect(follower.process.terminationStatus == 0)
    #expect(follower.process.terminationReason == .exit)
    #expect(follower.line() == nil)
  }

  /// Waits until a file beside the history has a text.
  private func has(_ name: String, _ text: String, tries: Int = 400) -> Bool {
    for _ in 0..<tries {
      if (try? String(contentsOfFile: place.path(name), encoding: .utf8))?.contains(text) == true {
        return true
      }
      usleep(50_000)
    }
    return false
  }

  @Test func `a page that follows gets what is new, and is written anew for another session`()
    throws
  {
    let recorder = try HistoryRecorder(at: place.path())
    recorder.mark("one")
    try recorder.flush(.stored)
    let arguments = ["report", "--follow", "history.sqlite", "-o", "live.html"]
    let follower = try Follower(arguments, in: place.directory)
    #expect(has("live.js", "staty({\"tick\":"))
    #expect(has("live.html", "\"one\"") && !has("live.html", "\"two\"", tries: 1))
    recorder.mark("two")
    #expect(has("live.js", "\"two\""))
    recorder.close()
    #expect(has("live.js", "\"ended\":\"clean\""))
    let second = try HistoryRecorder(at: place.path())
    second.mark("three")
    #expect(has("live.html", "id=\"session-2\""))
    #expect(has("live.js", "\"three\""))
    second.close()
    follower.process.interrupt()
    follower.process.waitUntilExit()
    #expect(follower.process.terminationStatus == 0)
    #expect(has("live.js", "\"isOver\":true"))
    let files = try FileManager.default.contentsOfDirectory(atPath: place.directory)
    #expect(Set(files) == ["history.sqlite", "live.html", "live.js"])
    // Neither file is replaced unless it is asked for.
    try FileManager.default.removeItem(atPath: place.path("live.html"))
    #expect(try Binary(arguments, in: place.directory).status == 73)
  }

  @Test func `a page that follows is written anew when an event is stored behind later ones`()
    throws
  {
    let writer = try HistoryWriter(path: place.path())
    let session = try writer.beginSession(
      SessionOpening(uuid: "u", app: "", appVersion: "", os: "", pid: 1, wallTime: 0))
    func store(_ seqs: Int64...) throws {
      let rows = seqs.map { EventRow(seq: $0, time: $0, kind: .mark) }
      _ = try rows.withUnsafeBufferPointer { try writer.append($0, details: [], to: session) }
    }
    func base() throws -> Int? {
      let script = try String(contentsOfFile: place.path("live.js"), encoding: .utf8)
      return script.firstMatch(of: /"base":(\d+)/).flatMap { Int($0.1) }
    }
    try store(1, 3)
    let follower = try Follower(
      ["report", "--follow", "history.sqlite", "-o", "live.html"], in: place.directory)
    // What the page has is in the script, so that an older page can tell whether it has the same.
    #expect(has("live.js", "\"upTo\":3,"))
    let first = try base()
    try store(4)
    #expect(has("live.js", "\"upTo\":4,"))
    #expect(try first == base())
    try store(2)
    #expect(has("live.js", "\"events\":4,"))
    #expect(try first != base())
    try store(5)
    #expect(has("live.js", "\"upTo\":5,"))
    follower.process.interrupt()
    follower.process.waitUntilExit()
    #expect(follower.process.terminationStatus == 0)
    try writer.close()
  }

  @Test func `a list that never ended is whole when it is interrupted`() throws {
    try place.write(.clean)
    let follower = try Follower(["show", "-f", "--json", "history.sqlite"], in: place.directory)
    var text = ""
    while let line = follower.line() {
      text += line + "\n"
      // The last of ten rows.
      if line.contains("\"seq\": 14") { follower.process.interrupt() }
    }
    follower.process.waitUntilExit()
    let rows = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    #expect(rows?.count == 10)
  }

  @Test func `a closed reader is noticed, though nothing is recorded`() throws {
    try place.write(.clean)
    let follower = try Follower(["show", "-f", "history.sqlite"], in: place.directory)
    #expect(follower.line()?.hasPrefix("session") == true)
    follower.closeReading()
    follower.process.waitUntilExit()
    #expect(follower.process.terminationStatus == 0)
  }

  @Test func `an event that is stored behind later ones is listed when it comes`() throws {
    let writer = try HistoryWriter(path: place.path())
    let session = try writer.beginSession(
      SessionOpening(uuid: "u", app: "", appVersion: "", os: "", pid: 1, wallTime: 0))
    func store(_ seqs: Int64...) throws {
      let rows = seqs.map { EventRow(seq: $0, time: $0, kind: .mark) }
      _ = try rows.withUnsafeBufferPointer { try writer.append($0, details: [], to: session) }
    }
    var following = Following()
    func come() throws -> [String] {
      let reader = try HistoryReader(path: place.path())
      var come: [String] = []
      try following.next(reader) { event, _ in
        come.append(event.loss.map { "\($0.firstSeq)-\($0.lastSeq)" } ?? "\(event.seq)")
      }
      return come
    }
    try store(1, 3)
    try following.skip(HistoryReader(path: place.path()))
    #expect(try come() == [])
    try store(6, 7)
    #expect(try come() == ["6", "7"])
    try store(2, 5)
    #expect(try come() == ["2", "5"])
    try writer.recordLoss(first: 4, last: 4, count: 1, reason: "lane full")
    #expect(try come() == ["4-4"])
    try store(8)
    try writer.endSession(session, .clean)
    #expect(try come() == ["8"])
    #expect(try come() == [])
    try writer.close()
  }
}
