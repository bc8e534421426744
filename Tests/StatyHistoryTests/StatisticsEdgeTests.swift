import Staty
import StatyHistory
import StatisticsOracle
import Testing

/// Where a recording begins late, has gaps or says less.
@Suite struct StatisticsEdgeTests {
  let history: TemporaryHistory

  init() throws { history = try TemporaryHistory() }

  private func rows(_ view: String, _ columns: String = "*") throws -> [String] {
    #expect(try ViewRows.firstDifference(at: history.path) == nil)
    return try history.query("SELECT \(columns) FROM \(view)")
  }

  @Test func `what was under way when recording began counts from there`() throws {
    try history.tell { tale in
      try tale.controller(at: 50) { snapshot in
        snapshot.stand(7, "loading", .entered)
        snapshot.waiting = [.init(visit: 8, state: "alert")]
      }
      tale.add(60, .exiting, 7, "loading")
      tale.add(80, .exited, 7, "loading")
      tale.add(85, .entering, 8, "alert")
      tale.add(100, .entered, 8, "alert")
      try tale.end(at: 300)
    }
    #expect(
      try rows("dwell", "state, visits, still_open, total_ms")
        == ["loading|1|0|30.0", "alert|1|1|200.0"])
    #expect(try rows("waits", "state, visits, max_ms") == ["alert|1|35.0"])
    // The time of its request is not known.
    #expect(try rows("transitions", "\"from\", \"to\", n, p50_ms") == ["loading|alert|1|"])
    #expect(try rows("slowest") == [])
  }

  @Test func `what never moved while it was recorded is there, too`() throws {
    try history.tell { tale in
      try tale.controller(at: 100) { snapshot in
        snapshot.stand(3, "leaving", .exiting)
        snapshot.waiting = [.init(visit: 4, state: "next")]
      }
      try tale.controller("other", at: 100) { $0.stand(1, "shown", .entered) }
      try tale.controller("gone", at: 100) { $0.stand(1, "last", .exited) }
      tale.add(300, .detached)
      try tale.end(at: 1_100)
    }
    #expect(
      try rows("stuck") == [
        "1|checkout|3|leaving|exiting|200.0|exited of 3 leaving",
        "1|checkout|4|next|waiting|200.0|exited of 3 leaving",
      ])
    #expect(
      try rows("dwell", "controller, state, still_open, total_ms")
        == ["checkout|leaving|1|200.0", "other|shown|1|1000.0"])
  }

  @Test func `what came before a gap is not taken for what came last`() throws {
    try history.tell { tale in
      try tale.controller()
      tale.visit(1, "a", asked: 0, told: 1, entered: 2)
      tale.lose(3)
      tale.visit(3, "b", asked: 50, told: 60, entered: 70, out: 90)
      tale.visit(4, "a", asked: 95, told: 100, entered: 120, out: 130)
      tale.add(140, .enqueued, 5, "b")
      try tale.end(at: 200)
    }
    // From what the controller went to b is lost, and how long the first a was in.
    #expect(
      try rows("transitions", "\"from\", \"to\", n, percent") == ["|a|1|100.0", "b|a|1|100.0"])
    #expect(
      try rows("dwell", "state, visits, still_open, unknown, total_ms")
        == ["a|2|0|1|10.0", "b|1|0|0|20.0"])
    // The visits on the stage are not known, either.
    #expect(try rows("stuck", "visit, reason, waited_ms, waiting_for") == ["5|waiting|60.0|"])
  }

  @Test func `nothing that came before a late recording is taken for the beginning`() throws {
    try history.tell { tale in
      try tale.controller { $0.lastVisit = 4 }
      tale.visit(5, "a", asked: 10, told: 10, entered: 20, out: 30)
      tale.visit(6, "b", asked: 40, told: 40, entered: 50)
      try tale.end(at: 100)
    }
    #expect(try rows("transitions", "\"from\", \"to\", n") == ["a|b|1"])
  }

  @Test func `behind a gap, a path that is popped may show what was pushed before`() throws {
    try history.tell { tale in
      try tale.controller(discipline: .moves)
      tale.add(10, .moved, 1, "a", .movedPush)
      tale.lose()
      tale.add(20, .moved, 2, "b", .movedPush)
      tale.add(30, .moved, 2, "b", .movedPop)
      tale.add(40, .moved, 3, "c", .movedPush)
      tale.add(50, .moved, 4, "d", .movedPush)
      tale.add(60, .moved, 4, "d", .movedPop)
      tale.add(70, .moved, 5, "e", .movedPush)
      try tale.end(at: 100)
    }
    #expect(
      try history.query("SELECT \"from\", \"to\", n FROM transitions ORDER BY \"to\"")
        == ["|a|1", "c|d|1", "c|e|1"])
  }

  @Test func `what may have ended in a gap is not stuck`() throws {
    try history.tell { tale in
      try tale.controller()
      tale.add(0, .enqueued, 1, "a")
      tale.add(1, .entering, 1, "a")
      tale.lose()
      try tale.end(at: 200, .killed)
    }
    #expect(try rows("stuck") == [])
    #expect(try rows("waits", "visits, max_ms") == ["1|1.0"])
  }

  /// The recorder begins anew behind a loss, with another number.
  @Test func `a visit that goes on behind a loss counts once, with its whole time`() throws {
    try history.tell { tale in
      try tale.controller()
      tale.visit(1, "a", asked: 0, told: 0, entered: 10, dismissed: 20)
      tale.add(20, .enqueued, 2, "b")
      tale.lose()
      tale.add(50, .enqueued, 3, "c")
      tale.add(60, .detached, 0, nil, .continues)
      try tale.controller(at: 60) { snapshot in
        snapshot.stand(2, "b", .entered)
        snapshot.waiting = [.init(visit: 3, state: "c")]
        snapshot.lastVisit = 3
      }
      tale.add(70, .detached, 0, nil, .continues, controller: 1)
      try tale.controller(at: 70) { snapshot in
        snapshot.stand(2, "b", .entered)
        snapshot.waiting = [.init(visit: 3, state: "c")]
        snapshot.lastVisit = 3
      }
      tale.add(80, .exiting, 2, "b", controller: 2)
      tale.add(90, .exited, 2, "b", controller: 2)
      tale.add(90, .entering, 3, "c", controller: 2)
      tale.add(95, .entered, 3, "c", controller: 2)
      try tale.end(at: 100)
    }
    // What became of the first is among the lost events; so is when the second entered.
    #expect(
      try history.query("SELECT visit, state, enqueued_ms, outcome FROM visits ORDER BY visit")
        == ["1|a|0.0|unknown", "2|b||exited", "3|c|50.0|open"])
    #expect(
      try history.query("SELECT state, visits, unknown, total_ms FROM dwell ORDER BY state")
        == ["a|1|1|", "b|1|0|30.0", "c|1|0|5.0"])
    #expect(
      try history.query("SELECT state, visits, max_ms FROM waits ORDER BY state")
        == ["a|1|0.0", "c|1|40.0"])
    #expect(
      try history.query("SELECT \"from\", \"to\", n, max_ms FROM transitions ORDER BY \"to\"")
        == ["|a|1|10.0", "b|c|1|45.0"])
  }

  @Test func `a visit that is entering where its recording goes on was told when it was`() throws {
    try history.tell { tale in
      try tale.controller()
      tale.add(10, .enqueued, 1, "a")
      tale.add(20, .entering, 1, "a")
      tale.lose()
      tale.add(50, .detached, 0, nil, .continues)
      try tale.controller(at: 50) { $0.stand(1, "a", .entering) }
      try tale.end(at: 100)
    }
    #expect(
      try history.query("SELECT visit, enqueued_ms, entering_ms, outcome FROM visits")
        == ["1||20.0|open"])
    #expect(try history.query("SELECT visit, reason, waited_ms FROM stuck") == ["1|entering|80.0"])
  }

  @Test func `where only three kinds are recorded, parts are told apart as far as they show`()
    throws
  {
    try history.tell { tale in
      try tale.controller(fidelity: .threeKind)
      tale.add(0, .enqueued, 1, "a")
      tale.add(20, .entered, 1, "a")
      tale.add(50, .enqueued, 2, "b")
      tale.add(80, .exited, 1, "a")
      tale.add(95, .entered, 2, "b")
      tale.add(100, .enqueued, 3, "a")
      try tale.end(at: 150)
    }
    #expect(
      try rows("slowest", "visit, total_ms, behind_ms, exit_ms, gap_ms, enter_ms")
        == ["2|45.0|30.0|0.0|0.0|15.0", "1|20.0|0.0|0.0|0.0|20.0"])
    #expect(try rows("waits", "state, mean_ms") == ["a|35.0", "b|45.0"])
    #expect(try rows("stuck", "visit, reason, waiting_for") == ["3|waiting|exited of 2 b"])
  }

  @Test func `moves are held against the routes that were recorded with the controller`() throws {
    try history.tell { tale in
      try tale.controller { snapshot in
        snapshot.declare(nil, "a")
        snapshot.declare("a", "b")
        snapshot.declare(nil, "c", isAnywhere: true)
      }
      for (visit, state) in zip(1..., ["a", "b", "c", "b", "a"]) {
        let begin = Int64(visit) * 10
        tale.visit(
          UInt32(visit), state, asked: begin, told: begin, entered: begin + 2, out: begin + 5)
      }
      try tale.controller("free", at: 90)
      tale.visit(1, "a", asked: 91, told: 91, entered: 92, controller: 1)
      try tale.end(at: 100)
    }
    #expect(
      try rows("transitions", "controller, \"from\", \"to\", percent, declared") == [
        "checkout||a|100.0|1", "checkout|a|b|100.0|1", "checkout|b|a|50.0|0",
        "checkout|b|c|50.0|1", "checkout|c|b|100.0|0", "free||a|100.0|",
      ])
  }

  @Test func `a request made after the user has removed what was shown comes from the beginning`()
    throws
  {
    try history.tell { tale in
      try tale.controller { snapshot in
        snapshot.declare(nil, "login")
        snapshot.declare("login", "detail")
      }
      tale.visit(1, "login", asked: 10, told: 10, entered: 20, out: 30)
      tale.visit(2, "detail", asked: 40, told: 40, entered: 50, out: 60)
      tale.add(70, .enqueued, 3, "login", answers: RouteTable.anew)
      tale.add(70, .entering, 3, "login")
      tale.add(80, .entered, 3, "login")
      try tale.end(at: 100)
    }
    #expect(
      try history.query(
        "SELECT \"from\", \"to\", n, declared FROM transitions ORDER BY \"to\"")
        == ["login|detail|1|1", "|login|2|1"])
  }

  @Test func `a visit that a deadline forces counts as entered`() throws {
    try history.tell { tale in
      try tale.controller()
      tale.add(0, .enqueued, 1, "a")
      tale.add(0, .entering, 1, "a")
      tale.add(30, .deadline, 1, "a", .enteringForce)
      tale.add(40, .enqueued, 2, "b")
      tale.add(40, .exiting, 1, "a")
      tale.add(90, .deadline, 1, "a", .exitingSkip)
      tale.add(90, .discarded, 1, "a", .timedOut)
      tale.add(90, .entering, 2, "b")
      tale.add(95, .deadline, 2, "b", .enteringReport)
      try tale.end(at: 100)
    }
    #expect(try rows("dwell", "state, visits, total_ms") == ["a|1|60.0"])
    #expect(
      try rows("stuck", "visit, reason, waited_ms, waiting_for")
        == ["2|entering|10.0|entered of 2 b"])
  }

  @Test func `a waiting visit has a reason: behind another, unbound, or forgotten`() throws {
    try history.tell { tale in
      try tale.controller()
      tale.visit(1, "a", asked: 0, told: 0, entered: 5)
      tale.add(10, .enqueued, 2, "b")
      try tale.controller("unbound", at: 10) { $0.isWithholding = true }
      tale.add(20, .enqueued, 1, "a", controller: 1)
      try tale.controller("bound", at: 20) { $0.isWithholding = true }
      tale.add(30, .resumed, controller: 2)
      tale.add(40, .enqueued, 1, "a", controller: 2)
      try tale.controller("torn down", at: 40)
      tale.add(50, .enqueued, 1, "a", controller: 3)
      tale.add(50, .cancelled, 0, nil, .cancelledTearDown, controller: 3)
      try tale.end(at: 60)
    }
    #expect(
      try rows("stuck", "controller, visit, waited_ms, waiting_for") == [
        "checkout|2|50.0|exiting of 1 a", "unbound|1|40.0|resumed", "bound|1|20.0|entering of 1 a",
      ])
  }

  @Test func `what was told to exit while it waited is not exiting`() throws {
    try history.tell { tale in
      try tale.controller()
      tale.visit(1, "a", asked: 0, told: 0, entered: 5)
      tale.add(10, .enqueued, 2, "b")
      tale.add(15, .exiting, 2, "b")
      tale.add(20, .exiting, 1, "a")
      tale.add(25, .exited, 1, "a")
      tale.add(25, .entering, 2, "b")
      tale.add(30, .entered, 2, "b")
      tale.add(40, .enqueued, 3, "c")
      tale.add(40, .exiting, 3, "c")
      try tale.end(at: 60)
    }
    #expect(
      try rows("stuck", "visit, reason, waited_ms, waiting_for")
        == ["3|waiting|20.0|exiting of 2 b"])
  }

  @Test func `a time that steps back takes nothing`() throws {
    try history.tell { tale in
      try tale.controller()
      tale.visit(1, "a", asked: 10, told: 9, entered: 8, dismissed: 7, out: 6)
      try tale.end(at: 5)
    }
    #expect(try rows("dwell", "total_ms") == ["0.0"])
    #expect(try rows("waits", "max_ms") == ["0.0"])
    #expect(
      try rows("slowest", "total_ms, behind_ms, exit_ms, gap_ms, enter_ms")
        == ["0.0|0.0|0.0|0.0|0.0"])
  }
}
