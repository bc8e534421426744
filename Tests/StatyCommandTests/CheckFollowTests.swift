import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRules
import Testing

@testable import StatyCommand

/// `check -f`, as a process of its own, with what is written in this process.
@Suite struct CheckFollowTests {
  private let place: Place

  init() throws { place = try Place() }

  /// A session that stays open, with one controller.
  private final class Session {
    let writer: HistoryWriter
    let id: Int64
    private let controller: Int32
    private let state: Int32
    private let start = Date()

    init(_ path: String, uuid: String = "u") throws {
      writer = try HistoryWriter(path: path)
      state = try writer.intern(name: "alert")
      id = try writer.beginSession(
        SessionOpening(
          uuid: uuid, app: "", appVersion: "", os: "", pid: 1,
          wallTime: Int64(Date().timeIntervalSince1970 * 1e6)))
      controller = try writer.addController(
        session: id, name: "checkout", policy: "queue",
        discipline: Discipline.inOrder.rawValue, fidelity: Fidelity.full.rawValue,
        snapshot: SnapshotRecord().text)
    }

    /// Stores events at once, as of now.
    func store(_ events: (seq: Int64, kind: EventKind, visit: UInt32)...) throws {
      let time = Int64(Date().timeIntervalSince(start) * 1e6)
      let rows = events.map {
        EventRow(
          seq: $0.seq, time: time, kind: $0.kind, controller: controller, visit: $0.visit,
          state: $0.visit == 0 ? 0 : state)
      }
      _ = try rows.withUnsafeBufferPointer { try writer.append($0, details: [], to: id) }
    }
  }

  private func follower(_ more: String...) throws -> Follower {
    try Follower(["check", "-f", "--oneline"] + more + ["history.sqlite"], in: place.directory)
  }

  @Test func `what is broken is printed when it happens, once, until it is interrupted`() throws {
    let session = try Session(place.path())
    try session.store((1, .attached, 0), (2, .enqueued, 1), (3, .entering, 1), (4, .entered, 1))
    let follower = try follower()
    try session.store((5, .entering, 1))
    #expect(follower.line()?.contains(":event 5, checkout: error[double-enter]") == true)
    // A number that is stored later is waited for.
    try session.store((7, .exited, 1))
    try session.store((6, .exiting, 1))
    try session.store((8, .enqueued, 2), (9, .entering, 2), (10, .entered, 2), (11, .entering, 2))
    var lines: [String] = []
    while let line = follower.line() {
      lines.append(line)
      if line.contains(":event 11,") { follower.process.interrupt() }
    }
    follower.process.waitUntilExit()
    #expect(follower.process.terminationReason == .exit)
    #expect(follower.process.terminationStatus == 1)
    #expect(Set(lines).count == lines.count, "\(lines)")
    #expect(lines.last?.contains("error[double-enter]") == true)
    let notes = try follower.notes()
    #expect(notes.hasPrefix("Note: no process records into 'history.sqlite', waiting."), "\(notes)")
    #expect(notes.contains(" in 1 session, 11 events."), "\(notes)")
    try session.writer.close()
    // A check afterwards finds the same.
    let check = try Binary(["check", "--oneline", "history.sqlite"], in: place.directory)
    let found = check.out.split(separator: "\n").filter { $0.contains("double-enter") }
    #expect(found.count == 2 && found.last.map(String.init) == lines.last)
  }

  @Test func `where nothing happened while it was followed, nothing is praised`() throws {
    let session = try Session(place.path())
    try session.store((1, .attached, 0))
    let follower = try follower()
    Thread.sleep(forTimeInterval: 1)
    follower.process.interrupt()
    follower.process.waitUntilExit()
    try session.writer.close()
    #expect(follower.process.terminationStatus == 2)
    let notes = try follower.notes()
    #expect(notes.contains("Nothing was judged"), "\(notes)")
  }

  @Test func `a session that ends is judged to its end, and the next one is followed`() throws {
    var session = try Session(place.path())
    try session.store((1, .attached, 0), (2, .enqueued, 1), (3, .entering, 1), (4, .entered, 1))
    let follower = try follower()
    try session.store((5, .entering, 1))
    #expect(follower.line()?.contains("session 1:event 5,") == true)
    // What came later has overtaken it: at the end of the session that is certain.
    try session.store((6, .enqueued, 2), (7, .enqueued, 3), (8, .entering, 3))
    try session.writer.endSession(session.id, .clean)
    try session.writer.close()
    #expect(follower.line(with: "session 1:event 6, checkout: error[never-entered]") != nil)
    session = try Session(place.path(), uuid: "v")
    try session.store((9, .attached, 0), (10, .enqueued, 1), (11, .exiting, 1))
    #expect(follower.line(with: "session 2:event 11,") != nil)
    follower.process.interrupt()
    follower.process.waitUntilExit()
    try session.writer.close()
  }

  @Test func `what never comes is reported after a while, though nothing is recorded`() throws {
    let session = try Session(place.path())
    try session.store((1, .attached, 0), (2, .enqueued, 1), (3, .entering, 1), (4, .mark, 0))
    let found = try followed(session)
    #expect(found.filter { $0.code == .neverArrived }.count == 1, "\(found)")
    try session.writer.close()
  }

  @Test func `what was lost at the end is no answer that never came`() throws {
    let session = try Session(place.path())
    try session.store((1, .attached, 0), (2, .enqueued, 1), (3, .entering, 1))
    try session.writer.restore([
      LossRecord(firstSeq: 4, lastSeq: 9, count: 6, reason: "overload")
    ])
    #expect(try followed(session).isEmpty)
    try session.writer.close()
  }

  /// What is found if a look comes every 600 ms and the clock is a minute ahead.
  private func followed(_ session: Session) throws -> [Finding] {
    let reader = try HistoryReader(path: place.path())
    let record = try reader.session(session.id)
    var followed = FollowedSession(record)
    var found: [Finding] = []
    for _ in 0..<5 {
      found += try followed.findings(
        ListedSession(record, reader), reader, now: 60_000_000)
      Thread.sleep(forTimeInterval: 0.6)
    }
    return found
  }

  @Test(arguments: ["check", "show"])
  func `a file that another history replaces, or that vanishes, ends it with a sentence`(
    verb: String
  ) throws {
    for isReplaced in [true, false] {
      let first = try Session(place.path())
      try first.store((1, .attached, 0), (2, .enqueued, 1), (3, .entering, 1), (4, .entering, 1))
      try first.writer.close()
      let follower = try Follower(
        [verb, "-f", "--format=ndjson", "history.sqlite"], in: place.directory)
      #expect(follower.line() != nil)
      try FileManager.default.removeItem(atPath: place.path())
      if isReplaced {
        let session = try Session(place.path(), uuid: "another")
        try session.store((1, .attached, 0))
        try session.writer.close()
      }
      follower.process.waitUntilExit()
      let notes = try follower.notes()
      let sentence =
        isReplaced
        ? "another history has taken its place." : "it is not there any more."
      #expect(
        notes.contains("Error: Following 'history.sqlite': \(sentence)"), "\(notes)")
      #expect(follower.process.terminationStatus == (isReplaced ? 65 : 66))
      try? FileManager.default.removeItem(atPath: place.path())
    }
  }

  @Test func `what cannot be followed is refused`() throws {
    try place.write(.clean)
    for (arguments, sentence) in [
      (["a.sqlite", "b.sqlite"], "'--follow' follows one history at a time."),
      (["--json", "a.sqlite"], "'--follow' has no end to print one object at"),
    ] {
      let run = Capture(["check", "-f"] + arguments)
      #expect(run.status == .usage)
      #expect(run.err.contains(sentence), "\(run.err)")
    }
    #expect(Capture(["check", "-f", "--junit=x.xml", "a.sqlite"]).status == .usage)
    #expect(Capture(["check", "-f", place.path("nowhere")]).status == .noInput)
  }
}
