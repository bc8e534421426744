import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import Testing

@testable import StatyCommand

/// What goes when the oldest of a history is removed, and what is left.
@Suite struct PruneVerbTests {
  private let place: Place

  init() throws { place = try Place() }

  private func run(_ arguments: String...) throws -> Binary {
    try Binary(arguments, in: place.directory)
  }

  private func words(_ arguments: String...) throws -> String {
    try Binary(arguments, in: place.directory).transcript
  }

  @Test func `whole sessions go, and the rest says what it said`() throws {
    try place.write(.clean, .overlapping(), .clean, isChecked: true)
    let before = try Data(contentsOf: URL(fileURLWithPath: place.path()))
    #expect(
      try words("prune", "history.sqlite", "--keep-sessions", "2", "-o", "less.sqlite")
        == "exit 0\n--- out\n--- err\n1 session was deleted, with 14 events.\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path())) == before)
    #expect(
      try words("prune", "history.sqlite", "--keep-sessions", "2")
        == "exit 0\n--- out\n--- err\n1 session was deleted, with 14 events.\n")
    #expect(
      try words("prune", "history.sqlite", "--keep-sessions", "2")
        == "exit 0\n--- out\n--- err\nNothing was deleted.\n")
    let (one, other) = (try run("export", "history.sqlite"), try run("export", "less.sqlite"))
    #expect(one.out == other.out)
    #expect(one.out.contains(#""session":3"#))
    #expect(!one.out.contains(#""session":1,"#))
    #expect(try run("check", "-q", "history.sqlite").status == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted()
        == ["history.sqlite", "less.sqlite"])
  }

  @Test func `no name that only a deleted session had is left in the file`() throws {
    var story = Story("Shop.Secrets", states: ["secret", "hidden"])
    story.add(.enqueued, 1)
    story.add(.enqueued, 2)
    story.addController("secretly")
    try place.write(story, .clean)
    #expect(
      try run("prune", "history.sqlite", "--keep-sessions", "1", "-o", "less.sqlite").status == 0)
    #expect(try run("prune", "history.sqlite", "--keep-sessions", "1").status == 0)
    for name in ["history.sqlite", "less.sqlite"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: place.path(name)))
      for gone in ["secret", "hidden", "Shop.Secrets"] {
        #expect(bytes.firstRange(of: Data(gone.utf8)) == nil, "\(name), \(gone)")
      }
      #expect(bytes.firstRange(of: Data("loading".utf8)) != nil)
      #expect(try run("doctor", name).status == 0)
    }
  }

  @Test func `in a folder whose name is not UTF-8 nothing goes, nor in one of a like name`() throws
  {
    let bytes = (Array(place.path("b").utf8) + [0xff, 0]).map { CChar(bitPattern: $0) }
    // Not every file system has such names.
    guard mkdir(bytes, 0o755) == 0 else { return }
    defer {
      unlink(place.path("link/history.sqlite"))
      rmdir(bytes)
    }
    #expect(mkdir(place.path("b\u{fffd}"), 0o755) == 0 && symlink(bytes, place.path("link")) == 0)
    try place.write(.clean, .clean)
    let whole = try Data(contentsOf: URL(fileURLWithPath: place.path()))
    let others = ["link", "b\u{fffd}"].map { place.path($0 + "/history.sqlite") }
    for path in others { try FileManager.default.copyItem(atPath: place.path(), toPath: path) }
    for more in [[], ["-o", "less.sqlite"]] {
      let run = try Binary(
        ["prune", "link/history.sqlite", "--keep-sessions", "1"] + more, in: place.directory)
      #expect(run.status == 66 && run.err.contains("is not UTF-8"), "\(run.transcript)")
    }
    for path in others {
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == whole)
    }
  }

  @Test func `of many bytes the oldest sessions go, and the rest is replayed`() throws {
    try write(sessions: 3, cycles: 5_000)
    let out = try run("prune", "history.sqlite", "--bytes", "1500k")
    #expect(out.status == 0)
    #expect(out.err == "2 sessions were deleted, with 49,998 events.\n")
    let size = try FileManager.default.attributesOfItem(atPath: place.path())[.size] as? Int
    #expect(try #require(size) < 1_500_000)
    let reader = try HistoryReader(path: place.path())
    #expect(try reader.sessions().map(\.stored) == [24_999])
    #expect(try reader.sessions().map(\.edition) == [nil])
    #expect(try run("check", "history.sqlite").status == 0)
    #expect(try run("replay", "history.sqlite").status == 0)
  }

  @Test func `the newest session stays, however large it is`() throws {
    try write(sessions: 2, cycles: 10_000)
    let out = try run("prune", "history.sqlite", "--bytes", "1M")
    #expect(
      out.transcript == """
        exit 0
        --- out
        --- err
        1 session was deleted, with 49,999 events.
        It is larger than '--bytes' says: the newest session is never deleted for its size.

        """)
    #expect(try HistoryReader(path: place.path()).sessions().map(\.id) == [2])
    #expect(
      try run("prune", "history.sqlite", "--bytes", "1M").err.hasPrefix("Nothing was deleted."))
  }

  @Test func `what is older goes, by the wall clock`() throws {
    try place.write(.clean, .clean, .clean)
    // Each began a minute after the one before.
    let writer = try HistoryWriter(path: place.path())
    let start: Int64 = 1_760_000_000_000_000
    let pruner = HistoryPruner(
      Retention(age: .seconds(90)),
      clock: RecorderClock(wall: { start + 180_000_000 }, events: { 0 }))
    let summary = try pruner.prune(writer)
    #expect(summary.sessions == 2)
    #expect(try writer.sessions().map(\.id) == [3])
    try writer.close()
    #expect(
      try run("prune", "history.sqlite", "--older-than", "36500d").err == "Nothing was deleted.\n")
  }

  @Test func `all goes only by force, and of a copy`() throws {
    try place.write(.clean, .clean)
    for limit in ["--keep-sessions=0", "--older-than=1d"] {
      #expect(
        try words("prune", "history.sqlite", limit) == """
          exit 64
          --- out
          --- err
          Error: Pruning 'history.sqlite': all its 2 sessions would be deleted.
            Use '--force' if that is meant, or write a pruned copy with '-o'.

          """)
    }
    #expect(try run("prune", "history.sqlite", "--keep-sessions=0", "-o", "b.sqlite").status == 0)
    #expect(try HistoryReader(path: place.path()).sessions().count == 2)
    #expect(
      try run("prune", "history.sqlite", "--keep-sessions=0", "--force").err
        == "2 sessions were deleted, with 28 events.\n")
    // What is not there needs no force.
    #expect(try run("prune", "history.sqlite", "--keep-sessions=0").status == 0)
  }

  @Test func `a session that has not ended is left alone, and that is told`() throws {
    var story = Story.clean
    story.end = .open
    try place.write(story, .clean)
    let out = try words("prune", "history.sqlite", "--keep-sessions", "0")
    #expect(
      out == """
        exit 0
        --- out
        --- err
        1 session was deleted, with 14 events.
        1 session not ended was left alone; the next recorder ends it.

        """)
  }

  @Test func `a history that is being recorded into is refused, and a copy is not`() throws {
    let recorder = try HistoryRecorder(at: place.path())
    try recorder.flush()
    let refused = """
      Error: Pruning 'history.sqlite': process \(getpid()) is recording into it.
        Wait until it ends, let its recorder prune, or write a pruned copy with '-o'.

      """
    let out = try run("prune", "history.sqlite", "--keep-sessions", "0")
    #expect(out.status == 73)
    #expect(out.err == refused)
    #expect(throws: RecorderError.alreadyRecording(path: place.path(), pid: getpid())) {
      try HistoryPruner(Retention(sessions: 0)).prune(at: place.path())
    }
    #expect(try run("prune", "history.sqlite", "--keep-sessions", "0", "-o", "b").status == 0)
    recorder.close()
    #expect(try run("prune", "history.sqlite", "--keep-sessions", "0", "--force").status == 0)
    #expect(!FileManager.default.fileExists(atPath: place.path() + "-ring"))
    // The next recorder finds everything as it must be, and nothing is left to judge.
    try HistoryRecorder(at: place.path()).close()
    #expect(try run("check", "history.sqlite").status == 2)
    #expect(try run("doctor", "history.sqlite").status == 0)
  }

  @Test func `where a recorder cannot be, that is told in whole sentences`() throws {
    // The names of the other files would be too long.
    let name = String(repeating: "n", count: 230)
    try place.write(.clean, .clean, to: name)
    let run = try run("prune", name, "--keep-sessions", "1")
    #expect(run.status == 73)
    #expect(run.err.contains("is yours.\n") && !run.err.contains(".."), "\(run.err)")
  }

  @Test func `it has to be said what to keep, and what is damaged is not touched`() throws {
    try place.write(.clean)
    #expect(try run("prune", "history.sqlite").status == 64)
    #expect(try run("prune", "history.sqlite", "--bytes", "20X").status == 64)
    #expect(try run("prune", "history.sqlite", "--bytes", "10k").status == 64)
    try place.tamper("UPDATE event SET visit = 7 WHERE seq = 5")
    #expect(try run("prune", "history.sqlite", "--keep-sessions", "0").status == 65)
    #expect(try HistoryReader(path: place.path()).sessions().count == 1)
  }

  /// Sessions of a queue that shows one state after the other.
  private func write(sessions: Int, cycles: Int) throws {
    let writer = try HistoryWriter(path: place.path())
    var seq: Int64 = 0
    for number in 1...sessions { try write("run \(number)", cycles, after: &seq, writer) }
    try writer.close()
  }

  private func write(
    _ uuid: String, _ cycles: Int, after seq: inout Int64, _ writer: HistoryWriter
  ) throws {
    let session = try writer.beginSession(
      SessionOpening(
        uuid: uuid, app: "Shop", appVersion: "1", os: "Linux", pid: 1,
        wallTime: 1_760_000_000_000_000))
    let controller = try writer.addController(
      session: session, name: "checkout", policy: "queue", snapshot: SnapshotRecord().text)
    let state = try writer.intern(name: "loading")
    var rows: [EventRow] = []
    func add(_ kind: EventKind, _ visit: Int, causeBack: Int64 = 0) {
      seq += 1
      rows.append(
        EventRow(
          seq: seq, time: Int64(rows.count) * 1_000, kind: kind, controller: controller,
          visit: UInt32(visit), state: visit == 0 ? 0 : state,
          cause: causeBack == 0 ? 0 : seq - causeBack))
    }
    add(.attached, 0)
    for visit in 1...cycles {
      add(.enqueued, visit)
      if visit > 1 {
        add(.exiting, visit - 1, causeBack: 1)
        add(.exited, visit - 1)
      }
      add(.entering, visit, causeBack: 1)
      add(.entered, visit)
    }
    try rows.withUnsafeBufferPointer { _ = try writer.append($0, to: session) }
    try writer.endSession(session, .clean)
  }
}
