package import StatyHistory

/// Brings the findings in a history up to date with its events, a step of bounded length at a time.
///
/// It remembers how a session that is still being recorded stood, and goes on from there; a keeper
/// that is new, or whose session got events late, begins the session anew.
package struct FindingKeeper {
  private let options: CheckOptions
  private var kept: [Int64: Kept] = [:]
  /// Sessions that are over and were found to be up to date.
  private var done: Set<Int64> = []
  /// How many events a session was said to have when it was last begun anew for having others.
  private var mistrusted: [Int64: Int64] = [:]

  /// A checker, and up to where it knows the file's names and its session's controllers.
  private struct Kept {
    var checker: SessionChecker
    var lastName: Int32 = 0
    var lastController: Int32 = 0
  }

  /// A keeper that knows nothing yet.
  package init(options: CheckOptions = CheckOptions()) {
    self.options = options
  }

  /// Looks at the next events of the first session that is not up to date.
  ///
  /// - Parameter events: at most so many.
  /// - Returns: whether there is more to do.
  package mutating func step(
    _ writer: HistoryWriter, upTo events: Int = 10_000
  ) throws -> Bool {
    let reader = try writer.reader()
    let sessions = try reader.sessions()
    for session in sessions where !done.contains(session.id) {
      if try step(session, reader, writer, events) != .nothing { return true }
    }
    let ids = Set(sessions.map(\.id))
    kept = kept.filter { ids.contains($0.key) }
    done.formIntersection(ids)
    mistrusted = mistrusted.filter { ids.contains($0.key) }
    return false
  }

  /// Brings the findings of all sessions up to date, while nobody records into the history.
  ///
  /// It lists the sessions once, where ``step(_:upTo:)`` looks each time whether there are new ones.
  package static func checkAll(_ writer: HistoryWriter) throws {
    let reader = try writer.reader()
    try writer.gathering {
      for session in try reader.sessions() {
        var keeper = FindingKeeper()
        while try keeper.step(session, reader, writer, 100_000) == .some {}
      }
    }
  }

  /// How much of what there was to do at a session a step has done.
  private enum Progress {
    case nothing, some, all
  }

  /// Looks at the next events of a session; there is nothing to do at one that is up to date.
  private mutating func step(
    _ session: SessionRecord, _ reader: HistoryReader, _ writer: HistoryWriter, _ events: Int
  ) throws -> Progress {
    let work = try Work(reader, session: session)
    if work.isDone {
      forget(session)
      return .nothing
    }
    return try advance(work, reader, writer, events)
  }

  private mutating func advance(
    _ work: Work, _ reader: HistoryReader, _ writer: HistoryWriter, _ events: Int
  ) throws -> Progress {
    let session = work.session
    let known = kept.removeValue(forKey: session.id).flatMap { work.isUpTo($0.checker) ? $0 : nil }
    var now =
      known
      ?? Kept(
        checker: SessionChecker(session: session.id, firstSeq: session.firstSeq, options: options))
    try introduce(session.id, reader, to: &now)
    var checker = now.checker
    let next = known.map { $0.checker.lastSeq + 1 }
    var feed = try SessionEvents(reader, session: session, from: next)
    let hasMore = try feed.give(upTo: events, to: &checker)
    if !hasMore, known != nil, checker.count != session.stored,
      mistrusted[session.id] != session.stored
    {
      // Some came late; how the session stood before them is not known any more. If it happens
      // again, the file says something else than it holds.
      mistrusted[session.id] = session.stored
      try begin(work, writer)
      return .some
    }
    let name = { (number: Int32) in (try? reader.name(number)) ?? nil }
    var findings = checker.drain().map { $0.record(naming: name, isFinal: true) }
    if !hasMore {
      var end = checker
      feed.giveRest(to: &end)
      findings += end.findingsAtEnd(lastTime: session.lastTime).map {
        $0.record(naming: name, isFinal: false)
      }
    }
    try writer.store(
      findings: findings, checked: work.checked(checker, isWhole: !hasMore), anew: known == nil)
    now.checker = checker
    kept[session.id] = now
    return hasMore ? .some : .all
  }

  /// Tells a checker of the controllers that have come since, and of the names if it needs them.
  private func introduce(
    _ session: Int64, _ reader: HistoryReader, to kept: inout Kept
  ) throws {
    let new = try reader.controllers(session: session, after: kept.lastController)
    for controller in new { kept.checker.add(controller) }
    kept.lastController = new.last?.id ?? kept.lastController
    let lastName = try reader.lastName()
    guard !new.isEmpty || lastName != kept.lastName, kept.checker.needsNames else { return }
    kept.checker.learn(names: try reader.names())
    kept.lastName = lastName
  }

  /// Says that nothing of a session has been looked at.
  private mutating func begin(_ work: Work, _ writer: HistoryWriter) throws {
    let none = SessionChecker(session: work.session.id)
    try writer.store(findings: [], checked: work.checked(none, isWhole: false), anew: true)
  }

  /// Gives up what a history says that the rules found in a session, for a keeper to ask them anew.
  package static func forget(session: SessionRecord, in writer: HistoryWriter) throws {
    var keeper = FindingKeeper()
    try keeper.begin(Work(writer.reader(), session: session), writer)
  }

  /// A session that is over gets no more events.
  private mutating func forget(_ session: SessionRecord) {
    guard session.ended != .open else { return }
    kept[session.id] = nil
    done.insert(session.id)
  }
}

/// What there is to do at a session.
private struct Work {
  let session: SessionRecord
  private let before: CheckedRecord?
  private let lost: Int64

  init(_ reader: HistoryReader, session: SessionRecord) throws {
    self.session = session
    before = try reader.checked(session: session.id)
    lost = try reader.losses(session: session.id).reduce(0) { $0 &+ $1.count }
  }

  var isDone: Bool {
    before?.isComplete(for: session, lost: lost) ?? false
  }

  /// Whether a checker stands where the file says that the session was looked at.
  func isUpTo(_ checker: SessionChecker) -> Bool {
    guard let before, before.version == OrderingRules.version, checker.count > 0 else {
      return false
    }
    return before.through == checker.lastSeq && before.lost == lost
  }

  func checked(_ checker: SessionChecker, isWhole: Bool) -> CheckedRecord {
    // Less than was stored says that there is more to do.
    CheckedRecord(
      session: session.id, version: OrderingRules.version, through: checker.lastSeq,
      events: isWhole ? session.stored : min(checker.count, session.stored - 1),
      lastTime: isWhole ? session.lastTime : -1, lost: lost)
  }
}

extension Finding {
  /// The finding as the file has it.
  func record(
    naming name: @escaping (Int32) -> String?, isFinal: Bool
  ) -> FindingRecord {
    FindingRecord(
      session: session, seq: seq, code: code.rawValue, severity: severity.rawValue,
      controller: controller, visit: visit, state: state, detail: detail(naming: name),
      isFinal: isFinal)
  }
}
