import Chance
import Staty
import StatyHistory
import StatyReading
import Testing

/// The visit that a controller showed last is found through the rows of visits.
@Suite struct ShownVisitTests {
  private static let seeds = 1...UInt64(tries(usual: 15, nightly: 100))

  @Test(arguments: seeds, [Discipline.inOrder, .atOnce, .stack])
  func `it is the one that entered last and is shown, or else the one that exited last`(
    seed: UInt64, discipline: Discipline
  ) throws {
    var random = SeededRandom(seed: seed)
    let history = try TemporaryHistory()
    try history.write { writer in
      _ = try writer.beginSession(.test())
      _ = try writer.intern(name: "state")
      _ = try writer.addController(
        session: 1, name: "checkout", policy: "queue", discipline: discipline.rawValue)
    }
    var tale = Visits(showsOne: discipline == .inOrder)
    // More than are looked at when all have exited.
    while tale.rows.count < 600 {
      let known = tale.rows.count
      for _ in 1...Int.random(in: 1...40, using: &random) { tale.goOn(using: &random) }
      try history.write { writer in
        try writer.resume(session: 1)
        try writer.append(Array(tale.rows[known...]))
      }
      let found = try HistoryReader(path: history.path).shownVisit(of: "checkout", except: "")?
        .visit
      let expected = tale.shown.max { $0.entered < $1.entered } ?? tale.exited
      #expect(found?.seq == expected?.seq, "seed \(seed)")
      #expect(found?.entered == expected?.entered, "seed \(seed)")
      #expect(found?.exited == expected?.exitedAt, "seed \(seed)")
    }
  }

  @Test func `a session in which the controller showed nothing is passed over`() throws {
    let history = try TemporaryHistory()
    for number in 1...3 as ClosedRange<Int64> {
      try history.write { writer in
        var opening = SessionOpening.test()
        opening.uuid = "session \(number)"
        let id = try writer.beginSession(opening)
        let name = try writer.intern(name: "state")
        let controller = try writer.addController(session: id, name: "checkout", policy: "queue")
        let first = try writer.sessions().last!.firstSeq
        var kinds: [EventKind] = [.enqueued]
        if number != 2 { kinds += [.entering, .entered] }
        try writer.append(
          kinds.enumerated().map { offset, kind in
            EventRow(
              seq: first + Int64(offset), time: Int64(offset), kind: kind, controller: controller,
              visit: 1, state: name)
          }, to: id)
        try writer.endSession(id, .clean)
      }
    }
    let reader = try HistoryReader(path: history.path)
    let found = try reader.shownVisit(of: "checkout", except: "session 3")
    #expect(found?.session.uuid == "session 1")
    #expect(try reader.shownVisit(of: "checkout", except: "")?.session.uuid == "session 3")
    #expect(try reader.shownVisit(of: "other", except: "") == nil)
  }
}

/// Visits that are requested, enter, and exit at random.
private struct Visits {
  struct Shown {
    var seq: Int64
    var visit: UInt32
    var entered: Int64
    var exitedAt: Int64?
  }

  let showsOne: Bool
  private(set) var rows: [EventRow] = []
  private(set) var shown: [Shown] = []
  private(set) var exited: Shown?
  private var waiting: [Shown] = []
  private var count: UInt32 = 0

  init(showsOne: Bool) { self.showsOne = showsOne }

  mutating func goOn(using random: inout SeededRandom) {
    switch Int.random(in: 0...3, using: &random) {
    case 0 where !waiting.isEmpty && (!showsOne || shown.isEmpty):
      var visit = waiting.removeFirst()
      put(.entering, visit.visit)
      visit.entered = put(.entered, visit.visit)
      shown.append(visit)
    case 1 where !shown.isEmpty:
      var visit = shown.removeLast()
      put(.exiting, visit.visit)
      visit.exitedAt = put(.exited, visit.visit)
      exited = visit
    case 2 where !waiting.isEmpty: put(.discarded, waiting.removeLast().visit)
    default:
      count += 1
      waiting.append(Shown(seq: put(.enqueued, count), visit: count, entered: 0))
    }
  }

  /// The number of the event, which is also its time.
  @discardableResult
  private mutating func put(_ kind: EventKind, _ visit: UInt32) -> Int64 {
    let seq = Int64(rows.count + 1)
    rows.append(
      EventRow(seq: seq, time: seq, kind: kind, controller: 1, visit: visit, state: 1))
    return seq
  }
}
