import StatyHistory
import StatyReading
import StatyRecorder
import StatyReport
import StatyText

/// The report of an examination, as text and as JSON.
struct ExaminationReport {
  let found: Examination

  /// The report as text.
  func text(width: Int, style: Style) -> String {
    style.bold(found.path.visible) + "\n" + Self.lines(lines, width: width)
  }

  /// Sentences with labels in front.
  static func lines(_ lines: [(label: String, text: String)], width: Int) -> String {
    let column = (lines.map(\.label.count).max() ?? 0) + 2
    return lines.flatMap { label, text in
      TextWrap.hanging(
        text.visible, after: "  " + DisplayWidth.pad(label, to: column), width: width)
    }.map { $0 + "\n" }.joined()
  }

  /// The report as JSON.
  var json: JSONValue {
    // Each with an explicit type: inferring all of them at once takes the compiler most of a
    // minute.
    let content = found.content
    let sessions: JSONValue = content.map { .whole($0.sessions) } ?? .null
    let events: JSONValue = content.map { .integer($0.events) } ?? .null
    let before: JSONValue = content.map { .integer($0.before) } ?? .null
    let lost: JSONValue = content.map { .integer($0.lost) } ?? .null
    let inLog: JSONValue = content.map { .integer($0.inLog) } ?? .null
    let recorder: JSONValue = found.neighbours.recorder.map { .whole($0.pid) } ?? .null
    let rings: [JSONValue] = found.neighbours.rings.map {
      .object(["name": .text($0.name), "pid": .whole($0.pid), "events": .whole($0.waiting)])
    }
    return .object([
      "file": .text(found.path), "bytes": .integer(found.bytes),
      "schema": schema.map { .whole($0) } ?? .null,
      "known_schema": .whole(HistoryFile.schemaVersion), "whole": .bool(found.isWhole),
      "problem": .text(found.failure?.message ?? problem), "sessions": sessions,
      "events": events, "events_before": before, "lost": lost, "recorded_by": recorder,
      "log_bytes": .integer(found.neighbours.logBytes),
      "log_breaks_at_frame": LogBreak.json(found.logBreak), "events_in_log": inLog,
      "events_in_rings": .whole(found.waiting), "rings": .list(rings),
    ])
  }

  private var schema: Int? {
    guard case .history(let schema) = found.header else { return nil }
    return schema
  }

  private var problem: String? {
    guard let content = found.content else { return nil }
    return content.storageFault ?? content.damages.first?.what ?? found.logBreak?.words
  }
}

// The sentences.
extension ExaminationReport {
  private var name: String { found.path.lastComponent.visible }

  /// The sentences, each with its label.
  private var lines: [(label: String, text: String)] {
    var lines = [("what", what)]
    if let failure = found.failure {
      lines.append(("reading", failure.message + " " + failure.advice))
    }
    if let content = found.content {
      lines.append(("holds", holds(content)))
      lines.append(("whole", whole(content)))
    }
    lines.append(("now", now))
    if found.neighbours.logBytes > 0 { lines.append(("log", log)) }
    lines += found.neighbours.rings.filter { $0.waiting > 0 || !isLiving($0) }.map {
      ("ring", ring($0))
    }
    lines += found.neighbours.unreadable.map { ("ring", "\($0.name.visible): \($0.reason)") }
    if found.content != nil { lines.append(("copying", copying)) }
    return lines
  }

  private var what: String {
    let size = Decimal.count(found.bytes, "byte")
    switch found.header {
    case .empty: return "Nothing yet: the file is empty."
    case .truncated:
      return "Only the beginning of a database's header: the file was truncated "
        + "after \(size)."
    case .noDatabase, nil: return "No history, and no SQLite database: \(size) of something else."
    case .begun where found.content != nil:
      return "A history: \(size) are in the file, and the rest is still in its log."
    case .begun:
      return
        "An empty database of \(size). If a recorder made it, what it recorded "
        + "is in the log and the ring next to it: copy those, too."
    case .foreign(let application):
      return "An SQLite database of \(size), but no history: Staty did not write it "
        + "(application_id \(application), not \(HistoryFile.applicationID))."
    case .history(let schema):
      return "A history of schema \(schema), \(size). " + age(schema)
    }
  }

  private func age(_ schema: Int) -> String {
    let known = HistoryFile.schemaVersion
    if schema > known { return "This tool knows schemas up to \(known): use a newer one." }
    return schema == known ? "This tool writes the same." : "This tool writes \(known)."
  }

  private func holds(_ content: Examination.Content) -> String {
    var text =
      Decimal.count(content.sessions, "session") + ", "
      + Decimal.count(content.events, "event") + "; "
    text += content.lost == 0 ? "none is known to be missing." : "\(content.lost) are missing."
    if content.before > 0 {
      text +=
        " \(Decimal.count(content.before, "event")) of earlier sessions "
        + "\(content.before == 1 ? "is" : "are") not in the file: these sessions were left out, or deleted "
        + "as a recorder does at the limits of its retention."
    }
    if !content.open.isEmpty, found.neighbours.recorder == nil {
      let numbers = content.open.map { "\($0.id)" }.joined(separator: ", ")
      let ring = found.neighbours.rings.first { ring in
        content.open.contains { ($0.run ?? $0.uuid) == ring.end?.session }
      }
      text +=
        " Session \(numbers) has not ended: \(ring?.cause ?? "its process was killed"), and no launch "
        + "has recorded here since."
    }
    return text
  }

  private func whole(_ content: Examination.Content) -> String {
    let next = " 'staty doctor FILE --salvage OUT' gets out what is left."
    if let fault = content.storageFault { return "No: SQLite finds '\(fault)'." + next }
    guard let damage = content.damages.first else {
      if let logBreak = found.logBreak {
        return "Perhaps not: what can be read is as it was stored. " + logBreak.words
          + " They may be lost. A loss of power leaves a log like that, and so does damage: if "
          + "there is another copy, take that."
      }
      return "Yes: every event is as it was stored, and SQLite finds no fault."
    }
    let more = content.damages.count == 1 ? "" : " So are others."
    return "No: session \(damage.session) is damaged: \(damage.what).\(more)" + next
  }

  private var now: String {
    guard let recorder = found.neighbours.recorder else { return "No process records into it." }
    return "Process \(recorder.pid) records into it."
  }

  private func isLiving(_ ring: Neighbours.Ring) -> Bool {
    found.neighbours.recorder?.pid == ring.pid
  }

  private var log: String {
    let events = found.content.map {
      Decimal.count($0.inLog, "event") + ($0.inLog == 1 ? " that is" : " that are")
    }
    return "\(name)-wal, " + Decimal.count(found.neighbours.logBytes, "byte") + ": it has "
      + (events ?? "perhaps events that are") + " not in the file itself."
  }

  private func ring(_ ring: Neighbours.Ring) -> String {
    let events = Decimal.count(ring.waiting, "event")
    if isLiving(ring) { return "\(ring.name.visible): \(events) on the way into the file." }
    return
      "\(ring.name.visible): left by process \(ring.pid)\(ring.isGone ? ", which is gone" : ""); "
      + (ring.waiting == 0
        ? "no event waits in it."
        : "\(events) \(ring.waiting == 1 ? "waits" : "wait") in it until the app records into the "
          + "history again.")
  }

  /// What a copy of the file alone would lack.
  private var copying: String {
    let missing = (found.content?.inLog ?? 0) + Int64(found.waiting)
    if found.neighbours.recorder != nil {
      return "Not while it is recorded: a copy may be torn. 'share(to:)' in the app, or "
        + "'sqlite3 \(name) \".backup copy.sqlite\"', makes a whole one."
    }
    guard missing > 0 || found.neighbours.logBytes > 0 else {
      return "This file has everything; copy it alone."
    }
    var names = found.neighbours.logBytes > 0 ? ["\(name)-wal"] : []
    names += found.neighbours.rings.filter { $0.waiting > 0 }.map(\.name.visible)
    return "Take \(names.listed) along; "
      + "otherwise \(Decimal.count(missing, "event")) \(missing == 1 ? "is" : "are") missing."
  }
}

extension LogBreak {
  /// A break in a log as JSON.
  static func json(_ logBreak: LogBreak?) -> JSONValue {
    guard let logBreak else { return .null }
    return .whole(logBreak.frame)
  }

  /// The place of the break, in words.
  var words: String {
    let place = frame == 0 ? "within its header" : "within frame \(frame)"
    let many = Decimal.count(commits, "transaction")
    return
      "The log breaks off \(place), and \(many) \(commits == 1 ? "was" : "were") committed there "
      + "or behind."
  }
}
