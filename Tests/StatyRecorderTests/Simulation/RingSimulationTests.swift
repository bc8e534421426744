import Chance
import CStatyRing
import Foundation
import Staty
import StatyHistory
import Testing

@testable import StatyRecorder

/// Random sequences of puts, batches and commits with one ring.
///
/// After each step, every number must be accounted for.
///
/// `STATY_SIMULATIONS` sets their number and `STATY_SEED` the first seed. To repeat a failed simulation, set the
/// number to 1 and the seed to the printed one.
@Suite struct RingSimulationTests {
  private static let runs =
    ProcessInfo.processInfo.environment["STATY_SIMULATIONS"].flatMap { Int($0) } ?? 2_000

  @Test func `after every step, observed = stored + lost + queued + in flight`() throws {
    let directory = try RingDirectory(inMemory: true)
    let hands = (0..<3).map { Hand(isOwn: $0 == 0) }
    defer { for hand in hands { hand.end() } }
    var told = Simulation.Told()
    for run in 0..<Self.runs {
      var simulation = Simulation(seed: testSeed &+ UInt64(run), directory.file(), hands)
      try simulation.play()
      told.add(simulation.told)
    }
    figure(
      """
      \(Self.runs) simulations of seed \(testSeed): \(told.drawn) events, \(told.dropped) dropped, \
      \(told.unfinished) unfinished, \(told.kills) kills, \(told.commitsThatFailed) commits failed
      """)
    #expect(told.dropped > 0 && told.unfinished > 0 && told.kills > 0)
    #expect(told.commitsThatFailed > 0)
  }
}

/// One simulation, from creating a ring to the end of its process and its recovery by the next one.
private struct Simulation {
  struct Told {
    var drawn = 0
    var dropped = 0
    var unfinished = 0
    var kills = 0
    var commitsThatFailed = 0

    mutating func add(_ other: Told) {
      drawn += other.drawn
      dropped += other.dropped
      unfinished += other.unfinished
      kills += other.kills
      commitsThatFailed += other.commitsThatFailed
    }
  }

  private let seed: UInt64
  private let path: String
  private let hands: [Hand]
  private var random: SeededRandom
  /// The numbers, by their state.
  private var committed: Set<UInt64> = []
  private var queued: Set<UInt64> = []
  private var dropped: Set<UInt64> = []
  /// Numbers that a thread has drawn, but not put yet.
  private var inFlight: [(hand: Int, number: UInt64)] = []
  private var drawn: UInt64 = 0
  private var noted: UInt64 = 0
  /// Notes that were accepted, and have not been drained and released.
  private var unread: [UInt64] = []
  private var released = 0
  private(set) var told = Told()

  init(seed: UInt64, _ path: String, _ hands: [Hand]) {
    self.seed = seed
    self.path = path
    self.hands = hands
    random = SeededRandom(seed: seed)
  }

  mutating func play() throws {
    let lanes = Int.random(in: 1...4, using: &random)
    let options = RingOptions(
      lanes: lanes, pieces: lanes + Int.random(in: 0...4, using: &random),
      records: 1 << Int.random(in: 1...4, using: &random),
      logBytes: 4096)
    var isKilled = false
    do {
      let ring = try FlightRing(creatingAt: path, options: options)
      let reader = RingReader(of: ring)
      let ready = Int.random(in: 0...3, using: &random)
      for number in 0..<Int.random(in: 1...50, using: &random) {
        if number == ready { try ring.makeReady() }
        try step(ring, reader)
        try check(ring)
      }
      isKilled = Bool.random(using: &random)
      if !isKilled {
        for (hand, number) in inFlight { put(number, hand, ring) }
        inFlight = []
        while true {
          let batch = reader.drain(upTo: 7)
          if batch.isEmpty { break }
          try commit(batch)
          release(batch, reader)
        }
        try check(ring)
        try #require(
          queued.isEmpty && unread.isEmpty, "seed \(seed): \(queued), \(unread) are missing")
        ring.close(removingFile: true)
      }
    }
    if isKilled { try recover() }
    told.drawn += Int(drawn)
    told.dropped += dropped.count
    told.unfinished += inFlight.count
    if isKilled { told.kills += 1 }
  }

  private mutating func step(_ ring: FlightRing, _ reader: RingReader) throws {
    let hand = Int.random(in: 0..<hands.count, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: draw(hand, ring)
    case 1 where !inFlight.isEmpty:
      let (hand, number) = inFlight.remove(at: Int.random(in: 0..<inFlight.count, using: &random))
      put(number, hand, ring)
    case 2:
      noted += 1
      let id = noted
      let bytes = note(id)
      if hands[hand].run({ ring.note(bytes, kind: 1, id: id) }) { unread.append(id) }
    case 3, 4:
      let batch = reader.drain(upTo: Int.random(in: 1...20, using: &random))
      try expectOrder(batch)
      switch Int.random(in: 0..<4, using: &random) {
      // The commit fails, or succeeds without an answer.
      case 0: told.commitsThatFailed += 1
      case 1:
        try commit(batch)
        told.commitsThatFailed += 1
      default:
        try commit(batch)
        release(batch, reader)
      }
    default:
      draw(hand, ring)
      let (hand, number) = inFlight.removeLast()
      put(number, hand, ring)
    }
  }

  private func note(_ id: UInt64) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: id), count: Int(id % 50))
  }

  private mutating func draw(_ hand: Int, _ ring: FlightRing) {
    let number = hands[hand].run { ring.numbering.next() }
    drawn = max(drawn, number)
    inFlight.append((hand, number))
  }

  private mutating func put(_ number: UInt64, _ hand: Int, _ ring: FlightRing) {
    switch hands[hand].run({ ring.put(record(number)) }) {
    case .stored: queued.insert(number)
    case .full, .noLane: dropped.insert(number)
    case .dead: Issue.record("seed \(seed): an open ring is dead")
    }
  }

  /// Commits a batch; events that are stored already do not change.
  private mutating func commit(_ batch: RingBatch) throws {
    for record in batch.records {
      let number = record.number
      try #require(
        queued.contains(number) || committed.contains(number), "seed \(seed): \(number) is invented"
      )
      queued.remove(number)
      committed.insert(number)
    }
  }

  private mutating func release(_ batch: RingBatch, _ reader: RingReader) {
    reader.release(batch)
    released += batch.records.count
    unread = []
  }

  private func expectOrder(_ batch: RingBatch) throws {
    try #require(batch.torn == 0, "seed \(seed)")
    try #require(
      batch.entries.map(\.id) == unread,
      "seed \(seed): \(batch.entries.map(\.id)) and not \(unread)")
    for entry in batch.entries {
      try #require(
        entry.bytes == note(entry.id), "seed \(seed): the note \(entry.id) has changed")
    }
    for (one, other) in zip(batch.records, batch.records.dropFirst())
    where one.thread == other.thread {
      // A thread that was stopped after drawing may put its lower number later.
      try #require(one.number != other.number, "seed \(seed): \(one.number) is there twice")
    }
  }

  private func check(_ ring: FlightRing) throws {
    let counters = ring.counters
    try #require(counters.highestDrawn == drawn, "seed \(seed)")
    try #require(counters.dropped == UInt64(dropped.count), "seed \(seed)")
    // Committed records that were not released are still in the ring.
    try #require(counters.released == UInt64(released), "seed \(seed)")
    try #require(
      ring.queued == UInt64(committed.count + queued.count - released), "seed \(seed)")
    try #require(
      drawn == UInt64(committed.count + queued.count + dropped.count + inFlight.count),
      "seed \(seed)")
  }

  /// Checks what the next process recovers.
  private mutating func recover() throws {
    // Read without a lock, because a process that another test has just started may have a copy of the descriptor,
    // and with it the lock.
    let ring = try FlightRing.peek(path: path)
    try #require(ring.torn == 0 && ring.ended == .killed, "seed \(seed)")
    let left = Set(try ring.records().map(\.number))
    try #require(
      left.isSuperset(of: queued), "seed \(seed): \(queued.subtracting(left)) are missing")
    try #require(left.isSubset(of: queued.union(committed)), "seed \(seed): some are invented")
    try #require(ring.highestDrawn == drawn, "seed \(seed)")
    try #require(ring.counters.dropped == UInt64(dropped.count), "seed \(seed)")
    committed.formUnion(left)
    queued = []
    let missing = Int(drawn) - committed.count - dropped.count
    try #require(missing == inFlight.count, "seed \(seed)")
    try ring.remove(at: path)
  }
}
