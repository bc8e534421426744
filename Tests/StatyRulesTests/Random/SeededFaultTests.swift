import Chance
import Staty
import StatyHistory
import Testing

@testable import StatyRules

/// A fault that is put into a clean random history must be found, with its code and its event.
///
/// A failure prints its seed; `STATY_SEED` set to it makes the same runs again.
@Suite("Seeded faults")
struct SeededFaultTests {
  private static let faults = 100 * sweep

  @Test(arguments: RuleCode.ofControllers)
  func `are named with the right code and event`(_ code: RuleCode) {
    var seeded = 0
    var missed: [String] = []
    var seed = testSeed
    while seeded < Self.faults, seed < testSeed &+ UInt64(20_000 * sweep) {
      seed &+= 1
      var random = SeededRandom(seed: seed)
      let policy: RandomRun.Policy = code == .undeclaredTransition ? .routedQueue : .queue
      var history = RandomRun(policy, seed: seed, withEnds: false).record()
      history.renumber()
      guard let guilty = history.seed(code, &random) else { continue }
      seeded += 1
      let findings = history.findings()
      if !findings.contains(where: { $0.code == code && $0.seq == guilty }) {
        missed.append(
          "seed \(seed), event \(guilty), found \(history.words(findings))\n\(history.lines)")
      }
    }
    #expect(seeded == Self.faults, "STATY_SEED=\(testSeed)")
    #expect(missed.count <= sweep, "STATY_SEED=\(testSeed) \(missed.count) of \(seeded) missed")
    if missed.count > sweep { Issue.record("\(missed[0])") }
  }
}

extension RuleCode {
  /// The rules that only tracks can break.
  static let ofTracks: [RuleCode] = [
    .lateAnswer, .doublePush, .mirror, .askedTwice, .answeredTwice, .neverAnswered,
    .neverReceived, .uncausedChange, .aliveTwice, .neverLeft,
  ]

  /// The rules that controllers can break, in a recording.
  static let ofControllers = allCases.filter {
    !ofTracks.contains($0) && $0 != .invariant
  }
}

// MARK: Putting a fault in

extension RecordedHistory {
  /// Puts a fault in and returns the number of the guilty event, or `nil` if there is no place for
  /// it.
  mutating func seed(_ code: RuleCode, _ random: inout SeededRandom) -> Int64? {
    switch code {
    case .enteredDiscarded: seedEnteredDiscarded(&random)
    case .exitBeforeEnter: seedExitBeforeEnter(&random)
    case .overlap: seedOverlap(&random)
    case .doubleEnter: seedSecond(.entering, &random)
    case .doubleExit: random.chance(50) ? seedSecond(.exiting, &random) : seedStray(&random)
    case .neverEntered: seedNeverEntered(&random)
    case .neverArrived: cut(after: .entering, &random)
    case .neverExited: cut(after: .exiting, &random)
    case .outOfOrder: seedOutOfOrder(&random)
    case .undeclaredTransition: seedUndeclared(&random)
    case .staleRequest: seedStale(&random)
    case .slowEnter: seedSlow(from: .entering, to: .entered, &random)
    case .slowExit: seedSlow(from: .exiting, to: .exited, &random)
    case .reentrantRequest: seedReentrant(&random)
    case .overlappingHandling: seedIntruder(&random)
    // Only tracks break these rules.
    case .lateAnswer, .doublePush, .mirror, .askedTwice, .answeredTwice, .neverAnswered,
      .neverReceived, .uncausedChange, .aliveTwice, .neverLeft, .invariant:
      nil
    }
  }

  private func places(_ kind: EventKind, where isWanted: (EventRow) -> Bool = { _ in true })
    -> [Int]
  {
    rows.indices.filter { rows[$0].kind == kind.rawValue && isWanted(rows[$0]) }
  }

  private func place(_ kind: EventKind, of visit: UInt32) -> Int? {
    places(kind) { $0.visit == visit }.first
  }

  /// Inserts an event before another, renumbers, and returns the number of the new one.
  private mutating func insert(_ row: EventRow, at place: Int) -> Int64 {
    var row = row
    row.seq = 1_000_000
    row.time = rows[min(place, rows.count - 1)].time
    rows.insert(row, at: place)
    renumber()
    return Int64(place + 1)
  }

  private static func row(
    _ kind: EventKind, like row: EventRow, reason: EventReason? = nil
  ) -> EventRow {
    EventRow(
      seq: 0, time: 0, kind: kind, reason: reason?.code ?? 0, controller: 1, visit: row.visit,
      state: row.state)
  }

  private mutating func seedEnteredDiscarded(_ random: inout SeededRandom) -> Int64? {
    guard let entering = places(.entering).randomElement(using: &random),
      let asked = place(.enqueued, of: rows[entering].visit), asked < entering
    else { return nil }
    let reason = random.chance(50) ? EventReason.cancelled : EventReason.cancelledVisit
    let kind: EventKind = reason == .cancelledVisit ? .cancelled : .discarded
    let between = asked + 1 + random.below(entering - asked)
    _ = insert(Self.row(kind, like: rows[asked], reason: reason), at: between)
    return Int64(entering + 2)
  }

  private mutating func seedExitBeforeEnter(_ random: inout SeededRandom) -> Int64? {
    guard let entered = places(.entered).randomElement(using: &random),
      let asked = place(.enqueued, of: rows[entered].visit)
    else { return nil }
    let between = asked + 1 + random.below(entered - asked)
    return insert(Self.row(.exiting, like: rows[asked]), at: between)
  }

  private mutating func seedOverlap(_ random: inout SeededRandom) -> Int64? {
    let exits = places(.exited)
    guard let exited = exits.randomElement(using: &random),
      let next = places(.entering).first(where: { $0 > exited })
    else { return nil }
    rows.remove(at: exited)
    renumber()
    return Int64(next)
  }

  private mutating func seedSecond(_ kind: EventKind, _ random: inout SeededRandom) -> Int64? {
    guard let first = places(kind).randomElement(using: &random) else { return nil }
    let place = first + 1 + random.below(min(6, rows.count - first))
    return insert(Self.row(kind, like: rows[first]), at: place)
  }

  private mutating func seedStray(_ random: inout SeededRandom) -> Int64? {
    guard let entering = places(.entering).randomElement(using: &random),
      let exited = places(.exited).last(where: { $0 < entering })
    else { return nil }
    let stray = Self.row(.stray, like: rows[exited], reason: .strayExited)
    let seq = insert(stray, at: entering)
    rows[entering + 1].set(.handled, of: seq)
    return seq
  }

  private mutating func seedNeverEntered(_ random: inout SeededRandom) -> Int64? {
    guard let entering = places(.entering).randomElement(using: &random) else { return nil }
    let visit = rows[entering].visit
    guard let asked = place(.enqueued, of: visit) else { return nil }
    let keep = rows[asked].seq
    // A cancelled visit need not enter.
    let cancelled = places(.cancelled) {
      $0.seq > keep && ($0.visit == visit || $0.reason != EventReason.cancelledVisit.code)
    }
    guard cancelled.isEmpty else { return nil }
    rows.removeAll { $0.visit == visit && $0.seq != keep }
    renumber()
    return Int64(asked + 1)
  }

  private mutating func cut(after kind: EventKind, _ random: inout SeededRandom) -> Int64? {
    guard let place = places(kind).randomElement(using: &random) else { return nil }
    rows.removeSubrange((place + 1)...)
    return rows[place].seq
  }

  private mutating func seedOutOfOrder(_ random: inout SeededRandom) -> Int64? {
    for entering in places(.entering).shuffled(using: &random) {
      let first = rows[entering].visit
      let waiting = places(.enqueued) { $0.visit > first && $0.seq < rows[entering].seq }
      for asked in waiting {
        let second = rows[asked].visit
        guard place(.entering, of: second) != nil else { continue }
        for index in (asked + 1)..<rows.count {
          if rows[index].visit == first {
            rows[index].visit = second
          } else if rows[index].visit == second {
            rows[index].visit = first
          }
        }
        return rows[entering].seq
      }
    }
    return nil
  }

  private mutating func seedUndeclared(_ random: inout SeededRandom) -> Int64? {
    let declared = ["a": "b", "b": "c", "c": "a"]
    let entering = places(.entering)
    for index in entering.indices.dropFirst().shuffled(using: &random) {
      let before = names[rows[entering[index - 1]].state] ?? ""
      let wrong = ["a", "b", "c"].first { declared[before] != .some($0) }
      guard let wrong, place(.enqueued, of: rows[entering[index]].visit) != nil else { continue }
      rows[entering[index]].state = number(of: wrong)
      return rows[entering[index]].seq
    }
    return nil
  }

  private mutating func seedStale(_ random: inout SeededRandom) -> Int64? {
    guard let exited = places(.exited).randomElement(using: &random),
      let asked = places(.enqueued).first(where: { $0 > exited })
    else { return nil }
    let seq = rows[asked].seq
    details[seq, default: EventDetail(seq: seq)].origin = rows[exited].visit
    return seq
  }

  private mutating func seedSlow(
    from told: EventKind, to done: EventKind, _ random: inout SeededRandom
  ) -> Int64? {
    guard let begun = places(told).randomElement(using: &random),
      let end = place(done, of: rows[begun].visit), end > begun
    else { return nil }
    for index in end..<rows.count { rows[index].time += 1_500_000 }
    return rows[end].seq
  }

  private mutating func seedReentrant(_ random: inout SeededRandom) -> Int64? {
    guard
      let telling = (places(.entering) + places(.exiting)).randomElement(using: &random),
      let asked = places(.enqueued).first(where: { $0 > telling })
    else { return nil }
    rows[asked].set(.performed, of: rows[telling].seq)
    return rows[asked].seq
  }

  private mutating func seedIntruder(_ random: inout SeededRandom) -> Int64? {
    let inputs: Set<UInt8> = [EventKind.enqueued.rawValue, EventKind.exited.rawValue]
    let telling = places(.entering) { entering in
      rows.contains { $0.seq == entering.cause && inputs.contains($0.kind) }
    }
    guard let entering = telling.randomElement(using: &random) else { return nil }
    var intruder = Self.row(.cancelled, like: EventRow(seq: 0, time: 0, kind: .mark))
    intruder.reason = EventReason.cancelledVisit.code
    intruder.thread = 1
    return insert(intruder, at: entering)
  }
}
