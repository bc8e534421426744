import StatyHistory
import StatyRecorder

/// The report of an examination, as text and as JSON.
struct ExaminationReport {
  private let found: Examination

  init(_ found: Examination) { self.found = found }

  /// The report as text.
  func text(width: Int, style: Style) -> String {
    let lines = ExaminationWords(found).lines
    return style.bold(found.path.visible) + "\n" + Self.lines(lines, width: width)
  }

  /// Sentences with labels in front.
  static func lines(_ lines: [(label: String, text: String)], width: Int) -> String {
    let indent = 2 + (lines.map(\.label.count).max() ?? 0) + 2
    return lines.map { label, text in
      let head = "  " + label + String(repeating: " ", count: indent - 2 - label.count)
      let space = String(repeating: " ", count: indent)
      return head
        + TextWrap.lines(text.visible, width: width - indent).joined(separator: "\n" + space) + "\n"
    }.joined()
  }

  /// The report as JSON.
  var json: JSONValue {
    // Each with an explicit type: inferring all of them at once takes the compiler most of a
    // minute.
    let content = found.content
    let sessions: JSONValue = content.map { .whole($0.sessions) } ?? .null
    let events: JSONValue = content.map { .integer($0.events) } ?? .null
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
      "events": events, "lost": lost, "recorded_by": recorder,
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
