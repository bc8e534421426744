public import Foundation
import Staty
import StatyHistory
import StatyText

/// The app's state when the previous launch ended.
///
/// Attach it to a crash report, or log its ``description``.
///
/// ```swift
/// if let previous = await recorder.previousSession(), previous.ended == .killed {
///   logger.error("\(previous, privacy: .public)")
/// }
/// ```
public struct PreviousSession: Codable, Hashable, Sendable {
  /// How a session ended, with the words of the view `sessions`.
  public enum Ending: String, Codable, Sendable {
    /// The recorder was closed, or the process exited by itself.
    case clean
    /// The system killed the app in the background, after ``HistoryRecorder/suspend(atMost:)`` or
    /// ``HistoryRecorder/launchedInBackground()``.
    case suspended
    /// The app crashed, or was killed while it was in use.
    case killed
  }

  /// A state that was shown, or a transition that was not complete.
  public struct Visit: Codable, Hashable, Sendable {
    /// The phase of a visit.
    public enum Phase: String, Codable, Sendable {
      /// It was requested and had not been told to enter.
      case waiting
      /// It was told to enter and had not entered.
      case entering
      /// It had entered.
      case entered
      /// It was told to exit and had not exited.
      case exiting
    }

    /// The name of the controller.
    public let controller: String
    /// The number of the visit.
    public let visit: UInt32
    /// The name of the state.
    public let state: String
    /// The phase of the visit.
    public let phase: Phase
    /// The time that the visit had been in this phase when the session is last known to have run.
    public let seconds: Double
    /// The state's payload as it was recorded.
    public let payload: String?
  }

  /// A transition shortly before the end.
  public struct Transition: Codable, Hashable, Sendable {
    /// The time from the transition to the last event.
    public let secondsBefore: Double
    /// The name of the controller.
    public let controller: String
    /// What happened, such as `entered` or `discarded (replaced)`.
    public let what: String
    /// The number of the visit.
    public let visit: UInt32
    /// The name of the state.
    public let state: String
  }

  /// A finding shortly before the end.
  public struct Finding: Codable, Hashable, Sendable {
    /// The rule, such as `never-entered`.
    public let code: String
    /// The name of the controller.
    public let controller: String
    /// What happened, in a sentence.
    public let detail: String
  }

  /// The session's `uuid` in the history.
  public let session: String
  /// The app's name.
  public let app: String
  /// The app's version.
  public let appVersion: String
  /// When recording began.
  public let began: Date
  /// When the last event was recorded.
  public let lastEvent: Date
  /// How it ended.
  public let ended: Ending
  /// The states that were shown.
  public let onScreen: [Visit]
  /// The requests and transitions that were not complete.
  public let underWay: [Visit]
  /// The last transitions, at most 20, in order.
  public let transitions: [Transition]
  /// The findings of the last minute, the latest 20 at most.
  public let findings: [Finding]
}

extension PreviousSession: CustomStringConvertible {
  /// One line for a log.
  public var description: String {
    var parts = [
      "\(app) \(appVersion)".trimmingCharacters(in: .whitespaces) + " ended \(ended.rawValue)"
    ]
    if !onScreen.isEmpty {
      parts.append(
        "on screen: " + onScreen.map { "\($0.controller) \($0.state)" }.joined(separator: ", "))
    }
    if !underWay.isEmpty {
      parts.append(
        "under way: "
          + underWay.map { visit in
            "\(visit.controller) \(visit.state) \(visit.phase.rawValue) for \(Self.text(visit.seconds))"
          }.joined(separator: ", "))
    }
    if !findings.isEmpty {
      parts.append(
        "findings: " + findings.map { "\($0.controller) \($0.code)" }.joined(separator: ", "))
    }
    return parts.joined(separator: "; ")
  }

  private static func text(_ seconds: Double) -> String {
    let tenths = Int64((min(max(seconds, 0), 1e12) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }
}

extension PreviousSession {
  /// A short text for the attachment of a crash report, in plain lines.
  ///
  /// It says how the session ended, what was on screen, what was under way, which rules were broken, and
  /// the last transitions. It has names but no payloads, and at most 2,000 bytes: if there is more, the
  /// earliest transitions are left out first.
  public var summary: String {
    let name = Self.short("\(app) \(appVersion)".trimmingCharacters(in: .whitespaces))
    let head =
      "\(name) ended \(ended.rawValue), \(Self.text(lastEvent.timeIntervalSince(began))) after it began"
    let open =
      onScreen.map { "on screen: \(Self.line($0)) for \(Self.text($0.seconds))" }
      + underWay.map { "\($0.phase.rawValue): \(Self.line($0)) for \(Self.text($0.seconds))" }
      + findings.map { "finding: \(Self.short($0.controller)) \(Self.short($0.code))" }
    let moves = transitions.map { move in
      "-\(Self.text(move.secondsBefore)) \(Self.short(move.controller)) \(move.what) "
        + "#\(move.visit) \(Self.short(move.state))"
    }
    var lines = [head.trimmingCharacters(in: .whitespaces)]
    var room = Self.mostBytes - lines[0].utf8.count - 2 * (Self.left.utf8.count + 1)
    /// The lines that still have room, and whether all have.
    func fitting(_ lines: some Sequence<String>, in most: Int) -> (lines: [String], isAll: Bool) {
      var (kept, most, isAll) = ([String](), most, true)
      for line in lines {
        isAll = line.utf8.count < most
        guard isAll else { break }
        most -= line.utf8.count + 1
        kept.append(line)
      }
      room -= kept.reduce(0) { $0 + $1.utf8.count + 1 }
      return (kept, isAll)
    }
    // However much was open, the last transitions have room, too.
    let (states, isOpenWhole) = fitting(open, in: room / 2)
    let (last, isWhole) = fitting(moves.reversed(), in: room)
    lines += states + (isOpenWhole ? [] : [Self.left])
    lines += (isWhole ? [] : [Self.left]) + last.reversed()
    return lines.joined(separator: "\n")
  }

  private static let mostBytes = 2_000
  /// Stands where something was left out.
  private static let left = "…"

  private static func line(_ visit: Visit) -> String {
    "\(short(visit.controller)) #\(visit.visit) \(short(visit.state))"
  }

  /// A name in one line, and not too long.
  private static func short(_ name: String) -> String {
    let line = name.escapedForOneLine.shortened(to: 60)
    // One character may have any number of accents.
    return line.utf8.count <= 240 ? line : String(line.unicodeScalars.prefix(59)) + "…"
  }
}

extension HistoryRecorder {
  /// Returns the app's state when the previous launch ended; `nil` if it was not recorded or cannot be read.
  ///
  /// Waits until the events of a killed launch are recovered. This begins when you create the recorder.
  public func previousSession() async -> PreviousSession? {
    let current = core.ring.session.uuid
    let question = WriterQuestion { try $0.previousSession(before: current) }
    do {
      try await ask("looking up the previous session") { $0.questions.append(question.look) }
    } catch {
      return nil
    }
    return question.answer
  }
}

extension HistoryReader {
  /// What is known of the newest session that is not of the run with this name.
  fileprivate func previousSession(before current: String) throws -> PreviousSession? {
    try consistently {
      // A long session is continued in others. The last one has the ending.
      let earlier = try sessions().filter { $0.uuid != current && $0.run != current }
      guard let session = earlier.last else { return nil }
      let run = session.run ?? session.uuid
      let parts = earlier.filter { ($0.run ?? $0.uuid) == run }
      let visits = try unfinishedVisits(session: session.id)
        .map { PreviousSession.Visit($0, at: session.endTime) }
      return PreviousSession(
        session: run, app: session.app, appVersion: session.appVersion,
        began: Date(microseconds: parts.first?.wallTime ?? session.wallTime),
        lastEvent: Date(microseconds: try wallTime(at: session.lastTime, in: session)),
        ended: session.ended.flatMap { PreviousSession.Ending(rawValue: $0.rawValue) } ?? .killed,
        onScreen: visits.filter { $0.phase == .entered },
        underWay: visits.filter { $0.phase != .entered },
        transitions: try lastTransitions(of: parts),
        findings: try lastFindings(of: session))
    }
  }

  /// How many events are looked at for the last transitions: there may be other events between them.
  private static let mostLookedAt = 1_000

  /// - Parameter parts: the session and those that it continues, in order.
  private func lastTransitions(of parts: [SessionRecord]) throws -> [PreviousSession.Transition] {
    let names = try names()
    var found: [PreviousSession.Transition] = []
    var left = Self.mostLookedAt
    // The end of the last part, and how long after the end of the current one that is.
    var after: Int64 = 0
    for (place, part) in parts.enumerated().reversed() {
      let controllers = try controllerNames(of: part)
      let events = try events(session: part.id, isReversed: true)
      while found.count < 20, left > 0, let row = try events.next() {
        left -= 1
        // What stood at the beginning had happened before.
        guard row.visit != 0, row.kind != EventKind.stood.rawValue else { continue }
        found.append(
          .init(
            secondsBefore: Double(max(0, part.lastTime &- row.time &+ after)) / 1e6,
            controller: controllers[row.controller] ?? "", what: row.happening,
            visit: row.visit, state: names[row.state] ?? ""))
      }
      guard found.count < 20, left > 0, place > 0 else { break }
      let before = parts[place - 1]
      let gap = part.wallTime &- before.wallTime &- before.lastTime
      after = after &+ part.lastTime &+ max(0, gap)
    }
    return found.reversed()
  }

  private func controllerNames(of session: SessionRecord) throws -> [Int32: String] {
    Dictionary(try controllers(session: session.id).map { ($0.id, $0.name) }) { $1 }
  }

  private func lastFindings(of session: SessionRecord) throws -> [PreviousSession.Finding] {
    let names = try controllerNames(of: session)
    let aMinute: Int64 = 60_000_000
    return try findings(session: session.id, last: 20)
      .filter { finding in
        let event = try events(session: session.id, from: finding.seq, through: finding.seq).next()
        return event.map { $0.time > session.lastTime &- aMinute } ?? true
      }
      .map {
        PreviousSession.Finding(
          code: $0.code, controller: names[$0.controller] ?? "", detail: $0.detail)
      }
  }
}

extension PreviousSession.Visit {
  fileprivate init(_ visit: UnfinishedVisit, at end: Int64) {
    let phase: Phase =
      switch visit.outcome {
      case VisitRow.Outcome.entering: .entering
      case VisitRow.Outcome.entered: .entered
      case VisitRow.Outcome.exiting: .exiting
      default: .waiting
      }
    self.init(
      controller: visit.controller, visit: visit.visit, state: visit.state, phase: phase,
      seconds: Double(max(0, end &- visit.since)) / 1e6, payload: visit.payload.flatMap(storedText))
  }
}
