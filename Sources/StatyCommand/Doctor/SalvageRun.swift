import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules

/// Recovers what is left of a damaged file.
struct SalvageRun {
  let path: String
  /// The path of the new history.
  let target: String
  /// The file that the path leads to.
  let real: String
  let report: SalvageReport

  /// Writes what is left into a new history, and checks it with the rules.
  init(_ path: String, into output: OutputChoice) throws {
    let doing = "Salvaging '\(path)'"
    self.path = path
    real = try OpenHistory.resolved(path, doing: doing).real
    if let recorder = LivingRecorder(at: real) {
      throw Failure(
        status: .cannotWrite, message: "\(doing): process \(recorder.pid) is recording into it.",
        advice: "Wait until it ends: what it writes meanwhile would look like damage.")
    }
    let out = try OutputHistory(output, doing: doing)
    target = out.path
    do {
      out.writer.judge()
      let salvage = try HistorySalvage(real)
      report = try out.writer.gathering { try salvage.write(into: out.writer) }
      guard !report.sessions.isEmpty else {
        throw Failure(
          status: .badData, message: "\(doing): no session of a history is left in it.",
          advice: "Take another copy from where it was recorded.")
      }
    } catch {
      throw Failure(error, doing: doing)
    }
    try out.close()
  }

  /// The exit code: a history with gaps can be judged only between them.
  var status: ExitCode { report.isWhole ? .done : .inconclusive }
}

// The report of a recovery.
extension SalvageRun {
  /// The report as text.
  func text(width: Int, style: Style) -> String {
    style.bold(path.visible) + "\n" + ExaminationReport.lines(lines, width: width)
  }

  private var lines: [(label: String, text: String)] {
    var lines = [("pages", pages)]
    for session in report.sessions.prefix(Self.mostSessions) {
      lines.append(("session \(session.id)", Self.held(session)))
      if !session.missing.isEmpty { lines.append(("missing", Self.missing(session))) }
      if session.unverified > 0 { lines.append(("left out", Self.leftOut(session))) }
    }
    if report.sessions.count > Self.mostSessions { lines.append(("and more", rest)) }
    if let besides { lines.append(("besides", besides)) }
    let what =
      report.events == 0 ? "its sessions, and no event." : "a history like any other. " + next
    lines.append(("written", "'\(target)': " + what))
    return lines
  }

  /// The most sessions that are listed.
  private static let mostSessions = 50

  private var rest: String {
    let rest = report.sessions.dropFirst(Self.mostSessions)
    let missing = rest.reduce(0) { $0 &+ $1.lost }
    let events = rest.reduce(0) { $0 + $1.events }
    return "\(Decimal.count(rest.count, "session")) with \(Decimal.count(events, "event")); "
      + (missing > 0
        ? "\(Decimal.count(missing, "event")) are missing there." : "nothing is missing.")
      + " '--json' says more of each."
  }

  /// What is left of sessions that were not recovered.
  private var besides: String? {
    var parts: [String] = []
    if report.sessionsLeftOut > 0 {
      parts.append(
        Decimal.count(report.sessionsLeftOut, "session")
          + (report.sessionsLeftOut == 1 ? " is" : " are")
          + " left out: no recorder says what is said there of a session.")
    }
    if report.strays > 0 {
      parts.append(
        Decimal.count(report.strays, "event") + (report.strays == 1 ? " is" : " are")
          + " of no session that is there, and left out.")
    }
    if report.lostPages > 0 {
      parts.append("Other sessions may have been on the lost pages.")
    }
    if let logBreak = report.logBreak { parts.append(logBreak.words + " They may be missing.") }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private var pages: String {
    report.lostPages == 0
      ? "All \(Decimal.count(report.pages, "page")) can be read."
      : "\(report.lostPages) of \(Decimal.count(report.pages, "page")) are lost."
  }

  private static func held(_ session: SalvageReport.Session) -> String {
    var text =
      Decimal.count(session.events, "event") + ", "
      + Decimal.count(session.controllers, "controller") + "."
    if session.events > 0 { text += " Every event is as it was stored, by its checksum." }
    if !session.isVouched {
      text += " Lost, or not verified and left out: which app it was, and when it began."
    }
    if !session.isSealed {
      text +=
        " Lost, or not verified and left out: how it ended, what it had lost before, and the wall clock's time."
    }
    let names = session.unvouchedControllers
    if !names.isEmpty {
      text +=
        " Which policy \(names.joined(separator: ", ")) had is not verified: it is called "
        + "'\(ControllerRecord.unverifiedPolicy)', and judged by least."
    }
    return text
  }

  private static func leftOut(_ session: SalvageReport.Session) -> String {
    Decimal.count(session.unverified, "event")
      + " can be read, but their checksum is missing or does not match."
  }

  private static let mostRanges = 12

  private static func missing(_ session: SalvageReport.Session) -> String {
    let ranges = session.missing.prefix(mostRanges).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
    }
    let more = session.missing.count - ranges.count
    return Decimal.count(session.lost, "event") + ": " + ranges.joined(separator: ", ")
      + (more > 0 ? ", and \(more) more ranges, as the view 'losses' has them." : ".")
  }

  private var next: String {
    if report.isWhole { return "Nothing is missing of what is in the file." }
    return "What is missing is recorded in it as lost, so that no rule judges over the gap."
  }

  /// The report as JSON.
  var json: JSONValue {
    .object([
      "file": .text(path), "salvaged": .text(target), "whole": .bool(report.isWhole),
      "pages": .whole(report.pages), "lost_pages": .whole(report.lostPages),
      "events": .integer(report.events),
      "sessions": .list(report.sessions.map(Self.json)),
      "sessions_left_out": .whole(report.sessionsLeftOut), "stray_events": .integer(report.strays),
      "log_breaks_at_frame": LogBreak.json(report.logBreak),
    ])
  }

  private static func json(_ session: SalvageReport.Session) -> JSONValue {
    .object([
      "session": .integer(session.id), "uuid": .text(session.uuid), "whole": .bool(session.isWhole),
      "verified": .bool(session.isVouched), "end_verified": .bool(session.isSealed),
      "controllers": .whole(session.controllers),
      "unverified_controllers": .list(session.unvouchedControllers.map { .text($0) }),
      "events": .integer(session.events), "left_out": .integer(session.unverified),
      "missing_events": .integer(session.lost),
      "missing": .list(
        session.missing.map {
          .object(["first_seq": .integer($0.lowerBound), "last_seq": .integer($0.upperBound)])
        }),
    ])
  }
}
