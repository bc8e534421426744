import StatyHistory
import StatyReading
import StatyRules

/// One user's rule, applied to one history.
struct OwnRuleQuestion {
  let rule: OwnRule
  let history: OpenHistory
  /// How long the answer may take.
  let patience: Duration

  private static let needed = ["session", "seq"]
  private static let known = needed + ["controller", "visit", "state", "severity", "detail"]

  /// Calls `body` with everything that breaks the rule in a history.
  ///
  /// - Returns: the failure of a rule that took too long, and was stopped.
  func findings(each body: (FoundPlace) throws -> Void) throws -> Failure? {
    let sessions = Dictionary(
      try history.reader.sessions().map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    let events = try EventLookup(history.reader)
    do {
      var held = Duration.zero
      let query = try HistoryQuery(
        history.reader, sql: rule.sql, patience: patience, waited: { held })
      let places = try places(of: query.columns)
      while let values = try query.next() {
        let began = ContinuousClock.now
        defer { held += .now - began }
        var place = try place(values, places)
        // It fails: if the row were ignored, such a rule would never find anything.
        guard let session = sessions[place.session] else {
          throw stranger("session \(place.session)", "'\(history.path)'")
        }
        guard try events.has(place.seq, in: session) else {
          throw stranger(
            "event \(place.seq)", "session \(place.session) of '\(history.path)'")
        }
        place.controller = try place.controller ?? events.controller(of: place.seq)
        try body(place)
      }
      return nil
    } catch QueryError.tookTooLong(let seconds) {
      return Failure(
        status: .inconclusive,
        message: "The rule '\(rule.path)' was stopped after "
          + "\(Decimal.text(seconds, digits: 1)) s in '\(history.path)', and what it found there "
          + "is not all.",
        advice: "It is not asked of the files that follow. Let it look at less, as by the "
          + "columns 'session' and 'kind' of the view 'history'; 'query' tries it on one file "
          + "with another '--timeout'.")
    } catch let error as QueryError {
      let failure = QueryFailure(history.path, rule.sql, isRule: true).failure(error)
      throw Failure(
        status: failure.status, message: "The rule '\(rule.path)': " + failure.message,
        advice: failure.advice, excerpt: failure.excerpt)
    }
  }

  private func stranger(_ what: String, _ place: String) -> Failure {
    wrong(
      "gives the \(what), which \(place) does not have.",
      "Select 'session' and 'seq' as the view 'history' has them.")
  }

  private func wrong(_ what: String, _ advice: String) -> Failure {
    Failure(status: .usage, message: "The rule '\(rule.path)' \(what)", advice: advice)
  }

  /// The position of each column.
  private func places(of columns: [String]) throws(Failure) -> [String: Int] {
    var places: [String: Int] = [:]
    for (place, column) in columns.enumerated() {
      guard Self.known.contains(column), places.updateValue(place, forKey: column) == nil else {
        throw wrong(
          "gives a column '\(column)' that means nothing, or twice.",
          "The columns are \(Self.known.joined(separator: ", ")).")
      }
    }
    if let missing = Self.needed.first(where: { places[$0] == nil }) {
      throw wrong(
        "gives no column '\(missing)'.", "Select 'session' and 'seq' of the guilty event.")
    }
    return places
  }

  private func place(
    _ values: [QueryValue], _ places: [String: Int]
  ) throws(Failure) -> FoundPlace {
    func value(_ column: String) -> QueryValue { places[column].map { values[$0] } ?? .null }
    guard case .integer(let session) = value("session"), case .integer(let seq) = value("seq")
    else {
      throw wrong(
        "gives a 'session' or 'seq' that is no whole number.",
        "Select those of the view 'history'.")
    }
    let asked = value("severity").text
    guard let severity = asked.map(Severity.init(rawValue:)) ?? rule.severity else {
      throw wrong("gives the severity '\(asked ?? "")'.", "It is \(Severity.words).")
    }
    var place = FoundPlace(
      file: history.path, session: session, seq: seq, code: rule.code,
      severity: severity, detail: value("detail").text ?? rule.sentence)
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
