import StatyHistory
import StatyRules

/// A user's ordering rule in SQL: every selected row breaks it.
///
/// The file's name is the code. Comments before the statement may contain `-- severity: warning`
/// (the default is an error) and `-- sentence: …`, which says what went wrong. The columns are
/// `session` and `seq` of the guilty event, and optionally `controller`, `visit`, `state`,
/// `severity` and `detail`, which precedes the sentence.
struct OwnRule {
  let code: String
  /// The path of its file.
  let path: String
  /// The SQL that selects what breaks it.
  let sql: String
  /// The severity of a finding if its row does not say.
  let severity: Severity
  /// What went wrong, if a row does not say.
  let sentence: String

  init(path: String) throws(Failure) {
    self.path = path
    let name = path.lastComponent.dropLast(".sql".count)
    code = String(name)
    guard !code.isEmpty, code.utf8.allSatisfy(Self.isPlain) else {
      throw Failure(
        status: .usage, message: "Reading the rule '\(path)': its name has to be a code.",
        advice: "Name it with small letters, digits and '-', as in 'long-alert.sql'.")
    }
    // SQLite skips the mark of an editor, too.
    sql = String(try InputText.whole(path).trimmingPrefix("\u{feff}"))
    let said = Self.comments(sql)
    let asked = said["severity"] ?? Severity.error.rawValue
    guard let severity = Severity(rawValue: asked) else {
      throw Failure(
        status: .usage,
        message: "Reading the rule '\(path)': the severity is '\(asked)'.",
        advice: "It is \(Severity.words).")
    }
    self.severity = severity
    sentence = said["sentence"] ?? "The rule selects this event."
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (97...122).contains(byte) || (48...57).contains(byte) || byte == 45
  }

  /// The comments at the beginning, in the form `-- word: text` on each line.
  private static func comments(_ sql: String) -> [String: String] {
    var said: [String: String] = [:]
    for line in sql.split(whereSeparator: \.isNewline) {
      guard line.hasPrefix("--") else { break }
      let parts = line.dropFirst(2).split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      said[parts[0].trimmingSpaces.lowercased()] = parts[1].trimmingSpaces
    }
    return said
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    let text = drop { $0 == " " || $0 == "\t" }
    return String(text.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
