import Staty
import StatyText

/// The session that lines are about.
struct ImportedSession {
  /// Whether its events are numbered here.
  let isPlain: Bool
  /// The number of the last event.
  var lastSeq: Int64
  /// How many events were taken.
  private(set) var count: Int64 = 0
  /// Whether something is wrong with one of its lines, so that it is of no use any more.
  var isDoubtful = false

  /// The highest number that is its own.
  var highest: Int64 { max(lastSeq, lastLost) }

  let writer: any LineStore
  /// Whether it may begin or end anywhere, and not say what its controllers are.
  var isFragment = false
  var opening: SessionOpening
  private let wantedID: Int64?
  /// Whether the session, when it is plain, knows when it began.
  private var isDated: Bool
  /// Its number in the file; it is stored with the first thing that is said of it, since a plain one
  /// may learn from that when it began.
  private(set) var id: Int64 = 0
  var controllers = ImportedControllers()
  private var rows: [EventRow] = []
  private var details: [EventDetail] = []
  var losses: [LossRecord] = []
  var lastLost: Int64 = 0
  private var digests: (UInt64, UInt64) = (1, 2)

  static let batch = 4_096
  /// No session begins, and nothing is counted on, beyond this number; it leaves room for sums.
  static let mostSeq = Int64.max / 4

  /// - Parameters:
  ///   - line: what begins it; none if its first event does.
  ///   - last: the highest number that is taken.
  init(_ line: TransferLine?, after last: Int64, _ writer: any LineStore) throws(LineProblem) {
    self.writer = writer
    let line = line ?? TransferLine(.session)
    guard last < Self.mostSeq else { throw .noNumbersLeft }
    let first = try line.integer(.firstSeq, in: 1...Self.mostSeq)
    isPlain = first == nil
    if let first, first <= last {
      throw line.wrong(.firstSeq, "more than \(last), the last number of the session before")
    }
    let wall = try line.integer(.wallUs, in: TransferLine.moments)
    let start = try line.moment(.startedAt) ?? wall
    isDated = start != nil
    opening = SessionOpening(
      uuid: try line.text(.uuid) ?? "", app: try line.text(.app) ?? "",
      appVersion: try line.text(.appVersion) ?? "", os: try line.text(.os) ?? "",
      pid: Int32(
        try line.integer(.pid, in: Int64(Int32.min)...Int64(Int32.max)) ?? 0), wallTime: start ?? 0,
      firstSeq: first ?? last + 1, run: try line.text(.run))
    wantedID = try line.integer(.session, in: 1...Self.mostSeq)
    lastSeq = (first ?? last + 1) - 1
    if !isPlain, opening.uuid.isEmpty { throw line.missing(.uuid, "the session's name everywhere") }
  }

  /// Takes a line that is about neither its beginning nor its end.
  mutating func take(_ line: TransferLine, _ type: TransferType) throws {
    digests.0 = ContentHash.fold(digests.0, line.digest)
    digests.1 = ContentHash.fold(digests.1, line.digest)
    switch type {
    case .event: try take(event: line)
    case .controller: try controllers.declare(line, isPlain: isPlain)
    case .loss: try take(loss: line)
    case .anchor: try take(anchor: line)
    // What the rules find follows from the events.
    case .finding, .session, .end: break
    }
  }
}

// MARK: Beginning and end

extension ImportedSession {
  /// Stores the session and the controllers that are declared and not stored yet.
  mutating func begin() throws {
    if id == 0 {
      if opening.uuid.isEmpty { opening.uuid = "imported at \(opening.firstSeq ?? 0)" }
      if try writer.hasSession(uuid: opening.uuid) {
        throw LineProblem(
          "there was a session with the uuid '\(opening.uuid)' before", "Give each its own.")
      }
      id = try writer.restore(opening, as: wantedID)
    }
    // A plain one's are stored with their first events.
    if !isPlain { try controllers.store(in: id, writer) }
  }

  /// Ends the session.
  mutating func end(_ line: TransferLine?) throws {
    if !isPlain, line == nil {
      throw LineProblem("the session has no line about its end", "The text may be cut off there.")
    }
    try store()
    let ended = try line?.choice(.ended, SessionEnd.words) ?? .clean
    if let said = try line?.integer(.events), said != count, !isDoubtful {
      throw LineProblem(
        "the session has \(count) events", "Expected are \(said); a part of the text is missing.")
    }
    if let seq = try writer.firstEventInLoss(of: id) {
      throw LineProblem(
        "event \(seq) is there, and a loss says that it is not",
        "Give the first and the last number of what is missing.")
    }
    let drawn = count == 0 ? 0 : lastSeq - opening.firstSeq! + 1
    try writer.restoreEnd(
      of: id, ended, observed: try line?.integer(.observed, in: drawn...Self.mostSeq),
      payloadsLeftOut: try line?.integer(.payloadsLeftOut, in: 0...Self.mostSeq))
    try rename()
  }

  /// Whether by the line about its end it had events that did not come.
  ///
  /// A plain one's events are numbered as they come, so what is missing of it cannot be told.
  func lacksEvents(by line: TransferLine) throws(LineProblem) -> Bool {
    guard !isPlain, let said = try line.integer(.events) else { return false }
    return said > count
  }

  /// Ends the session where its lines end, which is not its end.
  mutating func breakOff() throws {
    try store()
    try writer.restoreEnd(of: id, .open, observed: nil, payloadsLeftOut: nil)
    try rename()
  }

  /// Stores what is not stored yet.
  private mutating func store() throws {
    try begin()
    try flush()
  }

  private mutating func rename() throws {
    guard isPlain else { return }
    try writer.rename(
      session: id, uuid: opening.uuid.hasPrefix("imported at") ? freeUUID() : nil,
      threeKind: controllers.threeKind)
  }

  /// A name that no session has; of sessions with the same lines each further one has another.
  private mutating func freeUUID() throws -> String {
    while try writer.hasSession(uuid: uuid) {
      digests.0 = ContentHash.fold(digests.0, digests.1)
    }
    return uuid
  }

  /// A name that follows from the lines, so that the same text gives the same session.
  private var uuid: String { uuidText(digests.0, digests.1) }

  mutating func flush() throws {
    if !rows.isEmpty { try writer.restore(rows, details, of: id) }
    try writer.restore(losses)
    rows.removeAll(keepingCapacity: true)
    details.removeAll(keepingCapacity: true)
    losses.removeAll(keepingCapacity: true)
  }
}

// MARK: Events

extension ImportedSession {
  private mutating func take(event line: TransferLine) throws {
    guard lastSeq < Self.mostSeq else { throw LineProblem.noNumbersLeft }
    let time = try time(of: line)
    try begin()
    if rows.count >= Self.batch { try flush() }
    guard let kind = EventKind(text: try line.neededText(.kind, "what happened, as 'enqueued'"))
    else { throw line.wrong(.kind, "one of " + EventKind.words) }
    if isPlain {
      try takePlain(line, kind, time)
    } else {
      let seq = try line.needed(.seq, in: (lastSeq + 1)...(Self.mostSeq + 1))
      if isFragment { try controllers.meet(line, in: id, writer) }
      let controller = try controllers.number(of: line, kind)
      var visit: VisitAndState = (0, 0)
      visit.visit = UInt32(try line.integer(.visit, in: 1...Int64(UInt32.max)) ?? 0)
      visit.state = try writer.intern(line, .state)
      try add(line, kind, seq, time, controller, visit)
    }
  }

  private mutating func takePlain(
    _ line: TransferLine, _ kind: EventKind, _ time: Int64
  ) throws {
    for key in [TransferKey.seq, .inside, .cause] where line[key] != .absent {
      throw LineProblem(
        "'\(key.word)' is there, and the session does not say 'first_seq'",
        "Leave it out, or begin with a session whose events you number.")
    }
    let state = try writer.intern(line, .state)
    var controller: Int32 = 0
    var visit: VisitAndState = (0, state)
    if kind != .mark, kind != .lost || line[.controller] != .absent {
      let (number, isNew) = try controllers.begin(line, in: id, writer)
      controller = number
      if isNew, kind != .attached { try add(.attached, time, controller) }
      visit = try controllers.visit(of: line, kind, state)
    }
    try add(line, kind, lastSeq + 1, time, controller, visit)
  }

  private mutating func add(_ kind: EventKind, _ time: Int64, _ controller: Int32) throws {
    lastSeq += 1
    count += 1
    rows.append(EventRow(seq: lastSeq, time: time, kind: kind, controller: controller))
  }

  private mutating func add(
    _ line: TransferLine, _ kind: EventKind, _ seq: Int64, _ time: Int64, _ controller: Int32,
    _ visit: VisitAndState
  ) throws {
    var row = EventRow(
      seq: seq, time: time, kind: kind, reason: try line.reason(of: kind),
      thread: UInt8(try line.integer(.thread, in: 0...63) ?? 0), controller: controller,
      visit: visit.visit, state: visit.state)
    try line.place(&row)
    if let file = try line.text(.site) {
      guard kind == .enqueued else { throw line.wrong(.site, "none but with 'enqueued'") }
      row.site = try writer.intern(site: file, line: try line.integer(.line) ?? 0)
    }
    let detail = try line.detail(seq, writer)
    rows.append(row)
    if let detail { details.append(detail) }
    lastSeq = seq
    count += 1
  }

  /// The time of an event since the session began.
  private mutating func time(of line: TransferLine) throws(LineProblem) -> Int64 {
    if let time = try line.sinceBeginning() { return time }
    guard let moment = try line.moment(.at) else {
      throw LineProblem(
        "it does not say when it happened",
        "Expected is one of 't_us', 't_ms' (since the session began) and 'at' (ISO 8601).")
    }
    if !isDated {
      guard id == 0 else {
        throw LineProblem(
          "'at' is there, and the session does not say when it began",
          "Begin with a line of type 'session' that says 'started_at'.")
      }
      (opening.wallTime, isDated) = (moment, true)
    }
    return try line.checked(moment - opening.wallTime, .at)
  }
}

extension LineProblem {
  static let noNumbersLeft = LineProblem(
    "there are no numbers left for events", "Begin with lower numbers.")
}
