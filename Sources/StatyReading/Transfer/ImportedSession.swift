import StatyHistory
import Staty

/// The session that is being imported.
struct ImportedSession {
  /// The session's unique name.
  var uuid: String { opening.uuid }
  /// Its number in the file.
  let id: Int64
  /// The number of imported events.
  private(set) var count: Int64 = 0
  /// Whether one of its lines has a problem, so that it cannot be used.
  var isDoubtful = false

  /// The highest number that it owns.
  var highest: Int64 { max(lastSeq, lastLost, first) }

  private let writer: HistoryWriter
  private let opening: SessionOpening
  private let first: Int64
  /// The number of the last event.
  private var lastSeq: Int64
  private var lastLost: Int64 = 0
  /// The numbers of its controllers in the file, by their names in the lines.
  private var controllers: [ExactText: Int32] = [:]
  private var rows: [EventRow] = []
  private var details: [EventDetail] = []
  private var losses: [LossRecord] = []

  private static let batch = 4_096
  /// The highest number of a session's beginning, and the highest count; it leaves room for sums.
  static let mostSeq = Int64.max / 4
  /// The most controllers: more than any program has.
  private static let mostControllers = 1 << 20

  /// - Parameters:
  ///   - line: the line that begins it.
  ///   - last: the highest number that is in use.
  init(_ line: TransferLine, after last: Int64, _ writer: HistoryWriter) throws {
    self.writer = writer
    first = try line.needed(.firstSeq, in: 1...Self.mostSeq)
    guard first > last else {
      throw line.wrong(.firstSeq, "more than \(last), the last number of the session before")
    }
    lastSeq = first - 1
    opening = SessionOpening(
      uuid: try line.neededText(.uuid, "the session's name everywhere"),
      app: try line.text(.app) ?? "", appVersion: try line.text(.appVersion) ?? "",
      os: try line.text(.os) ?? "",
      pid: Int32(try line.integer(.pid, in: Int64(Int32.min)...Int64(Int32.max)) ?? 0),
      wallTime: try line.integer(.wallUs, in: TransferLine.moments) ?? 0, firstSeq: first,
      run: try line.text(.run))
    guard !opening.uuid.isEmpty, try !writer.reader().hasSession(uuid: opening.uuid) else {
      throw LineProblem(
        "there was a session with the uuid '\(opening.uuid)' before", "Give each its own.")
    }
    id = try writer.restore(opening, as: try line.integer(.session, in: 1...Self.mostSeq))
  }

  /// Takes a line that neither begins nor ends the session.
  mutating func take(_ line: TransferLine, _ type: TransferType) throws {
    switch type {
    case .event: try take(event: line)
    case .controller: try take(controller: line)
    case .loss: try take(loss: line)
    case .anchor:
      try writer.addAnchor(
        session: id, time: line.time(), wallTime: line.needed(.wallUs, in: TransferLine.moments))
    // The rules' findings follow from the events.
    case .finding, .session, .end: break
    }
  }

  /// Ends the session.
  mutating func end(_ line: TransferLine?) throws {
    guard let line else {
      throw LineProblem("the session has no line about its end", "The text may be cut off there.")
    }
    try flush()
    let ended = try line.choice(.ended, SessionEnd.words) ?? .clean
    if let said = try line.integer(.events), said != count, !isDoubtful {
      throw LineProblem(
        "the session has \(count) events", "Expected are \(said); a part of the text is missing.")
    }
    if let seq = try writer.firstEventInLoss(of: id) {
      throw LineProblem(
        "event \(seq) is there, and a loss says that it is not",
        "Give the first and the last number of what is missing.")
    }
    let drawn = count == 0 ? 0 : lastSeq - first + 1
    let observed = try line.integer(.observed, in: drawn...Self.mostSeq)
    try checkLosses(observed ?? drawn, ended)
    try writer.restoreEnd(
      of: id, ended, observed: observed,
      payloadsLeftOut: try line.integer(.payloadsLeftOut, in: 0...Self.mostSeq))
    if !isDoubtful, let damage = try ChainVerifier(writer.reader()).firstDamage(session: id) {
      throw LineProblem(
        "the session cannot have been like this: \(damage)",
        "Look at 'inside', 'part', 'cause' and 'thread'.")
    }
  }

  /// Checks that no number is lost twice, and that each one that was drawn is an event's or lost.
  private func checkLosses(_ drawn: Int64, _ ended: SessionEnd) throws {
    let losses = try writer.reader().losses(session: id)
    if let double = zip(losses, losses.dropFirst()).first(where: { $0.lastSeq >= $1.firstSeq })?.1 {
      throw LineProblem(
        "two losses say that \(double.firstSeq) is missing", "Name each missing number once.")
    }
    let missing = losses.reduce(drawn - count) { $0 - $1.count }
    if missing > 0, ended != .open, !isDoubtful {
      throw LineProblem(
        "the session has drawn \(drawn) numbers, and says nothing of \(missing) of them",
        "Write a line of type 'loss' for what is missing.")
    }
  }

  private mutating func flush() throws {
    if !rows.isEmpty {
      _ = try rows.withUnsafeBufferPointer { try writer.append($0, details: details, to: id) }
    }
    try writer.restore(losses)
    rows.removeAll(keepingCapacity: true)
    details.removeAll(keepingCapacity: true)
    losses.removeAll(keepingCapacity: true)
  }
}

// MARK: Lines

extension ImportedSession {
  private mutating func take(controller line: TransferLine) throws {
    let name = try line.neededText(.controller, "the controller's name")
    let key = ExactText(text: try line.text(.key) ?? name)
    guard controllers[key] == nil else {
      throw LineProblem(
        "there is a controller '\(key.text)' already", "Give the second one a 'key' of its own.")
    }
    guard controllers.count < Self.mostControllers else {
      throw LineProblem("there are too many controllers", "Name each by what it is, not by when.")
    }
    controllers[key] = try writer.addController(
      session: id, name: name, policy: try line.text(.policy) ?? "unknown",
      discipline: try line.number(.discipline, Discipline.words) ?? Discipline.inOrder.rawValue,
      fidelity: try line.number(.fidelity, Fidelity.words) ?? Fidelity.ordered.rawValue,
      snapshot: try line.snapshot())
  }

  private mutating func take(loss line: TransferLine) throws {
    let first = try line.needed(.firstSeq, in: self.first...Self.mostSeq)
    let last = try line.needed(.lastSeq, in: first...Self.mostSeq)
    let count = try line.integer(.count, in: 0...(last - first + 1)) ?? (last - first + 1)
    losses.append(
      LossRecord(
        firstSeq: first, lastSeq: last, count: count,
        reason: try line.text(.reason) ?? "not said"))
    lastLost = max(lastLost, last)
    if losses.count >= Self.batch { try flush() }
  }

  private mutating func take(event line: TransferLine) throws {
    guard lastSeq < Self.mostSeq else {
      throw LineProblem("there are no numbers left for events", "Begin with lower numbers.")
    }
    let time = try line.time()
    if rows.count >= Self.batch { try flush() }
    guard let kind = EventKind(text: try line.neededText(.kind, "what happened, as 'enqueued'"))
    else { throw line.wrong(.kind, "one of " + EventKind.words) }
    let seq = try line.needed(.seq, in: (lastSeq + 1)...Self.mostSeq)
    var row = EventRow(
      seq: seq, time: time, kind: kind, reason: try line.reason(of: kind),
      thread: UInt8(try line.integer(.thread, in: 0...63) ?? 0),
      controller: try controller(of: line),
      visit: UInt32(try line.integer(.visit, in: 1...Int64(UInt32.max)) ?? 0),
      state: try writer.intern(line, .state))
    try line.place(&row)
    if let file = try line.text(.site) {
      guard kind == .enqueued else { throw line.wrong(.site, "none but with 'enqueued'") }
      row.site = try writer.intern(site: file, line: try line.integer(.line) ?? 0)
    }
    if let detail = try line.detail(seq, writer) { details.append(detail) }
    rows.append(row)
    lastSeq = seq
    count += 1
  }

  /// The number of the controller that a line names; 0 if it names none, as only marks may.
  private func controller(of line: TransferLine) throws(LineProblem) -> Int32 {
    guard let key = try line.text(.controller) else { return 0 }
    guard let number = controllers[ExactText(text: key)] else {
      throw LineProblem(
        "no controller is called '\(key)'",
        "Each has a line of type 'controller' before its first event.")
    }
    return number
  }
}

extension EventKind {
  /// All texts, for messages.
  fileprivate static var words: String { allCases.map { "'\($0.text)'" }.joined(separator: ", ") }
}

extension HistoryWriter {
  /// The number of the name under a key; 0 if there is none.
  func intern(_ line: TransferLine, _ key: TransferKey) throws -> Int32 {
    guard let name = try line.text(key) else { return 0 }
    return try intern(name: name)
  }

  fileprivate func firstEventInLoss(of session: Int64) throws(HistoryError) -> Int64? {
    try asHistoryError { try connection.firstEventInLoss(of: try connection.session(session)) }
  }
}
