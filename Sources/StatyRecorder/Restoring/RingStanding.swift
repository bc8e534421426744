import Staty
import CStatyRing
import Foundation
import StatyHistory

/// Where controllers stood when a process was killed: what the file says of its session, and what
/// its ring says that has not come into the file.
///
/// Numbers of names and controllers are the file's where it knows them, and the negative of the
/// ring's where only the ring does.
struct RingStanding {
  private let ring: RecoveredRing
  private let reader: HistoryReader?
  private let session: SessionRecord?
  /// Where in the ring the session begins.
  private let point: RingPoint
  private var texts: [Int32: String] = [:]
  private var names: [UInt32: Int32] = [:]
  private var controllers: [UInt32: Int32] = [:]
  private var notedControllers: [Int32: String] = [:]
  private var payloads: [Int64: String] = [:]

  /// Nothing if the file has the whole of it.
  init?(_ ring: RecoveredRing, _ reader: HistoryReader?) throws {
    self.ring = ring
    self.reader = reader
    session = try reader?.lastSession(ofRun: ring.session.uuid)
    point =
      try session.flatMap { try reader?.ringPoint(of: $0) }
      ?? RingPoint(drawn: 0, shift: 0, time: 0)
    if let session {
      guard session.ended == .open else { return nil }
      for alias in try reader?.aliases(session: session.id) ?? [] {
        switch alias.kind {
        case .name: names[alias.number] = alias.id
        case .controller: controllers[alias.number] = alias.id
        case .site: break
        }
      }
    }
    for entry in ring.entries { takeIn(entry) }
  }

  private mutating func takeIn(_ entry: LogEntry) {
    switch Note(kind: entry.kind, id: entry.id, bytes: entry.bytes) {
    case .name(let number, let text):
      if let id = names.id(number) { texts[id] = text }
    case .controller(let number, let name, _, _, _, _):
      if let id = controllers.id(number) { notedControllers[id] = name }
    case .payload(let event, let text): payloads[seq(event)] = text
    default: break
    }
  }

  private func seq(_ number: UInt64) -> Int64 {
    point.shift &+ Int64(truncatingIfNeeded: number)
  }

  /// The last state of the controller of this name.
  func lastState(of name: String) throws -> LastState? {
    var standings = try stored(name)
    var times: [Int64: UInt64] = [:]
    for record in try records(of: Set(standings.keys)) {
      guard let id = controllers.id(record.controller), var standing = standings[id] else {
        continue
      }
      let row = EventRow(
        seq: seq(record.number), time: 0, kind: EventKind(rawValue: record.kind) ?? .mark,
        reason: record.reason, visit: record.visit,
        state: record.state == 0 ? 0 : names.id(record.state) ?? 0)
      let isLeftOut = record.flags & UInt16(STATY_RECORD_PAYLOAD_LEFT_OUT) != 0
      standing.take(row, hasPayload: isLeftOut || payloads[row.seq] != nil)
      times[row.seq] = record.time
      standings[id] = standing
    }
    // The controllers that only the ring knows were attached after the others.
    let newest = standings.filter { $0.value.last != nil }.max { Self.isOlder($0.key, $1.key) }
    guard let visit = newest?.value.last else { return nil }
    return try state(visit, times)
  }

  private static func isOlder(_ one: Int32, _ other: Int32) -> Bool {
    (one < 0 ? 1 : 0, one.magnitude) < (other < 0 ? 1 : 0, other.magnitude)
  }

  /// What is stored of the controllers of this name, with nothing for those that are new.
  private func stored(_ name: String) throws -> [Int32: ControllerStanding] {
    var standings: [Int32: ControllerStanding] = [:]
    for (id, noted) in notedControllers where noted == name && id < 0 {
      standings[id] = ControllerStanding()
    }
    guard let reader, let session else { return standings }
    for controller in try reader.controllers(session: session.id) where controller.name == name {
      standings[controller.id] = ControllerStanding(
        stored: try reader.standing(controller: controller.id))
    }
    return standings
  }

  /// The ring's records of these controllers that are not stored, in their order.
  private func records(of wanted: Set<Int32>) throws -> [RingRecord] {
    var records: [RingRecord] = []
    try ring.forEachBatch { batch in
      records += batch.filter { record in
        record.number > UInt64(clamping: point.drawn)
          && controllers.id(record.controller).map(wanted.contains) ?? false
      }
    }
    records.sort { $0.number < $1.number }
    guard session != nil, let reader, let first = records.first, let last = records.last else {
      return records
    }
    let stored = try reader.storedNumbers(from: seq(first.number), through: seq(last.number))
    return stored.isEmpty ? records : records.filter { !stored.contains(seq($0.number)) }
  }

  private func state(
    _ visit: StandingVisit, _ times: [Int64: UInt64]
  ) throws -> LastState? {
    guard let name = try texts[visit.state] ?? reader?.name(visit.state),
      let time = try wallTime(of: visit, times)
    else { return nil }
    var payload = payloads[visit.asked]
    if payload == nil, visit.asked != 0 {
      payload = try reader?.text(of: visit)
    }
    return LastState(
      state: name, payload: payload, wasIn: visit.isIn, at: Date(microseconds: time),
      session: ring.session.uuid, ended: ring.ended)
  }

  private func wallTime(
    of visit: StandingVisit, _ times: [Int64: UInt64]
  ) throws -> Int64? {
    guard let nanoseconds = times[visit.isIn ? visit.entered : visit.exited] else {
      return try session.flatMap { try reader?.wallTime(of: visit, in: $0) }
    }
    let began = ring.session.beganNanoseconds &+ UInt64(clamping: point.time) &* 1_000
    let time = nanoseconds > began ? Int64((nanoseconds - began) / 1_000) : 0
    if let session, let reader { return try reader.wallTime(at: time, in: session) }
    return time &+ Int64(truncatingIfNeeded: ring.session.wallMicroseconds)
  }
}

extension [UInt32: Int32] {
  /// The file's number if it has one, else the negative of the ring's; nothing for what no ring has.
  fileprivate func id(_ number: UInt32) -> Int32? {
    self[number] ?? Int32(exactly: number).map { -$0 }
  }
}
