import StatyHistory
import StatyRules

/// Reports findings while they are recorded into a history, each once.
///
/// The checkers go on where they ended, so that a long session costs no more than its new events.
struct FindingFollower {
  private var report: CheckReport
  private let path: String
  private let run: ToolRun
  private let choice: SessionChoice
  private let excluded: [String]
  private var open: [Int64: FollowedSession] = [:]
  /// The sessions in which something was judged.
  private var judged: Set<Int64> = []
  /// The highest number of a session that is followed, or was over at the beginning.
  private var last: Int64 = 0

  /// How many pauses between two looks when nothing is recorded: also what does not come is found.
  private static let rests = 5

  init(_ arguments: ParsedArguments, _ report: CheckReport, _ run: ToolRun) {
    path = arguments.path
    choice = SessionChoice(arguments)
    excluded = arguments.texts("without")
    (self.report, self.run) = (report, run)
  }

  /// Reports what is found in the open session, and in those that follow, until the user ends it.
  mutating func follow() throws -> CheckReport {
    var watch = HistoryWatch(path, run)
    try watch.look { history, reader in
      last = try reader.sessions().last { $0.ended != .open }?.id ?? 0
      try goOn(history, reader)
    }
    try watch.follow(rests: Self.rests) { try goOn($0, $1) }
    return report
  }

  private mutating func goOn(_ history: OpenHistory, _ reader: HistoryReader) throws {
    for record in try reader.sessions() where record.id > last || open[record.id] != nil {
      if record.id > last { last = record.id }
      guard choice.session ?? record.id == record.id else { continue }
      let known = open.removeValue(forKey: record.id)
      if known == nil { report.addFollowed(session: true) }
      var session = known ?? FollowedSession(record)
      let now = history.recorder == nil ? 0 : RecorderTime.wallMicroseconds
      let listed = try ListedSession(record, reader)
      let words = listed.words
      let found = try session.findings(listed, reader, now: listed.time(atWall: now))
      // Also on failure nothing is reported twice.
      if record.ended == .open { open[record.id] = session }
      let isJudged =
        session.judged.contains { choice.means(words.controllers[$0]) }
        && judged.insert(record.id).inserted
      report.addFollowed(events: session.taken, isJudged: isJudged)
      for finding in found where means(finding, words) {
        try report.add(finding, in: history, words: words)
      }
    }
    try run.console.out.flush()
  }

  private func means(_ finding: Finding, _ words: EventWords) -> Bool {
    choice.means(words.controllers[finding.controller])
      && !excluded.contains(finding.code.rawValue)
  }
}

/// The check of a session that is still recorded.
struct FollowedSession {
  private var checker: SessionChecker
  /// The lowest number that was not checked yet.
  private var next: Int64
  private var lastController: Int32 = 0
  /// How many looks the next number has been missing.
  private var missed = 0
  /// What holds if nothing else comes, and since when.
  private var pending: [Key: ContinuousClock.Instant] = [:]
  /// What was reported before it was certain, the latest last.
  private var reported: [Key] = []
  /// The controllers to which something has happened that a rule could judge.
  var judged: Set<Int32> { checker.judged }
  /// How many events the last look has checked.
  private(set) var taken: Int64 = 0

  private struct Key: Hashable {
    let code: RuleCode
    let seq: Int64
    let visit: UInt32

    init(_ finding: Finding) {
      (code, seq, visit) = (finding.code, finding.seq, finding.visit)
    }
  }

  /// How many looks a missing number is waited for: events of other threads may be stored later.
  private static let mostMissed = 20
  /// How long something has to hold before it is reported, though it is not certain.
  private static let patience: Duration = .seconds(1)
  private static let mostReported = 1_000
  private static let atOnce = 10_000

  init(_ record: SessionRecord) {
    next = record.firstSeq
    checker = SessionChecker(session: record.id, firstSeq: record.firstSeq)
  }

  /// What the new events break, and what has not come in time.
  ///
  /// - Parameter now: the time of the session.
  mutating func findings(
    _ session: ListedSession, _ reader: HistoryReader, now: Int64
  ) throws -> [Finding] {
    let record = session.record
    taken = 0
    while try take(record, reader) {}
    var found = checker.drain()
    let isOver = record.ended != .open
    let end = checker.findingsAtEnd(
      endTime: isOver ? record.endTime : max(record.endTime, now), isCut: record.isCut)
    let clock = ContinuousClock.now
    var still: [Key: ContinuousClock.Instant] = [:]
    for finding in end {
      let since = pending[Key(finding)] ?? clock
      still[Key(finding)] = since
      if isOver || clock - since >= Self.patience { found.append(finding) }
    }
    pending = still
    found = found.sorted().filter { !reported.contains(Key($0)) }
    reported = (reported + found.map(Key.init)).suffix(Self.mostReported)
    return found
  }

  /// Checks some of the new events; returns whether there may be more.
  private mutating func take(_ record: SessionRecord, _ reader: HistoryReader) throws -> Bool {
    try reader.consistently {
      let new = try reader.controllers(session: record.id, after: lastController)
      for controller in new { checker.add(controller) }
      lastController = new.last?.id ?? lastController
      checker.learn(names: try reader.names())
      var events = try SessionEvents(reader, session: record, from: next)
      for _ in 0..<Self.atOnce {
        guard let row = try events.next() else {
          loseRest(&events, isOver: record.ended != .open)
          return false
        }
        var expected = next
        while let loss = events.takeLoss(before: row.seq) {
          if loss.firstSeq >= next { checker.lose(loss) }
          if loss.firstSeq <= expected { expected = max(expected, loss.lastSeq &+ 1) }
        }
        if row.seq > expected, record.ended == .open, missed < Self.mostMissed {
          missed += 1
          return false
        }
        (missed, next) = (0, row.seq &+ 1)
        checker.take(row, events.detail)
        taken += 1
      }
      return true
    }
  }

  /// Takes what was lost behind the last event.
  ///
  /// While the session is open, only what is missing next: what lies between may still come.
  private mutating func loseRest(_ events: inout SessionEvents, isOver: Bool) {
    while let loss = events.takeLoss(before: isOver ? .max : next &+ 1) {
      guard loss.firstSeq >= next else { continue }
      checker.lose(loss)
      next = loss.lastSeq &+ 1
    }
  }
}
