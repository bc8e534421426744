import Foundation
import Staty
import Testing

@testable import StatyHistory
@testable import StatyReading

/// What is left of names, wherever they stood: nothing.
@Suite struct RedactionTests {
  /// What must not be found again.
  static let secrets = [
    "Zuckerberg", "Harrison", "Mitchell", "Okonkwo", "Lindqvist", "Fernandez", "Abernathy",
    "Vanderbilt", "Castellano", "Drummond", "Ellsworth", "Fitzgerald", "Goldberg", "Hathaway",
    "Ivanovich", "Jørgensen", "Kowalski", "Lombardi", "Montgomery", "Nakamura",
  ]

  @Test func `no byte of a name or a payload is in the new file, and all else is`() throws {
    let history = try TemporaryHistory()
    try history.write { try write($0) }
    let before = try bytes(history.path)
    for secret in Self.secrets {
      #expect(before.firstRange(of: Data(secret.utf8)) != nil, "\(secret)")
    }
    let other = try redacted(history)
    let after = try bytes(other.path)
    for secret in Self.secrets {
      #expect(after.firstRange(of: Data(secret.utf8)) == nil, "\(secret)")
    }
    #expect(after.firstRange(of: Data("00000000-aaaa".utf8)) == nil)
    #expect(try other.damage() == nil)
    let columns = "seq, visit, kind, reason, t_ms, at, cause, origin, thread, payload IS NULL"
    for sql in [
      "SELECT \(columns) FROM history", "SELECT first_seq, last_seq, count FROM losses",
      "SELECT visit, enqueued_ms, entered_ms, outcome FROM visits",
      "SELECT started_at, duration_ms, ended, controllers, events, lost FROM sessions",
    ] {
      #expect(try other.query(sql) == history.query(sql))
    }
    #expect(
      try other.query("SELECT app, app_version, os FROM sessions") == ["app-1|version-1|os-1"])
    #expect(
      try other.query("SELECT p.text FROM controller c JOIN name p ON p.id = c.policy")
        == ["queue", "policy-1"])
    #expect(
      try other.query("SELECT state, payload FROM history WHERE kind = 'enqueued'")
        == [
          "state-4|payload-1", "state-2|payload-2", "state-4|payload-1",
          "state-4|(left out: no room)",
        ])
  }

  @Test func `a session that continues another is still one of its process, under new names`()
    throws
  {
    let history = try TemporaryHistory()
    try history.write { writer in
      for (uuid, run) in [("Zuckerberg", nil), ("Harrison", "Zuckerberg")] as [(String, String?)] {
        var opening = SessionOpening.test(uuid)
        opening.run = run
        let session = try writer.beginSession(opening)
        let seq: Int64 = run == nil ? 1 : 2
        try writer.append([EventRow(seq: seq, time: 0, kind: .mark)], to: session)
        try writer.endSession(session, run == nil ? .continued : .clean)
      }
    }
    let other = try TemporaryHistory()
    var count = 0
    try other.write { writer in
      _ = try HistoryRedaction {
        count += 1
        return "new-\(count)"
      }.write(HistoryReader(path: history.path), into: writer)
    }
    #expect(try bytes(other.path).firstRange(of: Data("Zuckerberg".utf8)) == nil)
    #expect(try other.query("SELECT uuid, run FROM session") == ["new-1|", "new-2|new-1"])
    #expect(try other.damage() == nil && other.damage(session: 2) == nil)
  }

  @Test func `a token is never a name that stays`() {
    var tokens = RedactionTokens(keeping: ["state-2"])
    #expect(
      ["a", "state-2", "b", "a"].map { tokens.token("state", $0) }
        == ["state-1", "state-2", "state-3", "state-1"])
  }

  @Test func `what stands for a policy where there is none stays`() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      let session = try writer.beginSession(.test("one"))
      for policy in ["unverified", "moves", "stack", "shown", "Zuckerberg"] {
        _ = try writer.addController(
          session: session, name: "a", policy: policy, snapshot: SnapshotRecord().text)
      }
      try writer.endSession(session, .clean)
    }
    #expect(
      try redacted(history).query(
        "SELECT p.text FROM controller c JOIN name p ON p.id = c.policy ORDER BY c.id")
        == ["unverified", "moves", "stack", "shown", "policy-1"])
  }

  @Test func `equal names are equal tokens, in snapshots and routes too`() throws {
    let history = try TemporaryHistory()
    try history.write { try write($0) }
    let other = try redacted(history)
    let reader = try HistoryReader(path: other.path)
    let text = try #require(try reader.controllers(session: 1).first?.snapshot)
    let snapshot = try #require(SnapshotRecord(text))
    let state = try #require(snapshot.standing.first?.state)
    #expect(snapshot.states == [state, "state-2"])
    #expect(snapshot.routes?.map(\.to) == [state, "state-2"])
    #expect(snapshot.routes?.map(\.from) == [nil, state])
    #expect(snapshot.routes?[1].guarding == "condition-1")
    #expect(snapshot.routes?[1].needs == "condition-2")
    #expect(snapshot.routes?[1].asked == "state-3")
    let details = try reader.details(session: 1)
    var needs: [String?] = []
    while let detail = try details.next() {
      if detail.refusedNeeds != 0 { needs.append(try reader.name(detail.refusedNeeds)) }
    }
    #expect(needs == ["condition-1"])
    #expect(try other.query("SELECT reason FROM losses") == ["reason-1", "overload or unfinished"])
  }

  @Test func `the system's name can stay, and what is redacted twice stays as it is`() throws {
    let history = try TemporaryHistory()
    try history.write { try write($0) }
    let once = try redacted(history) { $0.keepsOS = true }
    #expect(try once.query("SELECT os FROM sessions") == ["Mitchell OS"])
    let kept = try redacted(history) { $0.names = ["Abernathy", "Drummond"] }
    #expect(
      try kept.query("SELECT DISTINCT state, payload FROM history WHERE visit = 1")
        == ["Abernathy|payload-1"])
    let twice = try redacted(once)
    let sql = "SELECT seq, controller, visit, state, kind, payload FROM history"
    #expect(try twice.query(sql) == once.query(sql))
  }

  @Test func `an unknown beginning stays unknown, and a known one known`() throws {
    let history = try TemporaryHistory()
    var known = SnapshotRecord()
    known.lastVisit = 7
    // Readable, and not as a recorder writes it.
    let other = known.text.replacingOccurrences(of: ":", with: " : ")
    try history.write { writer in
      let session = try writer.beginSession(.test())
      for snapshot in ["", "{}", "{\"Zuckerberg\":1}", known.text, other] {
        _ = try writer.addController(
          session: session, name: "a", policy: "queue", snapshot: snapshot)
      }
      try writer.endSession(session, .clean)
    }
    let copy = try redacted(history)
    let reader = try HistoryReader(path: copy.path)
    #expect(
      try reader.controllers(session: 1).map(\.snapshot) == ["", "{}", "", known.text, known.text])
  }

  @Test func `a state called none stays, because a track that shows it shows nothing`() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      let session = try writer.beginSession(.test())
      let track = try writer.addController(
        session: session, name: "none", policy: "moves", discipline: Discipline.moves.rawValue)
      let names = try ["detail", "none"].map { try writer.intern(name: $0) }
      let rows = names.enumerated().map { index, name in
        EventRow(
          seq: Int64(index) + 1, time: 5, kind: .moved, controller: track,
          visit: UInt32(index) + 1, state: name)
      }
      try writer.append(rows, to: session)
      try writer.endSession(session, .clean)
    }
    #expect(
      try redacted(history).query("SELECT controller, state FROM history")
        == ["controller-1|state-1", "controller-1|none"])
  }

  @Test func `a payload that was cut is still told of as cut`() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      let session = try writer.beginSession(.test())
      let track = try writer.addController(
        session: session, name: "a", policy: "moves", discipline: Discipline.moves.rawValue)
      var rows: [EventRow] = []
      var details: [EventDetail] = []
      for (index, text) in ["cut:Zuckerberg", "cut", "cut:Zuckerberg"].enumerated() {
        rows.append(
          EventRow(seq: Int64(index) + 1, time: 5, kind: .received, controller: track))
        details.append(EventDetail(seq: Int64(index) + 1))
        details[index].payload = Array(text.utf8)
      }
      try writer.append(rows, details: details, to: session)
      try writer.endSession(session, .clean)
    }
    let once = try redacted(history)
    let payloads = ["cut:payload-1", "payload-2", "cut:payload-1"]
    #expect(try once.query("SELECT payload FROM history") == payloads)
    #expect(try redacted(once).query("SELECT payload FROM history") == payloads)
  }

  private func redacted(
    _ history: TemporaryHistory, _ change: (inout HistoryRedaction.Options) -> Void = { _ in }
  ) throws -> TemporaryHistory {
    let other = try TemporaryHistory()
    var options = HistoryRedaction.Options()
    options.policies = ["queue"]
    change(&options)
    try other.write { writer in
      _ = try HistoryRedaction(options) { "11111111-bbbb" }
        .write(HistoryReader(path: history.path), into: writer)
    }
    return other
  }

  private func bytes(_ path: String) throws -> Data {
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }
}

extension RedactionTests {
  /// A history with a secret in every place where a text can stand.
  private func write(_ writer: HistoryWriter) throws {
    let session = try writer.beginSession(
      SessionOpening(
        uuid: "00000000-aaaa", app: "Zuckerberg", appVersion: "Harrison", os: "Mitchell OS",
        pid: 4_242, wallTime: 1_700_000_000_000_000))
    let first = try writer.addController(
      session: session, name: "Okonkwo", policy: "queue", snapshot: snapshot.text)
    let second = try writer.addController(
      session: session, name: "Lindqvist", policy: "Fernandez",
      snapshot: #"{"some":"Jørgensen"}"#)
    let state = try writer.intern(name: "Abernathy")
    let other = try writer.intern(name: "Vanderbilt")
    let site = try writer.intern(site: "Castellano.swift", line: 7)
    var rows: [EventRow] = []
    var details: [EventDetail] = []
    func add(
      _ kind: EventKind, _ controller: Int32, _ visit: UInt32 = 0, _ state: Int32 = 0,
      reason: UInt8 = 0, payload: String? = nil, _ change: (inout EventDetail) -> Void = { _ in }
    ) {
      let seq = Int64(rows.count) + 1
      rows.append(
        EventRow(
          seq: seq, time: seq * 10, kind: kind, reason: reason, controller: controller,
          visit: visit, state: state, site: kind == .enqueued ? site : 0))
      var detail = EventDetail(seq: seq)
      detail.payload = payload.map { Array($0.utf8) }
      change(&detail)
      if detail != EventDetail(seq: seq) { details.append(detail) }
    }
    let (guardName, asked) = (
      try writer.intern(name: "Goldberg"), try writer.intern(name: "Ivanovich")
    )
    add(.attached, first)
    add(.attached, second)
    add(.enqueued, first, 1, state, payload: "Drummond")
    add(.enqueued, first, 2, other, payload: "Ellsworth") { $0.asked = asked }
    add(.discarded, first, 2, other, reason: 1) {
      $0.refusal = 3
      ($0.refusedFrom, $0.refusedNeeds) = (state, guardName)
    }
    add(.enqueued, second, 1, state, payload: "Drummond")
    add(.enqueued, second, 2, state, payload: "(left out: no room)")
    add(.mark, 0) { $0.note = "Fitzgerald" }
    add(.mark, 0) { $0.note = "Kowalski" }
    try writer.append(rows, details: details, to: session)
    try writer.recordLoss(first: 20, last: 21, count: 2, reason: "Lombardi")
    try writer.recordLoss(first: 22, last: 22, count: 1, reason: "overload or unfinished")
    try writer.endSession(session, .clean)
    let finding = FindingRecord(
      session: session, seq: 3, code: "overlap", severity: "error", controller: first, visit: 1,
      state: state, detail: "Montgomery was there.", isFinal: true)
    try writer.writing { try writer.insert([finding], of: session) }
    // A name that is not used any more.
    _ = try writer.intern(name: "Nakamura")
  }

  private var snapshot: SnapshotRecord {
    var snapshot = SnapshotRecord()
    var standing = SnapshotRecord.Request(visit: 1, state: "Hathaway")
    standing.phase = 2
    snapshot.standing = [standing]
    var second = SnapshotRecord.Route(to: "Vanderbilt")
    second.from = "Hathaway"
    second.guarding = "Goldberg"
    second.needs = "Nakamura"
    second.asked = "Ivanovich"
    snapshot.routes = [SnapshotRecord.Route(to: "Hathaway"), second]
    snapshot.states = ["Hathaway", "Vanderbilt"]
    return snapshot
  }
}
