import Staty
import StatyHistory
import Testing

@testable import StatyReport

/// Which of very many lanes are kept.
@Suite struct LaneGatheringTests {
  /// A lane that is over, as a fold gives it out.
  private func lane(_ visit: UInt32, at seq: Int64) -> VisitLane {
    var lane = VisitLane(.init(controller: 1, visit: visit), state: 1)
    lane.take(
      EventRow(seq: seq, time: seq, kind: .enqueued, controller: 1, visit: visit), to: .pending)
    lane.take(
      EventRow(seq: seq + 1, time: seq, kind: .discarded, controller: 1, visit: visit),
      from: .pending, to: .discarded)
    return lane
  }

  /// What a fold gives out of a visit that is over already.
  private func late(_ visit: UInt32, at seq: Int64) -> VisitLane {
    var lane = VisitLane(.init(controller: 1, visit: visit), state: 1)
    lane.take(EventRow(seq: seq, time: seq, kind: .stray, controller: 1, visit: visit))
    return lane
  }

  private func choice(_ limit: Int = .max) -> SessionLanes.Choice {
    var choice = SessionLanes.Choice()
    choice.limit = limit
    return choice
  }

  @Test func `what happens to a visit after it was over is put to it where it is kept`() {
    var gathering = LaneGathering(choice(), broken: [.init(controller: 1, visit: 2): true])
    for visit in UInt32(1)...3 { gathering.add(lane(visit, at: Int64(visit) * 10)) }
    for visit in UInt32(1)...3 { gathering.add(late(visit, at: 100 + Int64(visit))) }
    #expect(gathering.count == 3)
    #expect(gathering.chosen.map(\.key.visit) == [1, 2, 3])
    #expect(gathering.chosen.map { $0.steps.last?.seq } == [101, 102, 103])
  }

  @Test func `those with errors come before those that are stuck, and these before the last`() {
    var gathering = LaneGathering(choice(3), broken: [.init(controller: 1, visit: 4): true])
    for visit in UInt32(1)...50 {
      gathering.add(lane(visit, at: Int64(visit) * 10), isStuck: visit == 9)
    }
    #expect(gathering.count == 50)
    #expect(gathering.chosen.map(\.key.visit) == [4, 9, 50])
  }

  @Test(arguments: 0..<20) func `the kept lanes are the last of all lanes`(
    seed: UInt64
  ) {
    var random = Generator(state: seed)
    let most = 1 + Int(random.below(5))
    var gathering = LaneGathering(choice(most), broken: [:])
    var plain: [VisitLane] = []
    for seq in 1...400 {
      let visit = UInt32(1 + random.below(200))
      let isLate = random.below(3) == 0
      let given = isLate ? late(visit, at: Int64(seq)) : lane(visit, at: Int64(seq))
      gathering.add(given)
      // A lane that begins with a request may be one that is known, too, in a history without sense.
      if let place = plain.lastIndex(where: { $0.key == given.key }) {
        plain[place].append(given)
      } else {
        plain.append(given)
      }
      // It lets go of the old ones when there are twice as many as may be.
      if plain.count >= 2 * most + 2 { plain.removeFirst(plain.count - most) }
    }
    let wanted = plain.suffix(most).sorted { $0.key < $1.key }
    #expect(gathering.chosen == wanted, "seed \(seed), at most \(most)")
  }
}
