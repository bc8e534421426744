import Chance
import Foundation
import Staty
import StatisticsOracle
import StatyHistory
import Testing

/// The views that sum up and compare, held against a computation without them.
///
/// A failure prints its seed; `STATY_SEED` set to it makes the same histories again.
@Suite struct RandomHistoryTests {

  @Test func `the views say of any history what a plain computation says of it`() throws {
    var counts: [String: Int] = [:]
    for run in 0..<40 * sweep {
      let seed = testSeed &+ UInt64(run)
      let history = try TemporaryHistory()
      try history.write { writer in
        var maker = RandomHistory(seed: seed)
        for session in 0..<6 { try maker.writeSession(writer, session) }
      }
      if let difference = try ViewRows.firstDifference(at: history.path) {
        Issue.record("STATY_SEED=\(seed) makes it the first. \(difference)")
        return
      }
      for view in ViewRows.views {
        counts[view, default: 0] += Int(try history.query("SELECT count(*) FROM \(view)")[0])!
      }
    }
    for view in ViewRows.views {
      #expect(counts[view]! > 50 * sweep, "\(view) has few rows to compare, seed \(testSeed)")
    }
  }
}

/// Sessions in which anything may happen to any visit at any time.
private struct RandomHistory {
  private var state: UInt64
  private var seq: Int64 = 0
  private static let states = ["loading", "content", "alert"]

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  private mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  private struct Actor {
    var id: Int32
    var last: UInt32
    /// The visits that may still be asked for by their numbers.
    var known: [UInt32: Int]
    var gone: Set<UInt32>
    var isOver = false
    /// What is said of it after `attached`.
    var stood: [(request: Request, reason: EventReason)] = []
  }

  mutating func writeSession(_ writer: HistoryWriter, _ number: Int) throws {
    var opening = SessionOpening.test("s\(number)")
    opening.firstSeq = seq + 1
    let session = try writer.beginSession(opening)
    let numbers = try Self.states.map { try writer.intern(name: $0) }
    var actors = try (0..<(1 + below(4))).map { _ in try makeActor(writer, session) }
    var (rows, losses, time) = ([EventRow](), [ClosedRange<Int64>](), Int64(0))
    for place in actors.indices where below(5) > 0 {
      seq += 1
      rows.append(EventRow(seq: seq, time: time, kind: .attached, controller: actors[place].id))
      for one in actors[place].stood {
        seq += 1
        rows.append(
          EventRow(
            seq: seq, time: time, kind: .stood, reason: one.reason.code,
            controller: actors[place].id, visit: one.request.visit.rawValue,
            state: try writer.intern(name: one.request.state.description)))
      }
      time += Int64(below(3_000))
    }
    for _ in 0..<below(80) {
      if below(25) == 0, !rows.isEmpty {
        let count = Int64(1 + below(3))
        losses.append(seq + 1...seq + count)
        seq += count
      }
      time = max(0, time + Int64(below(4_000)) - 300)
      let place = below(actors.count)
      if actors[place].isOver { continue }
      seq += 1
      rows.append(event(&actors[place], time, numbers))
    }
    if below(3) == 0 {
      losses.append(seq + 1...seq + 1)
      seq += 1
    }
    seq += 1
    rows.append(EventRow(seq: seq, time: time, kind: .mark))
    try writer.append(rows, to: session)
    for loss in losses {
      try writer.recordLoss(
        first: loss.lowerBound, last: loss.upperBound, count: Int64(loss.count), reason: "full")
    }
    try writer.endSession(session, [.clean, .killed, .open][below(3)])
  }

  private mutating func makeActor(_ writer: HistoryWriter, _ session: Int64) throws -> Actor {
    var snapshot = SnapshotRecord()
    var actor = Actor(id: 0, last: UInt32(below(4)), known: [:], gone: [])
    for visit in 1...4 as ClosedRange<UInt32> where visit <= actor.last {
      let state = below(4)
      var request = SnapshotRecord.Request(
        visit: visit, state: state == 3 ? "elsewhere" : Self.states[state])
      let phase = below(6)
      actor.gone.insert(visit)
      guard phase < 5 else { continue }
      if phase == 0 {
        snapshot.waiting.append(request)
      } else {
        request.phase = UInt8(phase)
        snapshot.standing.append(request)
      }
      if phase < 4, state < 3 { actor.known[visit] = state }
    }
    snapshot.isWithholding = below(3) == 0
    snapshot.lastVisit = actor.last
    if below(2) == 0 {
      var route = SnapshotRecord.Route(to: Self.states[below(3)])
      route.isAnywhere = below(4) == 0 ? true : nil
      route.from = below(2) == 0 ? Self.states[below(3)] : nil
      snapshot.routes = [route]
    }
    let text = below(6) == 0 ? "{}" : below(8) == 0 ? "not known" : snapshot.text
    if text == snapshot.text {
      actor.stood = PolicySnapshot(snapshot).stood
    } else {
      actor.known = [:]
    }
    actor.id = try writer.addController(
      session: session, name: ["checkout", "sheet"][below(2)],
      policy: ["queue", "immediate"][below(2)], discipline: UInt8(1 + below(4)),
      fidelity: UInt8(1 + below(3)), snapshot: text)
    return actor
  }

  private mutating func event(
    _ actor: inout Actor, _ time: Int64, _ numbers: [Int32]
  ) -> EventRow {
    var row = EventRow(seq: seq, time: time, kind: .mark, controller: actor.id)
    let choice = below(40)
    switch choice {
    case 0: row.kind = EventKind.resumed.rawValue
    case 1:
      row.kind = EventKind.cancelled.rawValue
      row.reason = [EventReason.cancelledAll, .cancelledTearDown][below(2)].code
    case 2:
      row.kind = EventKind.detached.rawValue
      actor.isOver = true
    case 3..<14:
      actor.last += 1
      actor.known[actor.last] = below(3)
      // Some were asked for unseen.
      row.kind = below(10) == 0 ? EventKind.entering.rawValue : EventKind.enqueued.rawValue
      (row.visit, row.state) = (actor.last, numbers[actor.known[actor.last]!])
    default:
      guard let visit = actor.known.keys.sorted().suffix(5).dropFirst(below(5)).first else {
        return row
      }
      let kinds: [EventKind] = [
        .entering, .entering, .entered, .entered, .exiting, .exited, .exited, .discarded, .stray,
        .deadline, .cancelled,
      ]
      let kind = kinds[below(kinds.count)]
      row.kind = kind.rawValue
      row.reason = kind == .deadline ? UInt8(1 + below(3)) : kind == .stray ? 1 : 0
      (row.visit, row.state) = (visit, numbers[actor.known[visit]!])
    }
    return row
  }
}
