import StatyHistory

/// An ordering rule that somebody wrote as SQL: what it selects is what breaks it.
///
/// The file's name is the code. Comments before the statement may say `-- severity: warning`, else it
/// is an error, and `-- sentence: …`, what went wrong. The columns are `session` and `seq` of the
/// guilty event, and as one likes `controller`, `visit`, `state`, `severity` and `detail`, which
/// comes before the sentence.
struct OwnRule {
  let code: String
  /// The path of its file.
  let path: String
  private let sql: String
  private let isError: Bool
  private let sentence: String

  private static let needed = ["session", "seq"]
  private static let known = needed + ["controller", "visit", "state", "severity", "detail"]
  private static let patience = Duration.seconds(60)

  init(path: String) throws(Failure) {
    self.path = path
    let name = String(path.split(separator: "/").last ?? "").dropLast(".sql".count)
    code = String(name)
    guard !code.isEmpty, code.utf8.allSatisfy(Self.isPlain) else {
      throw Failure(
        status: .usage, message: "Reading the rule '\(path)': its name is to be a code.",
        advice: "Name it with small letters, digits and '-', as in 'long-alert.sql'.")
    }
    sql = try TextFile.text(of: path, doing: "Reading the rules")
    let said = Self.comments(sql)
    switch said["severity"] {
    case "error", nil: isError = true
    case "warning": isError = false
    case .some(let other):
      throw Failure(
        status: .usage,
        message: "Reading the rule '\(path)': the severity is '\(other)'.",
        advice: "It is 'error' or 'warning'.")
    }
    sentence = said["sentence"] ?? "The rule selects this event."
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (97...122).contains(byte) || (48...57).contains(byte) || byte == 45
  }

  /// What the comments at the beginning say, `-- word: text` a line.
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

  /// Gives `body` what breaks the rule in a history.
  func findings(in history: OpenHistory, each body: (FoundPlace) throws -> Void) throws {
    let sessions = Dictionary(
      try history.reader.sessions().map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    let seqs = try SeqLookup(history.reader)
    do {
      let query = try HistoryQuery(history.reader, sql: sql, patience: Self.patience)
      let places = try places(of: query.columns)
      while let values = try query.next() {
        let place = try place(values, places, in: history)
        // Passed over in silence, such a rule would never find anything.
        guard let session = sessions[place.session] else {
          throw stranger("session \(place.session)", "'\(history.path)'")
        }
        guard try seqs.has(place.seq, in: session) else {
          throw stranger(
            "event \(place.seq)", "session \(place.session) of '\(history.path)'")
        }
        try body(place)
      }
    } catch let error as QueryError {
      let failure = QueryFailure(history.path, sql).failure(error)
      throw Failure(
        status: failure.status, message: "The rule '\(path)': " + failure.message,
        advice: failure.advice, excerpt: failure.excerpt)
    }
  }

  private func stranger(_ what: String, _ place: String) -> Failure {
    Failure(
      status: .usage,
      message: "The rule '\(path)' gives the \(what), which \(place) does not have.",
      advice: "Select 'session' and 'seq' as the view 'history' has them.")
  }

  /// Where each column is.
  private func places(of columns: [String]) throws(Failure) -> [String: Int] {
    var places: [String: Int] = [:]
    for (place, column) in columns.enumerated() {
      guard Self.known.contains(column), places.updateValue(place, forKey: column) == nil else {
        throw Failure(
          status: .usage,
          message: "The rule '\(path)' gives a column '\(column)' that means nothing, or twice.",
          advice: "The columns are \(Self.known.joined(separator: ", ")).")
      }
    }
    if let missing = Self.needed.first(where: { places[$0] == nil }) {
      throw Failure(
        status: .usage, message: "The rule '\(path)' gives no column '\(missing)'.",
        advice: "Select 'session' and 'seq' of the guilty event.")
    }
    return places
  }

  private func place(
    _ values: [QueryValue], _ places: [String: Int], in history: OpenHistory
  ) throws(Failure) -> FoundPlace {
    func value(_ column: String) -> QueryValue { places[column].map { values[$0] } ?? .null }
    guard case .integer(let session) = value("session"), case .integer(let seq) = value("seq")
    else {
      throw Failure(
        status: .usage,
        message: "The rule '\(path)' gives a 'session' or 'seq' that is no whole number.",
        advice: "Select those of the view 'history'.")
    }
    let severity = value("severity").text
    guard severity == nil || ["error", "warning"].contains(severity) else {
      throw Failure(
        status: .usage, message: "The rule '\(path)' gives the severity '\(severity ?? "")'.",
        advice: "It is 'error' or 'warning'.")
    }
    var place = FoundPlace(
      file: history.path, session: session, seq: seq, code: code,
      isError: severity.map { $0 == "error" } ?? isError,
      detail: value("detail").text ?? sentence)
    place.controller = value("controller").text
    place.state = value("state").text
    if case .integer(let visit) = value("visit") { place.visit = visit }
    return place
  }
}

extension QueryValue {
  /// The value as a text; none for null.
  fileprivate var text: String? {
    switch self {
    case .null: nil
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    case .blob(let bytes): Cell.bytes(bytes).exact
    }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    let text = drop { $0 == " " || $0 == "\t" }
    return String(text.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
