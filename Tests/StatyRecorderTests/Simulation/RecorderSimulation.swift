import Chance
import CStatyRing
import Foundation
import Staty
import StatyHistory
import StatyReading
import StatySQLite
import Testing

@testable import StatyRecorder

/// A random sequence of recorders that write one history, each until it is closed or killed.
///
/// After each step, every event must be accounted for.
final class RecorderSimulation {
  struct Told {
    var steps = 0
    var events = 0
    var lost = 0
    var unfinished = 0
    var kills = 0
    var failures = 0
    var continued = 0
    /// How often a controller's recording began anew behind a loss.
    var anew = 0
  }

  /// What the simulation knows about one event.
  private struct Fact: Equatable {
    let controller: String?
    let visit: UInt32
    /// The text of a mark.
    var text: String?
  }

  /// One recorder's life, from opening to closing or a kill.
  private struct Life {
    var facts: [UInt64: Fact] = [:]
    /// Numbers that a thread has drawn, but not put yet.
    var inFlight: [(hand: Int, number: UInt64)] = []
    var acknowledged: UInt64 = 0
    var lost: UInt64 = 0
    /// Numbers that were drawn and will never be put.
    var unfinished: UInt64 = 0
    var drawn: UInt64 = 0
    /// Whether a later recorder had a low limit of sessions, so that this life's may be deleted.
    var mayBeRemoved = false
  }

  private let place: RingDirectory
  private let hands: [Hand]
  private var random: SeededRandom
  private let seed: UInt64
  private var lives: [String: Life] = [:]
  private(set) var told = Told()

  private var path: String { place.file("history.sqlite") }

  init(seed: UInt64, _ place: RingDirectory, _ hands: [Hand]) {
    (self.seed, self.place, self.hands) = (seed, place, hands)
    random = SeededRandom(seed: seed)
  }

  /// Simulates some lives.
  func play() throws {
    let count = UInt64(Int.random(in: 1...6, using: &random))
    for life in 1...count { try play(life) }
    try bringIn(count + 1)
    try compare(all: true)
    for name in try place.names() { unlink(place.file(name)) }
  }

  /// Lets one more recorder recover the last ring, if there is one.
  private func bringIn(_ number: UInt64) throws {
    let recorder = try SimulatedRecorder(
      at: path, life: number, RingOptions(lanes: 2, pieces: 2, records: 4, logBytes: 1 << 14),
      RecorderOptions(app: "last"))
    _ = recorder.requests.ask(waiting: false) { $0.isClosing = true }
    try #require(recorder.writer.turn() == nil, "seed \(seed): the last recorder does not close")
    try #require(
      place.names().filter { $0.contains("-ring") } == [], "seed \(seed): a ring is not recovered")
  }

  private func play(_ number: UInt64) throws {
    var options = RecorderOptions(app: "simulated")
    if Bool.random(using: &random) {
      options.retention.sessions = Int.random(in: 1...3, using: &random)
      for uuid in lives.keys { lives[uuid]?.mayBeRemoved = true }
    }
    let lanes = Int.random(in: 2...4, using: &random)
    let sizes = RingOptions(
      lanes: lanes, pieces: lanes + Int.random(in: 0...4, using: &random),
      records: 1 << Int.random(in: 2...6, using: &random),
      logBytes: 1 << 14)
    var recorder: SimulatedRecorder? = try SimulatedRecorder(
      at: path, life: number, sizes, options)
    let uuid = recorder!.core.ring.session.uuid
    var life = Life()
    let probes = (0..<3).map { ControllerProbe(StateName("probe \($0)")) }
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      try step(recorder!, probes, &life)
      try check(recorder!, life)
      told.steps += 1
    }
    let isKilled = Bool.random(using: &random)
    if !isKilled {
      for (hand, number) in life.inFlight { put(number, hand, recorder!, &life) }
      life.inFlight = []
      limitPages(recorder!, to: 1 << 30)
      for (place, probe) in probes.enumerated() {
        recorder!.detach(probe)
        note(recorder!, &life, "controller \(place)")
      }
      _ = recorder!.requests.ask(waiting: false) { $0.isClosing = true }
      try #require(recorder!.writer.turn() == nil, "seed \(seed): the recorder does not close")
      life.acknowledged = recorder!.core.numbering.last
    }
    life.lost = recorder!.core.losses.total
    let last = recorder!.core.numbering.last
    recorder!.abandon()
    life.drawn = recorder!.core.numbering.last
    life.unfinished = UInt64(life.inFlight.count) + life.drawn - last
    recorder = nil
    lives[uuid] = life
    told.kills += isKilled ? 1 : 0
    told.events += Int(life.drawn)
    told.unfinished += Int(life.unfinished)
    told.lost += Int(life.lost)
    // The next recorder recovers the ring.
    if !isKilled { try compare() }
  }
}

// MARK: Steps

extension RecorderSimulation {
  private func step(
    _ recorder: SimulatedRecorder, _ probes: [ControllerProbe], _ life: inout Life
  ) throws {
    let place = Int.random(in: 0..<probes.count, using: &random)
    let probe = probes[place]
    let hand = Int.random(in: 0..<hands.count, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      attach(probe, "controller \(place)", recorder, &life)
    case 1:
      recorder.detach(probe)
      note(recorder, &life, "controller \(place)")
    case 2, 3:
      let core = recorder.core
      let text = String(repeating: "m", count: Int.random(in: 0...3_000, using: &random))
      hands[hand].run { core.mark(text) }
      note(recorder, &life, nil, text: text)
    case 4:
      let core = recorder.core
      let number = hands[hand].run { core.numbering.next() }
      life.facts[number] = Fact(controller: nil, visit: 0)
      life.inFlight.append((hand, number))
    case 5 where !life.inFlight.isEmpty:
      let index = Int.random(in: 0..<life.inFlight.count, using: &random)
      let (hand, number) = life.inFlight.remove(at: index)
      put(number, hand, recorder, &life)
    case 6, 7: turn(recorder)
    case 8: try flush(recorder, &life)
    case 9:
      let mode: CheckpointMode = Bool.random(using: &random) ? .passive : .truncate
      _ = try recorder.writer.writer?.checkpoint(mode)
    case 10:
      // From now on the file is full, or is not any more.
      if Bool.random(using: &random) {
        limitPages(recorder, to: 1)
      } else {
        limitPages(recorder, to: 1 << 30)
      }
    case 12: recorder.writer.pruning.noteLength(2)
    case 11:
      _ = recorder.requests.ask(waiting: false) { $0.isSuspended = true }
      turn(recorder)
      _ = recorder.requests.ask(waiting: false) { $0.isSuspended = false }
    default: tell(recorder, probe, "controller \(place)", &life)
    }
  }

  /// Makes a random event at a controller.
  private func tell(
    _ recorder: SimulatedRecorder, _ probe: ControllerProbe, _ name: String, _ life: inout Life
  ) {
    guard recorder.isAttached(probe) else { return }
    let state = Page()
    let names: [StateName] = ["loading", "content", "alert", "a state with a name of some length"]
    let chosen = names[Int.random(in: 0..<4, using: &random)]
    let visit = anew(recorder, probe, name, &life) { probe.requested(state, named: chosen) }
    note(recorder, &life, name, visit)
    anew(recorder, probe, name, &life) { probe.telling(.enter, state) {} }
    note(recorder, &life, name, visit)
    if Bool.random(using: &random) {
      anew(recorder, probe, name, &life) { probe.completed(.entered, state) }
      note(recorder, &life, name, visit)
    }
  }

  /// Makes an event, before which the recording of the controller may end and begin anew because of a
  /// loss.
  private func anew<Result>(
    _ recorder: SimulatedRecorder, _ probe: ControllerProbe, _ name: String, _ life: inout Life,
    _ body: () -> Result
  ) -> Result {
    let first = recorder.core.numbering.last + 1
    let open = probe.events.snapshot.standing.stood.map(\.request.visit.rawValue)
    let result = body()
    guard recorder.core.numbering.last > first else { return result }
    told.anew += 1
    for (place, visit) in ([0, 0] + open).enumerated() {
      life.facts[first + UInt64(place)] = Fact(controller: name, visit: visit, text: nil)
    }
    return result
  }

  /// Attaches a controller: one event for that, and one for each open visit.
  private func attach(
    _ probe: ControllerProbe, _ name: String, _ recorder: SimulatedRecorder, _ life: inout Life
  ) {
    let first = recorder.core.numbering.last + 1
    let open = probe.events.snapshot.standing.stood.map(\.request.visit.rawValue)
    recorder.attach(probe, as: name)
    guard recorder.core.numbering.last >= first else { return }
    for (place, visit) in ([0] + open).enumerated() {
      life.facts[first + UInt64(place)] = Fact(controller: name, visit: visit, text: nil)
    }
  }

  /// Notes the newest number and its event, if there is a new one.
  private func note(
    _ recorder: SimulatedRecorder, _ life: inout Life, _ controller: String?,
    _ visit: VisitNumber? = nil, text: String? = nil
  ) {
    let number = recorder.core.numbering.last
    guard number > 0, life.facts[number] == nil else { return }
    life.facts[number] = Fact(controller: controller, visit: visit?.rawValue ?? 0, text: text)
  }

  private func put(
    _ number: UInt64, _ hand: Int, _ recorder: SimulatedRecorder, _ life: inout Life
  ) {
    var record = staty_record()
    record.number = number
    record.kind = EventKind.mark.rawValue
    let core = recorder.core
    hands[hand].run { core.put(record) }
  }

  private func turn(_ recorder: SimulatedRecorder) {
    if let turn = recorder.writer.turn(), !turn.isStored { told.failures += 1 }
  }

  private func flush(_ recorder: SimulatedRecorder, _ life: inout Life) throws {
    let last = recorder.core.numbering.last
    let isDurable = Bool.random(using: &random)
    let number = recorder.requests.ask(waiting: true) { $0.level = isDurable ? .durable : .stored }
    turn(recorder)
    if recorder.requests.wait(for: number, atMost: 1) == nil { life.acknowledged = last }
  }

  private func limitPages(_ recorder: SimulatedRecorder, to most: Int) {
    _ = try? recorder.writer.writer?.connection.setPragma("max_page_count", to: "\(most)")
  }
}

// MARK: Checks

extension RecorderSimulation {
  /// Checks observed = stored + lost + queued + in flight, each counted independently.
  private func check(_ recorder: SimulatedRecorder, _ life: Life) throws {
    let now = recorder.core.statistics
    try #require(now.observed == recorder.core.numbering.last, "seed \(seed)")
    try #require(
      now.observed == now.stored + now.lost + now.queued + UInt64(life.inFlight.count),
      "seed \(seed): \(now), in flight \(life.inFlight.map(\.number))")
  }

  /// Compares the history with the simulated events.
  ///
  /// - Parameter all: whether every session must be in the history.
  private func compare(all: Bool = false) throws {
    guard access(path, F_OK) == 0 else { return }
    let reader = try HistoryReader(path: path)
    let ended = Set(try reader.sessions().filter { $0.ended != .open }.map(\.uuid))
    // A life without events must leave nothing.
    for (uuid, life) in lives where all && !life.mayBeRemoved && life.drawn > 0 {
      try #require(ended.contains(uuid), "seed \(seed): session \(uuid) is missing")
    }
    let unclean = Set(try reader.sessions().filter { $0.ended != .clean }.map(\.uuid))
    for (uuid, life) in lives where all && life.drawn == 0 {
      try #require(!unclean.contains(uuid), "seed \(seed): session \(uuid) had no event")
    }
    let runs = Dictionary(grouping: try reader.sessions()) { $0.run ?? $0.uuid }
    for (uuid, sessions) in runs {
      guard let life = lives[uuid], sessions.last?.ended != .open else { continue }
      var run = Run(shift: sessions[0].firstSeq - 1)
      for session in sessions {
        let lost = try reader.losses(session: session.id)
        let missing = lost.reduce(0) { $0 + $1.count }
        try #require(
          session.observed == session.stored + missing,
          "seed \(seed), session \(session.id): \(session), \(missing) lost")
        run.missing += missing
        run.observed += session.observed
        try compare(session, life, &run, reader)
        told.continued += session.run == nil ? 0 : 1
      }
      try #require(
        run.observed - run.added >= Int64(life.acknowledged), "seed \(seed), run \(uuid): \(run)")
      // Only events that were not put, or were dropped, may be missing.
      try #require(
        run.missing <= Int64(life.lost) + Int64(life.unfinished),
        "seed \(seed), run \(uuid): \(run), \(life.lost) dropped")
    }
    try reader.close()
  }

  /// The sessions of one life so far.
  private struct Run {
    /// The event's number in the file minus the number that was drawn.
    var shift: Int64
    var observed: Int64 = 0
    var missing: Int64 = 0
    /// The events that were added to end a session and to begin the one that continues it.
    var added: Int64 = 0
    /// The controllers whose recording begins with the next session.
    var beginning = 0
  }

  private func compare(
    _ session: SessionRecord, _ life: Life, _ run: inout Run, _ reader: HistoryReader
  ) throws {
    let names = Dictionary(
      uniqueKeysWithValues: try reader.controllers(session: session.id).map { ($0.id, $0.name) })
    var all: [EventRow] = []
    let events = try reader.events(session: session.id)
    while let row = try events.next() { all.append(row) }
    // At its end, each controller is detached and goes on in the next session. One that is recorded anew after a
    // loss is detached in the same way, but what follows, stored or lost, has later numbers.
    var firstEnd = Int64.max
    if session.ended == .continued {
      firstEnd = session.lastOwnSeq + 1
      for row in all.reversed() where row.seq == firstEnd - 1 {
        guard row.kind == EventKind.detached.rawValue, row.reason != 0 else { break }
        firstEnd = row.seq
      }
    }
    var ended = 0
    var begun: Int32 = 0
    for row in all {
      let isBeginning =
        row.kind == EventKind.attached.rawValue && run.beginning > 0
        || row.kind == EventKind.stood.rawValue && row.controller == begun
      let isEnd = row.seq >= firstEnd
      if isBeginning || isEnd {
        if row.kind == EventKind.attached.rawValue {
          run.beginning -= 1
          begun = row.controller
        }
        run.added += 1
        run.shift += 1
        ended += isEnd ? 1 : 0
        continue
      }
      begun = 0
      let number = UInt64(row.seq - run.shift)
      let fact = try #require(life.facts[number], "seed \(seed): \(number) is invented")
      try #require(
        fact.visit == row.visit && fact.controller == names[row.controller],
        "seed \(seed): \(number) is \(row) and was \(fact)")
      guard let text = fact.text else { continue }
      try #require(
        try reader.detail(of: row.seq)?.note == text, "seed \(seed): \(number) has lost its text")
    }
    try #require(run.beginning == 0, "seed \(seed)")
    run.beginning = ended
    try #require(try ChainVerifier(reader).firstDamage(session: session.id) == nil, "seed \(seed)")
  }
}
