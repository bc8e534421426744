import Chance
import Foundation
import Staty
import StatyHistory
import StatyReading
import StatySQLite
import Testing

@testable import StatyRules

@Suite("Findings in the file")
struct FindingsInFileTests {
  private let history: HistoryPlace

  init() throws {
    history = try HistoryPlace()
  }

  /// Sessions of random histories with faults in them, one of each class, and one without.
  private func corpus() -> [RecordedHistory] {
    var histories: [RecordedHistory] = []
    for code in RuleCode.ofControllers {
      var seed = testSeed
      while true {
        seed &+= 1
        var random = SeededRandom(seed: seed)
        let policy: RandomRun.Policy = code == .undeclaredTransition ? .routedQueue : .queue
        var history = RandomRun(policy, seed: seed, withEnds: false).record()
        history.renumber()
        if history.seed(code, &random) != nil,
          history.findings().contains(where: { $0.code == code })
        {
          histories.append(history)
          break
        }
      }
    }
    return histories + [RandomRun(.queue, seed: testSeed).record()]
  }

  /// What `HistoryCheck` says, in the columns of the view.
  private func checked(_ reader: HistoryReader) throws -> [String] {
    let names = try reader.names()
    return try HistoryCheck(reader).file().flatMap { result in
      let controllers = try reader.controllers(session: result.session)
      return result.findings.map { finding in
        let controller = controllers.first { $0.id == finding.controller }?.name ?? ""
        return [
          "\(finding.session)", finding.code.rawValue, finding.severity.rawValue, controller,
          finding.visit == 0 ? "" : "\(finding.visit)", names[finding.state] ?? "",
          "\(finding.seq)", finding.detail { names[$0] },
        ].joined(separator: "|")
      }
    }
  }

  private func expectEqual() throws {
    let reader = try HistoryReader(path: history.path)
    let stored = try history.query("SELECT * FROM violations")
    #expect(try stored.sorted() == checked(reader).sorted(), "STATY_SEED=\(testSeed)")
  }

  @Test func `the view violations has the same rows as the check`() throws {
    let corpus = corpus()
    try history.write { writer in
      writer.judge()
      for (index, recorded) in corpus.enumerated() { try recorded.store(writer, "s\(index)") }
    }
    try expectEqual()
    let found = Set(try history.query("SELECT DISTINCT code FROM violations"))
    #expect(found == Set(RuleCode.ofControllers.map(\.rawValue)), "STATY_SEED=\(testSeed)")
  }

  @Test func `events that are written late are checked in the order of their numbers`() throws {
    for recorded in corpus() {
      try history.write { writer in
        let name = UUID().uuidString
        writer.judge()
        let prepared = try recorded.prepare(writer, name)
        let rows = prepared.rows
        let third = rows.count / 3
        for part in [rows[..<third], rows[(third + 2)...], rows[third..<(third + 2)]] {
          try prepared.append(Array(part), writer)
        }
        try writer.endSession(prepared.session, .clean)
      }
      try expectEqual()
    }
  }

  @Test func `a loss at the end withdraws findings that only the end has shown`() throws {
    var course = Course()
    course.request(1)
    course.wait(seconds: 5)
    course.add(.mark)
    let rows = course.rows
    let writer = try HistoryWriter(path: history.path)
    writer.judge()
    let session = try writer.begin("s", names: ["a"])
    let controller = try writer.addController(session: session, name: "checkout", policy: "mine")
    try writer.append(rows.on(controller), to: session)
    try writer.judgeEnd(of: session)
    #expect(try writer.reader().findings(session: session).map(\.code) == ["never-entered"])
    try writer.recordLoss(first: 3, last: 4, count: 2, reason: "full")
    try writer.judgeEnd(of: session)
    #expect(try writer.reader().findings(session: session) == [])
    try writer.close()
    try expectEqual()
  }

  /// A class that was never seen to pause before a step may pause for ever, until it is known that nothing was cut off.
  @Test(arguments: [SessionEnd.clean, .killed])
  func `what was judged before a session was known to have ended is judged anew if that tells more`(
    end: SessionEnd
  ) throws {
    var course = Course()
    course.show(1)
    let asked = course.request(2)
    let dismissed = course.add(.resumed, cause: asked)
    course.add(.exiting, 1, cause: dismissed)
    course.add(.exited, 1)
    course.wait(seconds: 1)
    course.request(3)
    let rows = course.rows
    var session: Int64 = 0
    try history.write { writer in
      writer.judge()
      session = try writer.begin("s", names: ["a"])
      let controller = try writer.addController(session: session, name: "c", policy: "mine")
      try writer.append(rows.on(controller), to: session)
      try writer.judgeEnd(of: session)
    }
    try history.write { writer in
      writer.judge()
      try writer.endSession(session, end)
    }
    try expectEqual()
    let codes = try history.query("SELECT DISTINCT code FROM violations")
    #expect(codes == (end == .clean ? ["never-entered"] : []))
  }

  @Test func `a session that another writer continues is checked from its beginning`() throws {
    var course = Course()
    course.show(1)
    course.add(.entering, 1)
    let rows = course.rows
    try history.write { writer in
      let session = try writer.begin("s", names: ["a"])
      let controller = try writer.addController(session: session, name: "c", policy: "queue")
      try writer.append(rows.on(controller), to: session)
    }
    #expect(try HistoryReader(path: history.path).sessions().map(\.edition) == [nil])
    try history.tamper(
      "UPDATE session SET rules = 0; INSERT INTO finding VALUES (1,1,1,'','',1,1,1,'',1)")
    try history.write { writer in
      writer.judge()
      try writer.resume(session: 1)
      try writer.append([EventRow(seq: 5, time: 9_000, kind: .mark)], to: 1)
      #expect(try writer.reader().findings(session: 1).map(\.seq) == [4])
      #expect(try writer.sessions().map(\.edition) == [RuleJudge.edition])
    }
    try expectEqual()
  }

  /// A track that differs from each of two mirrors: both findings have one sentence.
  @Test func `two stored findings that say the same are no damage, and a third is`() throws {
    try history.write { writer in
      writer.judge()
      let session = try writer.begin("s", names: ["a", "b"])
      let tracks = try ([[1, 2], [1], [2]] as [[UInt32]]).map { pairs in
        var snapshot = SnapshotRecord()
        snapshot.mirrors = pairs.map {
          TrackMirror(pair: $0, within: 1_000_000, isError: false, isPath: false)
        }
        return try writer.addController(
          session: session, name: "t\(pairs.count)", policy: "moves",
          discipline: Discipline.moves.rawValue, snapshot: snapshot.text)
      }
      var rows: [EventRow] = []
      func add(_ kind: EventKind, _ controller: Int32 = 0, _ visit: UInt32 = 0, at time: Int64 = 0)
      {
        rows.append(
          EventRow(
            seq: Int64(rows.count + 1), time: time, kind: kind, controller: controller,
            visit: visit, state: Int32(visit)))
      }
      for track in tracks { add(.attached, track) }
      for track in tracks { add(.moved, track, 1) }
      add(.moved, tracks[0], 2)
      for time in 1...4 { add(.mark, at: Int64(time) * 400_000) }
      try writer.append(rows, to: session)
      try writer.endSession(session, .clean)
    }
    func stored() throws -> StoredFindings {
      let reader = try HistoryReader(path: history.path)
      return try StoredFindings(HistoryCheck(reader).session(1), in: reader)
    }
    #expect(try history.query("SELECT code FROM violations") == ["mirror", "mirror"])
    #expect(try stored() == .equal)
    try history.tamper(
      """
      INSERT INTO finding(session, seq, code, severity, controller, visit, state, detail, is_final)
      SELECT session, seq, code, severity, controller, visit, state, detail, is_final FROM finding
      LIMIT 1
      """)
    #expect(try stored() == .contradicted("It says twice that event 7 breaks mirror."))
    try history.tamper("DELETE FROM finding WHERE id > 1")
    #expect(try stored() == .contradicted("It does not say that event 7 breaks mirror."))
  }

  @Test func `removing a session removes its findings`() throws {
    let corpus = corpus()
    try history.write { writer in
      writer.judge()
      for (index, recorded) in corpus.enumerated() { try recorded.store(writer, "s\(index)") }
      for session in try writer.sessions() { try writer.remove(session: session.id) }
    }
    #expect(try history.query("SELECT * FROM finding") == [])
  }

  @Test func `a finding's causes and consequences are read from the file`() throws {
    var course = Course()
    course.show(1)
    course.request(2)
    course.add(.exiting, 1, cause: 4)
    course.add(.exited, 1, cause: 5)
    let stray = course.add(.stray, 1, .strayExited, cause: 6)
    course.add(.entering, 2, cause: stray)
    course.add(.entered, 2, cause: 8)
    let rows = course.rows
    try history.write { writer in
      let session = try writer.begin("s", names: ["a", "b"])
      let controller = try writer.addController(session: session, name: "c", policy: "mine")
      try writer.append(rows.on(controller), to: session)
    }
    let reader = try HistoryReader(path: history.path)
    let finding = try #require(try HistoryCheck(reader).session(1).findings.first)
    #expect(finding.seq == stray)
    let context = try #require(try FindingContext(finding, in: reader))
    #expect(context.guilty.seq == 7)
    #expect(context.causes.map(\.seq) == [6, 5, 4])
    #expect(context.consequences.map(\.seq) == [8, 9])
    #expect(context.followers.map(\.seq) == [8, 9])
  }

  @Test func `rules that cannot be checked are listed with the reason`() throws {
    try history.write { writer in
      let session = try writer.begin("s", names: ["a"])
      for fidelity in 1...3 as ClosedRange<UInt8> {
        _ = try writer.addController(
          session: session, name: "c\(fidelity)", policy: "mine", fidelity: fidelity)
      }
    }
    let silent = try HistoryCheck(HistoryReader(path: history.path)).session(1).silent
    func codes(_ controller: Int32) -> [RuleCode] {
      silent.filter { $0.controller == controller }.map(\.code)
    }
    #expect(codes(1) == [])
    #expect(codes(2) == [.reentrantRequest, .overlappingHandling])
    #expect(
      codes(3) == [
        .exitBeforeEnter, .neverEntered, .neverArrived, .neverExited, .undeclaredTransition,
        .slowEnter, .slowExit, .reentrantRequest, .overlappingHandling,
      ])
    #expect(silent.allSatisfy { $0.reason.hasSuffix(".") })
  }
}
