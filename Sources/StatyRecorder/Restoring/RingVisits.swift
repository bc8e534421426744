import CStatyRing
import Foundation
import Staty
import StatyHistory

/// The visits of a killed process: those of its session in the file, updated with the events that are only in
/// its ring.
///
/// A name or a controller has the file's number if it is in the file, otherwise the negative of the ring's
/// number.
struct RingVisits {
  private let ring: RecoveredRing
  private let reader: HistoryReader?
  private let session: SessionRecord?
  /// The session's beginning in the ring.
  private let point: RingPoint
  private var texts: [Int32: String] = [:]
  private var names: [UInt32: Int32] = [:]
  private var controllers: [UInt32: Int32] = [:]
  private var openings: [Int32: (name: String, opening: ControllerOpening)] = [:]
  private var payloads: [Int64: [UInt8]] = [:]

  /// `nil` if the ring's session is completely in the file.
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
    for entry in ring.entries { apply(entry) }
  }

  private mutating func apply(_ entry: LogEntry) {
    switch Note(kind: entry.kind, id: entry.id, bytes: entry.bytes) {
    case .name(let number, let text):
      if let id = names.id(number) { texts[id] = text }
    case .controller(let number, let name, _, let discipline, let fidelity, _):
      guard let id = controllers.id(number), id < 0 else { return }
      var opening = ControllerOpening(unknown: id)
      opening.name = name
      opening.discipline = Discipline(rawValue: discipline) ?? .atOnce
      opening.fidelity = Fidelity(rawValue: fidelity) ?? .threeKind
      openings[id] = (name, opening)
    case .payload(let event, let text): payloads[seq(event)] = Array(text.utf8)
    default: break
    }
  }

  private func seq(_ number: UInt64) -> Int64 {
    point.shift &+ Int64(truncatingIfNeeded: number)
  }

  /// The last state of the controller of this name.
  func lastState(of name: String) throws -> LastState? {
    let stored = try session.flatMap { try reader?.latestVisits(of: name, in: $0) } ?? []
    var fold = VisitFold(keepsRows: true)
    fold.noticesGaps = false
    try addControllers(of: name, after: stored, to: &fold)
    // By number, the first event of each visit.
    var firsts: [Int64: EventRow] = [:]
    for visit in stored {
      guard let shown = visit.shown, shown.exited == nil else { continue }
      let row = EventRow(
        seq: shown.seq, time: shown.entered, kind: .stood, reason: EventReason.stoodEntered.code,
        controller: shown.controller, visit: visit.visit, state: shown.state)
      firsts[row.seq] = row
      _ = fold.take(row)
    }
    try forEachUnfollowed { row in
      if fold.take(row), fold.change.begins { firsts[row.seq] = row }
    }
    let rows = fold.takeRows()
    let followed = Set(rows.map(\.seq))
    let visits =
      stored.filter { !followed.contains($0.row.seq) }
      + rows.compactMap { row in
        firsts[row.seq].map { StoredVisit(row: row, visit: $0.visit, time: $0.time) }
      }
    let shown = visits.compactMap(\.shown)
    let newest = shown.max { ($0.entered, $0.seq) < ($1.entered, $1.seq) }
    guard let last = shown.filter({ $0.controller == newest?.controller }).shownLast else {
      return nil
    }
    return try state(last, firsts[last.seq])
  }

  /// Adds the controllers with this name, in their state before the ring's events.
  private func addControllers(
    of name: String, after stored: [StoredVisit], to fold: inout VisitFold
  ) throws {
    if let session, let reader {
      for record in try reader.controllers(session: session.id) where record.name == name {
        var opening = ControllerOpening(record)
        opening.isKnown = false
        opening.lastVisit =
          stored.filter { $0.row.controller == record.id }.map(\.visit).max() ?? 0
        fold.add(opening)
      }
    }
    for (_, known) in openings.sorted(by: { $0.key > $1.key }) where known.name == name {
      fold.add(known.opening)
    }
  }

  /// Calls `body` with the events that the stored visits do not include, in their order: the events that are
  /// only in the ring, and the later ones in the file.
  private func forEachUnfollowed(_ body: (EventRow) -> Void) throws {
    let first = try session.flatMap { try reader?.firstUnfollowed(session: $0) } ?? 0
    var rows = try ringRows(from: first)[...]
    if let session, let reader {
      let stored = try reader.events(session: session.id, from: first)
      while let row = try stored.next() {
        while let earlier = rows.first, earlier.seq < row.seq {
          body(earlier)
          rows.removeFirst()
        }
        if rows.first?.seq == row.seq { rows.removeFirst() }
        body(row)
      }
    }
    rows.forEach(body)
  }

  /// The rows of the ring's records, from this number on, in their order.
  private func ringRows(from first: Int64) throws -> [EventRow] {
    var rows: [EventRow] = []
    try ring.forEachBatch { batch in
      for record in batch
      where record.number > UInt64(clamping: point.drawn) && seq(record.number) >= first {
        guard let id = controllers.id(record.controller) else { continue }
        rows.append(
          EventRow(
            seq: seq(record.number), time: time(at: record.time),
            kind: EventKind(rawValue: record.kind) ?? .mark, reason: record.reason, controller: id,
            visit: record.visit, state: record.state == 0 ? 0 : names.id(record.state) ?? 0))
      }
    }
    return rows.sorted { $0.seq < $1.seq }
  }

  /// - Parameter first: the visit's first event among those passed to the fold.
  private func state(_ visit: ShownVisit, _ first: EventRow?) throws -> LastState? {
    guard let name = try texts[visit.state] ?? reader?.name(visit.state) else { return nil }
    var payload = try payloads[visit.seq] ?? reader?.detail(of: visit.seq)?.payload
    if payload == nil, let first, let session,
      [EventKind.entering.rawValue, EventKind.entered.rawValue].contains(first.kind)
    {
      // The visit was waiting before, so its request and payload are in the file.
      payload = try reader?.payload(ofVisit: first.visit, of: visit.controller, in: session)
    }
    return LastState(
      state: name, payload: payload.flatMap(storedText), wasShown: visit.exited == nil,
      at: Date(microseconds: try wallTime(at: visit.exited ?? visit.entered)),
      session: ring.session.uuid, ended: ring.ended)
  }

  /// A time of the ring, in microseconds since the session's beginning.
  private func time(at nanoseconds: UInt64) -> Int64 {
    let began = ring.session.beganNanoseconds &+ UInt64(clamping: point.time) &* 1_000
    return nanoseconds > began ? Int64((nanoseconds - began) / 1_000) : 0
  }

  private func wallTime(at time: Int64) throws -> Int64 {
    if let session, let reader { return try reader.wallTime(at: time, in: session) }
    return time &+ Int64(truncatingIfNeeded: ring.session.wallMicroseconds)
  }
}

extension [UInt32: Int32] {
  /// The file's number or, if there is none, the negative of the ring's; `nil` if the number is too large for a
  /// ring.
  fileprivate func id(_ number: UInt32) -> Int32? {
    self[number] ?? Int32(exactly: number).map { -$0 }
  }
}
