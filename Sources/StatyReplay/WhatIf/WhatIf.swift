import Staty
package import StatyHistory
import StatyReading
package import StatyRules

/// Plays one session again with a change: another controller, or edits of what happened.
///
/// What came from outside happens again at its time. What followed from something else follows it
/// again, whenever that happens now: a state takes as long to enter as it took, and a request that
/// a state made comes as long after the state has entered. Everything unknown is assumed, and every
/// assumption is reported. The end of a controller's recording waits for what comes later now.
///
/// A state that did not answer in the recording does not answer the same controller again; it is
/// accused of that only if it was silent for long. For another controller it is assumed to answer. The
/// assumption counts only if the recording broke a rule when it told the state (to enter over another
/// state, or to exit before it had entered) and the state is told in its turn now. If an error is gone
/// only because a state is assumed to answer the same call, the result is in doubt. It is also in doubt
/// if no controller decided anything, or none of those at which the recording broke a rule.
///
/// The session is held in memory, and so is everything that is played.
package struct WhatIf {
  /// The changes and assumptions of a what-if replay.
  package struct Options: Hashable, Sendable {
    /// Which controllers are made under another name than the recorded one.
    package var replacement: Replacement = .none
    /// The edits of what happened.
    package var edits: [Edit] = []
    /// How long a state takes to enter or to exit if no recording says it, in microseconds.
    package var assumed: Int64 = 300_000

    /// Options that change nothing.
    package init() {}

    /// Whether what was recorded is played as it was.
    var isUnchanged: Bool { replacement == .none && edits.isEmpty }
  }

  private let reader: HistoryReader
  private let session: SessionRecord
  private let last: Int64?
  private let cast: Cast
  private let registry: ControllerRegistry
  private let names: [Int32: String]
  private let options: Options
  /// How many events the session may have.
  private static let mostEvents = 2_000_000
  /// How long a controller may go on by itself after the last input from outside, in microseconds.
  private static let mostTime: Int64 = 3_600_000_000

  /// A what-if replay of the session with this number.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with; by default the session's last.
  ///   - only: the numbers of the controllers to play; by default all.
  ///   - registry: how controllers are made.
  /// - Throws: a `HistoryError`, a `RegistryError` if no controller has the replacement's name, or
  ///   an `EditError` if edits contradict each other or a time is too long.
  package init(
    _ reader: HistoryReader, session: Int64, through last: Int64? = nil, only: Set<Int32>? = nil,
    registry: ControllerRegistry = ControllerRegistry(), options: Options = Options()
  ) throws {
    let controllers = registry.current(try reader.controllers(session: session))
    cast = try Cast(controllers, only: only, registry: registry, with: options.replacement)
    try Edit.check(options.edits)
    guard (0...Edit.longest).contains(options.assumed) else {
      throw EditError.assumptionTooLong(microseconds: options.assumed)
    }
    self.reader = reader
    self.session = try reader.session(session)
    self.last = last
    self.options = options
    self.registry = registry
    names = registry.current(try reader.names())
  }

  /// Plays the session.
  ///
  /// - Throws: a `HistoryError`, or an `EditError` if an edit is about no input of the session.
  package func run() throws -> WhatIfResult {
    var recording = RecordedSide(session.id, cast, names, options.edits)
    do {
      try recording.read(
        RecordedEvents(reader, session: session.id, through: last), isWhole: last == nil,
        Self.mostEvents)
      if let last {
        try recording.goOn(
          RecordedEvents(reader, session: session.id, from: last.addingClamped(1), through: nil))
      }
    } catch EditError.noEvent(let edit, _) {
      throw try noEvent(edit)
    }
    let end = last == nil ? session.endTime : recording.lastTime
    let played = cast.parts.values.filter { $0.entry != nil }.map(\.played).sorted { $0.id < $1.id }
    let log = PlayedLog(
      session: session.id, controllers: played, names: names,
      inserted: options.edits.compactMap(\.inserted), firstSeq: session.firstSeq)
    var order = DueNext(
      recording.writer.script, cast, registry, log, end: end, assumed: options.assumed,
      pause: Self.mostTime)
    let run = try ScheduleRun(order.plan)
    run.mostEvents = 100_000 + 20 * (recording.count + options.edits.count)
    run.doubts = recording.writer.script.doubts + recording.doubts
    run.play(&order)
    run.end()
    order.finish(run, options.edits)
    return try result(run, order, recorded(recording.gaps), played, recording.gaps, end: end)
  }

  /// Why the app's own classes may do something else than they would in the app.
  private func doubtsAboutClasses() throws -> [ReplayDoubt] {
    let classes = cast.sameClasses
    if classes.isEmpty { return [] }
    let replay = try Verification(
      reader, session: session.id, through: last, only: classes, registry: registry
    ).run()
    return replay.doubts.filter(\.isAboutConduct)
  }

  /// The conditions of an app's own that do not hold when a recording is played as it was recorded.
  ///
  /// The recording itself does not know them.
  package func brokenConditions() throws -> [Finding] {
    try run().findings.filter { $0.code == .invariant }
  }

  /// The same for the recording of a session that is played with a change.
  private func recordedConditions() throws -> [Finding] {
    if options.isUnchanged { return [] }
    return try WhatIf(
      reader, session: session.id, through: last, only: Set(cast.parts.keys), registry: registry
    ).brokenConditions()
  }

  /// The error for an edit of an event that is not replayed, perhaps one of another session.
  private func noEvent(_ edit: Edit) throws -> EditError {
    let owner = try reader.sessions().first {
      $0.id != session.id && $0.firstSeq <= edit.seq && edit.seq <= $0.lastSeq ?? 0
    }
    return owner.map { .otherSession(edit, session: $0.id, replayed: session.id) }
      ?? .noEvent(edit, session: session.id)
  }

  /// The findings of the recording, for each controller up to where it is played.
  private func recorded(_ gaps: [Int32: RecordedSide.Gap]) throws -> [Finding] {
    // Behind a gap it is not known what happened.
    let ends = Set(gaps.values.map { $0.seq.addingClamped(-1) })
    var all = try findings(through: last).filter { gaps[$0.controller] == nil }
    for end in ends {
      all += try findings(through: end).filter { gaps[$0.controller]?.seq == end + 1 }
    }
    return all.sorted()
  }

  /// The findings after the event to end with, about visits that were played: in the replay, these
  /// visits go on as they did in the recording.
  private func recordedLater(
    at visits: [Int32: [UInt32: UInt32]], beyond known: [Finding]
  ) throws -> [Finding] {
    if last == nil || visits.isEmpty { return [] }
    let known = Set(known)
    return try findings(through: nil).filter { finding in
      let isPlayed = visits[finding.controller]?.values.contains(finding.visit) == true
      return isPlayed && !known.contains(finding)
    }
  }

  private func findings(through last: Int64?) throws -> [Finding] {
    guard cast.parts.values.contains(where: { $0.entry != nil }) else { return [] }
    return try HistoryCheck(reader).session(session.id, through: last).findings
      .filter { cast.plays($0.controller) }
  }

  private func result(
    _ run: ScheduleRun, _ order: DueNext, _ recorded: [Finding], _ played: [ControllerRecord],
    _ gaps: [Int32: RecordedSide.Gap], end: Int64
  ) throws -> WhatIfResult {
    var result = WhatIfResult()
    result.recorded = recorded
    if run.hasConditions { result.recorded += try recordedConditions() }
    let findings = { (isSettled: (Finding) -> Bool) in
      run.log.allFindings(
        end: end, isOver: !run.isGivenUp, gaps: gaps.mapValues(\.time),
        isCut: last != nil || session.isCut, isSettled: isSettled
      ).filter { $0.severity != .note && !order.isOpen($0, run) }
    }
    result.findings = findings { order.isReplaced($0.controller) }
    result.assumptions = order.assumptions
    if options.isUnchanged { result.recorded += result.findings.filter { $0.code == .invariant } }
    result.doubts = run.doubts
    if result.verdict == .fixed || result.verdict == .clean {
      result.doubts += order.doubts(
        run, whether: result.recorded.filter(\.isSought), areGone: played,
        asRecorded: options.isUnchanged)
      if last == nil, options.edits.isEmpty {
        result.doubts += findings { _ in true }.compactMap { order.leftWaiting($0, run) }
      }
    }
    result.doubts += try doubtsAboutClasses()
    result.recordedVisits = order.recordedVisits(run)
    result.recordedLater = try recordedLater(at: result.recordedVisits, beyond: recorded)
    result.events = run.log.rows
    result.names = run.log.names
    result.controllers = played
    return result.digested()
  }
}

extension WhatIfResult {
  /// The result with the hash of what two runs must have in common.
  fileprivate func digested() -> WhatIfResult {
    var digest = ReplayDigest()
    for row in events {
      digest.add(UInt64(row.kind) << 8 | UInt64(row.reason))
      digest.add(UInt64(UInt32(bitPattern: row.controller)) << 32 | UInt64(row.visit))
      digest.add(UInt64(bitPattern: row.time))
      digest.add(UInt64(bitPattern: row.cause))
      digest.add(names[row.state] ?? "")
    }
    for finding in findings {
      digest.add(finding.code.rawValue)
      digest.add(UInt64(bitPattern: finding.seq))
    }
    for assumption in assumptions { digest.add("\(assumption)") }
    var result = self
    result.digest = digest.value
    return result
  }
}
