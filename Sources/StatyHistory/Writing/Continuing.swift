import Staty
import StatySQLite

/// The place in the ring of a process where a continued session begins.
package struct RingPoint: Equatable, Sendable {
  /// The number of the ring's numbers that belong to earlier sessions.
  package var drawn: Int64
  /// The difference between an event's number in the file and its number in the ring.
  package var shift: Int64
  /// Microseconds since the process began to record.
  package var time: Int64

  /// A point with these numbers.
  package init(drawn: Int64, shift: Int64, time: Int64) {
    (self.drawn, self.shift, self.time) = (drawn, shift, time)
  }
}

/// A session that continues another.
package struct Continuation: Sendable {
  package let session: Int64
  package let firstSeq: Int64
  package let point: RingPoint
  /// The numbers of the controllers in the new session by those in the old one.
  package let controllers: [Int32: Int32]
}

// A long recording is divided into sessions, because retention deletes whole sessions. Each
// controller is detached in the old session and attached in the new one, with a snapshot that
// follows from its events, and with one `stood` for each open visit.
extension HistoryWriter {
  /// The most open visits of a controller with which a session is continued: the new one lists them.
  private static let mostOpen = 64

  /// Ends a session and begins one that continues it, in one transaction.
  ///
  /// - Parameters:
  ///   - drawn: how many numbers of the ring were drawn; each is stored or recorded as lost.
  ///   - from: where in the ring the session began.
  ///   - time: now, in microseconds since the session began.
  ///   - isUrgent: whether it is continued even if the next session cannot list the open visits of a controller,
  ///     because they are too many. As long as a session goes on, nothing of it can be deleted.
  /// - Returns: none if the session cannot be continued now: its visits are not followed, or too many of a
  ///   controller are open.
  package func `continue`(
    _ session: SessionRecord, _ opening: SessionOpening, drawn: Int64, from: RingPoint, time: Int64,
    isUrgent: Bool = false
  ) throws(HistoryError) -> Continuation? {
    let next = from.shift + drawn + 1
    guard !catalog.isPending, !unfollowed.contains(session.id),
      let fold = followings[session.id]?.fold, followings[session.id]?.next == next
    else { return nil }
    if !isUrgent, fold.isCrowded(beyond: Self.mostOpen) { return nil }
    do {
      return try writing {
        let time = max(time, session.lastTime)
        let all = try connection.controllers(session: session.id)
        let old = all.filter {
          fold.stage(of: $0.id).map { $0.hasBegun && $0.detached == nil } ?? false
        }
        // The events that began these were lost. Others may follow.
        let unheard = all.filter { !(fold.stage(of: $0.id)?.hasBegun ?? false) }
        let ends = old.enumerated().map { offset, controller in
          EventRow(
            seq: next + Int64(offset), time: time, kind: .detached,
            reason: EventReason.continues.code, controller: controller.id)
        }
        let first = next + Int64(ends.count)
        // Of the numbers that it had drawn, those behind `drawn` are the new session's.
        var ledger = try ledger(of: session.id)
        ledger.record.observed = first - session.firstSeq
        ledgers[session.id] = ledger
        try add(ends, [], to: session.id, observed: first - session.firstSeq)
        try noteEnd(of: session.id, .continued)
        // The old session now ends where the new one begins, so what is known of it is read again.
        ledgers = [:]
        var opening = opening
        (opening.firstSeq, opening.run) = (first, session.run ?? session.uuid)
        let id = try insert(opening)
        var (rows, details, numbers) = try beginnings(old, fold, id, first, time)
        for var controller in unheard {
          let before = controller.id
          (controller.session, controller.snapshot) = (id, "")
          numbers[before] = try catalog.controller(controller, connection)
        }
        try catalog.store(connection)
        try add(rows, details, to: id, observed: Int64(rows.count))
        let point = RingPoint(
          drawn: drawn, shift: from.shift + Int64(ends.count + rows.count), time: from.time + time)
        try store(point, of: id, continuing: session.id, numbers)
        return Continuation(session: id, firstSeq: first, point: point, controllers: numbers)
      }
    } catch {
      catalog.forgetPendingControllers()
      throw error
    }
  }

  private func add(
    _ rows: [EventRow], _ details: [EventDetail], to session: Int64, observed: Int64
  ) throws {
    try rows.withUnsafeBufferPointer {
      _ = try add($0, details, to: session, observed: observed)
    }
  }

  /// The events that begin the controllers in the new session, and their numbers there.
  private func beginnings(
    _ old: [ControllerRecord], _ fold: VisitFold, _ session: Int64, _ first: Int64, _ time: Int64
  ) throws -> (rows: [EventRow], details: [EventDetail], numbers: [Int32: Int32]) {
    var rows: [EventRow] = []
    var details: [EventDetail] = []
    var numbers: [Int32: Int32] = [:]
    for controller in old {
      guard let overview = fold.overview(of: controller.id) else { continue }
      let visits = overview.onStage + overview.waiting
      let isSaid = overview.isCertain && visits.count <= Self.mostOpen
      let requests = isSaid ? try visits.map { try request(of: $0, controller) } : []
      var record = controller
      record.session = session
      record.snapshot = ""
      if isSaid {
        record.snapshot =
          try snapshot(overview, requests.map(\.request), controller).text
      }
      let id = try catalog.controller(record, connection)
      numbers[controller.id] = id
      func seq() -> Int64 { first + Int64(rows.count) }
      rows.append(EventRow(seq: seq(), time: 0, kind: .attached, controller: id))
      guard isSaid else { continue }
      // The waiting ones in the order of their requests, in which they may overtake each other.
      let onStage = overview.onStage.count
      let places =
        Array(visits.indices.prefix(onStage))
        + visits.indices.dropFirst(onStage).sorted { visits[$0].visit < visits[$1].visit }
      for place in places {
        let (visit, (request, payload)) = (visits[place], requests[place])
        var detail = EventDetail(seq: seq())
        detail.instance = request.instance ?? 0
        detail.priority = request.priority ?? 0
        detail.answers = visit.flags
        detail.age = max(0, time - visit.since.time)
        detail.payload = payload
        rows.append(
          EventRow(
            seq: seq(), time: 0, kind: .stood, reason: visit.stoodReason.code, controller: id,
            visit: visit.visit, state: visit.state))
        if detail != EventDetail(seq: detail.seq) { details.append(detail) }
      }
      if visits.allSatisfy({ $0.progress == .waiting }), let last = overview.last {
        rows.append(
          EventRow(
            seq: seq(), time: 0, kind: .stood, reason: EventReason.stoodExited.code,
            controller: id, visit: last.visit, state: last.state))
      }
    }
    return (rows, details, numbers)
  }

  /// The details of a visit's request.
  private func request(
    of visit: OpenVisit, _ controller: ControllerRecord
  ) throws -> (request: SnapshotRecord.Request, payload: [UInt8]?) {
    let detail = try reader().detail(of: visit.first.seq)
    if visit.past.contains(.stood), let before = controller.opening?.request(of: visit.visit) {
      var request = before
      (request.phase, request.exitsOnceEntered) = (nil, nil)
      return (request, detail?.payload)
    }
    var request = SnapshotRecord.Request(
      visit: visit.visit, state: try reader().name(visit.state) ?? "")
    if let detail {
      request.instance = detail.instance == 0 ? nil : detail.instance
      request.priority = detail.priority == 0 ? nil : detail.priority
      request.equality = detail.equality
      request.answers = detail.answers == 0 ? nil : detail.answers
    }
    return (request, detail?.payload)
  }

  private func snapshot(
    _ overview: ControllerOverview, _ requests: [SnapshotRecord.Request],
    _ controller: ControllerRecord
  ) throws -> SnapshotRecord {
    var snapshot = SnapshotRecord()
    snapshot.standing = zip(overview.onStage, requests).map { visit, request in
      var request = request
      request.phase = visit.stagePhase.rawValue
      let exits = visit.phase == .entering && visit.past.contains(.toldToExit)
      request.exitsOnceEntered = exits ? true : nil
      return request
    }
    snapshot.waiting = Array(requests.dropFirst(overview.onStage.count))
    if snapshot.standing.isEmpty, let last = overview.last {
      var request = SnapshotRecord.Request(
        visit: last.visit, state: try reader().name(last.state) ?? "")
      request.phase = Staty.Phase.exited.rawValue
      snapshot.standing = [request]
    }
    snapshot.isWithholding = overview.stage.isWithholding
    snapshot.isTornDown = overview.stage.isTornDown
    snapshot.lastVisit = overview.lastVisit
    // A model cannot be made in the middle of its work.
    snapshot.isLate = controller.isTrack ? true : nil
    snapshot.isEmpty = !controller.isStateTrack && overview.isEmpty ? true : nil
    let before = controller.opening
    (snapshot.routes, snapshot.states) = (before?.routes, before?.states)
    (snapshot.mirrors, snapshot.transient) = (before?.mirrors, before?.transient)
    return snapshot
  }

  /// Stores where the new session begins in the ring, and the meanings of the ring's numbers in it.
  private func store(
    _ point: RingPoint, of session: Int64, continuing old: Int64, _ controllers: [Int32: Int32]
  ) throws {
    try connection.run(
      "INSERT INTO continuation(session, drawn, shift, t_us) VALUES (?1, ?2, ?3, ?4)", session,
      point.drawn, point.shift, point.time)
    let insert = try connection.prepare(
      "INSERT INTO alias(session, kind, number, id) VALUES (?1, ?2, ?3, ?4)")
    for alias in try connection.aliases(session: old) {
      guard let id = alias.kind == .controller ? controllers[alias.id] : alias.id else { continue }
      try insert.run(session, alias.kind.rawValue, Int64(alias.number), Int64(id))
    }
    try removeAliases(of: old)
  }
}

extension HistoryReader {
  /// Where in its process's ring a session begins.
  package func ringPoint(of session: SessionRecord) throws(HistoryError) -> RingPoint {
    try asHistoryError {
      let rows = try connection.prepare(
        "SELECT drawn, shift, t_us FROM continuation WHERE session = ?1", session.id)
      guard try rows.step() else {
        return RingPoint(drawn: 0, shift: session.firstSeq &- 1, time: 0)
      }
      return RingPoint(
        drawn: rows.int64(at: 0), shift: rows.int64(at: 1), time: rows.int64(at: 2))
    }
  }
}

extension SnapshotRecord {
  fileprivate func request(of visit: UInt32) -> Request? {
    (standing + waiting).first { $0.visit == visit }
  }
}

extension OpenVisit {
  fileprivate var stoodReason: EventReason { EventReason(stood: stagePhase) ?? .stoodWaiting }

  fileprivate var stagePhase: Staty.Phase {
    switch phase {
    case .waiting: .empty
    case .entering: .entering
    case .entered: .entered
    case .exiting: .exiting
    }
  }
}
