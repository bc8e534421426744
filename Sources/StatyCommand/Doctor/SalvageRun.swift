import StatyHistory
import StatyRecorder
import StatyRules

/// Gets out of a damaged file what is left of it.
struct SalvageRun {
  let path: String
  /// Where it comes to be.
  let target: String
  let report: SalvageReport

  /// Writes what is left into a new history, and asks the rules about it.
  init(_ path: String, into output: OutputChoice) throws {
    let doing = "Salvaging '\(path)'"
    self.path = path
    let (real, _) = try OpenHistory.resolved(path, doing: doing)
    if let recorder = LivingRecorder(at: real) {
      throw Failure(
        status: .cannotWrite, message: "\(doing): process \(recorder.pid) is recording into it.",
        advice: "Wait until it ends: what it writes meanwhile would look like damage.")
    }
    let out = try OutputHistory(output, doing: doing)
    target = out.path
    do {
      report = try HistorySalvage(real).write(into: out.writer)
      guard !report.sessions.isEmpty else {
        throw Failure(
          status: .badData, message: "\(doing): no session of a history is left in it.",
          advice: "Take another copy from where it was recorded.")
      }
      try FindingKeeper.checkAll(out.writer)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(error, doing: doing)
    }
    try out.close()
  }

  /// Whether all is there: what has gaps can be judged only between them.
  var status: ExitCode { report.isWhole ? .done : .inconclusive }
}

// What is said of it.
extension SalvageRun {
  /// For people.
  func text(width: Int, style: Style) -> String {
    style.bold(path.visible) + "\n" + ExaminationReport.lines(lines, width: width)
  }

  private var lines: [(label: String, text: String)] {
    var lines = [("pages", pages)]
    for session in report.sessions {
      lines.append(("session \(session.id)", Self.held(session)))
      if !session.missing.isEmpty { lines.append(("missing", Self.missing(session))) }
    }
    lines.append(("written", "'\(target)': a history like any other. " + next))
    return lines
  }

  private var pages: String {
    report.lostPages == 0
      ? "All \(Decimal.count(report.pages, "page")) can be read."
      : "\(report.lostPages) of \(Decimal.count(report.pages, "page")) are lost."
  }

  private static func held(_ session: SalvageReport.Session) -> String {
    var text =
      Decimal.count(session.events, "event") + ", "
      + Decimal.count(session.controllers, "controller") + ". "
    let others = session.events - session.verified
    if session.events > 0 {
      text +=
        others == 0
        ? "Every event is as it was stored, by its checksum."
        : "\(session.verified) are as they were stored, by their checksums; \(others) stand on sound "
          + "pages, and their checksums are over events that are missing."
    }
    if session.mended > 0 {
      text +=
        " In \(Decimal.count(session.mended, "event")) a bit was put back that had been flipped."
    }
    if session.altered > 0 {
      text +=
        " \(Decimal.count(session.altered, "run")) of events were left out, of which the "
        + "checksum says that something was changed, and not what."
    }
    if !session.isWhole {
      text += " Which app it was, and how it ended, is lost."
    }
    return text
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
    report.isWhole
      ? "Nothing is missing."
      : "What is missing is recorded in it as lost, so that nobody judges over it."
  }

  /// For other programs.
  var json: JSONValue {
    .object([
      "file": .text(path), "salvaged": .text(target), "whole": .bool(report.isWhole),
      "pages": .whole(report.pages), "lost_pages": .whole(report.lostPages),
      "events": .integer(report.events),
      "sessions": .list(report.sessions.map(Self.json)),
    ])
  }

  private static func json(_ session: SalvageReport.Session) -> JSONValue {
    .object([
      "session": .integer(session.id), "uuid": .text(session.uuid), "whole": .bool(session.isWhole),
      "controllers": .whole(session.controllers), "events": .integer(session.events),
      "verified": .integer(session.verified), "mended": .whole(session.mended),
      "altered_runs": .whole(session.altered), "missing_events": .integer(session.lost),
      "missing": .list(
        session.missing.map {
          .object(["first_seq": .integer($0.lowerBound), "last_seq": .integer($0.upperBound)])
        }),
    ])
  }
}
