import Staty
import StatyHistory
import StatyReading
import Testing

/// Sessions that continue another, as the writer makes them.
@Suite struct ContinuingTests {
  @Test func `a controller whose first events were lost keeps its name in the next session`() throws
  {
    let history = try TemporaryHistory()
    try history.write { writer in
      let session = try writer.beginSession(.test())
      let heard = try writer.addController(session: session, name: "screen", policy: "queue")
      let unheard = try writer.addController(session: session, name: "sheet", policy: "queue")
      try writer.append(
        [EventRow(seq: 1, time: 0, kind: .attached, controller: heard)], to: session, observed: 2)
      try writer.recordLoss(first: 2, last: 2, count: 1, reason: "full")
      let record = try #require(try writer.sessions().first)
      let next = try #require(
        try writer.continue(
          record, .test("u2"), drawn: 2, from: RingPoint(drawn: 0, shift: 0, time: 0), time: 10))
      let controller = try #require(next.controllers[unheard])
      try writer.append(
        [
          EventRow(
            seq: Int64(next.point.shift) + 3, time: 5, kind: .detached, controller: controller)
        ], to: next.session, observed: 2)
    }
    #expect(
      try history.query("SELECT session, controller, kind, reason FROM history ORDER BY seq") == [
        "1|screen|attached|", "1|screen|detached|continues", "2|screen|attached|",
        "2|sheet|detached|",
      ])
    #expect(try [1, 2].map { try history.damage(session: $0) } == [nil, nil])
  }

  @Test func `numbers that were drawn and have not come yet are the next session's`() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      let session = try writer.beginSession(.test())
      let controller = try writer.addController(session: session, name: "a", policy: "queue")
      try writer.append(
        [EventRow(seq: 1, time: 0, kind: .attached, controller: controller)], to: session,
        observed: 7)
      let record = try #require(try writer.sessions().first)
      let next = try #require(
        try writer.continue(
          record, .test("u2"), drawn: 1, from: RingPoint(drawn: 0, shift: 0, time: 0), time: 10))
      // The second number of the ring comes.
      try writer.append(
        [EventRow(seq: next.point.shift + 2, time: 5, kind: .mark)], to: next.session)
    }
    #expect(
      try history.query("SELECT first_seq, observed, stored FROM session") == ["1|2|2", "3|2|2"])
    #expect(try [1, 2].map { try history.damage(session: $0) } == [nil, nil])
  }

  @Test func `a session with too many open visits goes on, unless it is urgent that it ends`()
    throws
  {
    for isUrgent in [false, true] {
      let history = try TemporaryHistory()
      try history.write { writer in
        let session = try writer.beginSession(.test())
        let controller = try writer.addController(session: session, name: "a", policy: "queue")
        let state = try writer.intern(name: "s")
        func row(_ seq: Int64, _ kind: EventKind, _ visit: UInt32 = 0) -> EventRow {
          EventRow(
            seq: seq, time: seq, kind: kind, controller: controller, visit: visit,
            state: visit == 0 ? 0 : state)
        }
        let requests = (1...65).map { row(Int64($0) + 1, .enqueued, UInt32($0)) }
        try writer.append([row(1, .attached)] + requests, to: session)
        func next(drawn: Int64) throws -> Continuation? {
          try writer.continue(
            #require(try writer.sessions().first), .test("u2"), drawn: drawn,
            from: RingPoint(drawn: 0, shift: 0, time: 0), time: 100, isUrgent: isUrgent)
        }
        #expect(try (next(drawn: 66) != nil) == isUrgent)
        if isUrgent { return }
        try writer.append([row(67, .discarded, 65)], to: session)
        #expect(try next(drawn: 67) != nil)
      }
      #expect(
        try history.query("SELECT count(*) FROM history WHERE session = 2 AND kind = 'stood'")
          == [isUrgent ? "0" : "64"])
      #expect(try [1, 2].map { try history.damage(session: $0) } == [nil, nil])
    }
  }

  @Test func `what waits is told in the order of its requests, with all that rules need`() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      let session = try writer.beginSession(.test())
      let names = try ["a", "low", "high"].map { try writer.intern(name: $0) }
      let controller = try writer.addController(
        session: session, name: "screen", policy: "mine",
        discipline: Discipline.byUrgency.rawValue)
      func row(
        _ seq: Int64, _ kind: EventKind, _ visit: UInt32 = 0, cause: Int64 = 0
      ) -> EventRow {
        EventRow(
          seq: seq, time: seq, kind: kind, controller: controller, visit: visit,
          state: visit == 0 ? 0 : names[Int(visit) - 1], cause: cause)
      }
      var (low, high) = (EventDetail(seq: 5), EventDetail(seq: 6))
      low.answers = RouteTable.anew | 1
      (high.priority, high.instance) = (5, 1)
      try writer.append(
        [
          row(1, .attached), row(2, .enqueued, 1), row(3, .entering, 1, cause: 2),
          row(4, .entered, 1), row(5, .enqueued, 2), row(6, .enqueued, 3),
        ], details: [low, high], to: session, observed: 6)
      let record = try #require(try writer.sessions().first)
      _ = try #require(
        try writer.continue(
          record, .test("u2"), drawn: 6, from: RingPoint(drawn: 0, shift: 0, time: 0), time: 10))
    }
    #expect(
      try history.query("SELECT kind, reason, visit FROM history WHERE session = 2 ORDER BY seq")
        == ["attached||", "stood|entered|1", "stood|waiting|2", "stood|waiting|3"])
    let details = try history.details(session: 2)
    #expect(details.map(\.age) == [6, 5, 4])
    #expect(details.map(\.answers) == [0, RouteTable.anew, 0])
    #expect(details.map(\.priority) == [0, 0, 5])
    #expect(details.map(\.instance) == [0, 0, 1])
    // A policy goes on with the most urgent one.
    let snapshot = try HistoryReader(path: history.path).controllers(session: 2).first?.opening
    #expect(snapshot?.waiting.map(\.visit) == [3, 2])
    #expect(try history.damage(session: 2) == nil)
  }

  @Test func `the sessions of a process, and the open ones, are those among all sessions`() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      for (uuid, run, end) in [
        ("a", nil, SessionEnd.continued), ("b", "a", .open), ("c", nil, .killed), ("d", "a", .open),
      ] {
        var opening = SessionOpening.test(uuid)
        opening.run = run
        let id = try writer.beginSession(opening)
        try writer.append([EventRow(seq: id * 10, time: 1, kind: .mark)], to: id)
        if end != .open { try writer.endSession(id, end) }
      }
      // As a history begins whose oldest session was pruned.
      try writer.remove(session: 1)
      let all = try writer.sessions()
      #expect(all.map(\.uuid) == ["b", "c", "d"])
      #expect(try writer.sessions(ofRun: "a") == [all[0], all[2]])
      #expect(try writer.sessions(ofRun: "b") == [all[0]])
      #expect(try writer.sessions(ofRun: "e").isEmpty)
      #expect(try writer.openSessions() == [all[0], all[2]])
      #expect(try all.map { try writer.session($0.id) } == all)
    }
  }
}
