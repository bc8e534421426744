import StatyRules

/// A finding as one line or one row, of a built-in rule or a user's rule.
struct FoundPlace {
  let file: String
  let session: Int64
  let seq: Int64
  let code: String
  let severity: Severity
  var controller: String?
  var visit: Int64?
  var state: String?
  /// What went wrong, in one sentence.
  let detail: String
  /// Its cause.
  var cause: String?

  /// The columns of ``cells``, those of the view `violations` behind the file.
  static let columns = [
    "file", "session", "code", "severity", "controller", "visit", "state", "seq", "detail",
  ]

  /// As a row.
  var cells: [Cell] {
    [
      .text(file), .whole(session), .text(code), .text(severity.rawValue), .text(controller),
      visit.map { .whole($0) } ?? .nothing, .text(state), .whole(seq), .text(detail),
    ]
  }

  /// As one line, which is never broken.
  func line(_ style: Style) -> String {
    let name = "\(severity.rawValue)[\(code)]"
    let who = controller.map { ", \($0.visible)" } ?? ""
    return "\(file.visible):session \(session):event \(seq)\(who): "
      + style.painted(name, severity) + ": \(detail.visible)"
      + (cause.map { " (because of \($0.visible))" } ?? "") + "\n"
  }

  /// As a short paragraph.
  func text(width: Int, style: Style) -> String {
    var lines = style.heading(severity, code, detail.visible, width: width)
    let parts =
      [file.visible, "session \(session)"] + (controller.map { [$0.visible] } ?? [])
      + ["event \(seq)"]
    lines += TextWrap.hanging(parts.joined(separator: ", "), after: "  --> ", width: width)
    return lines.joined(separator: "\n") + "\n\n"
  }

  /// The row as an object, for other programs.
  var json: JSONValue {
    JSONValue.object(zip(Self.columns, cells).map { (key: $0, value: $1.json) })
  }
}

extension Style {
  /// A text in the color of a severity.
  func painted(_ text: String, _ severity: Severity) -> String {
    switch severity {
    case .error: error(text)
    case .warning: warning(text)
    case .note: attention(text)
    }
  }

  /// The lines of a sentence behind the name of a finding.
  func heading(
    _ severity: Severity, _ code: String, _ sentence: String, width: Int
  ) -> [String] {
    let name = "\(severity.rawValue)[\(code)]"
    var lines = TextWrap.lines("\(name): \(sentence)", width: width)
    // Colors are added after wrapping: their codes must not count as letters.
    if lines[0].hasPrefix(name) {
      let rest = bold(String(lines[0].dropFirst(name.count)))
      lines[0] = painted(name, severity) + rest
    }
    return lines
  }
}
