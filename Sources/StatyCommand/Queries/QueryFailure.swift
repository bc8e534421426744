import StatyHistory
import StatyReading
import StatyReport

/// The report of a failed query: the place in its SQL, and what to do.
struct QueryFailure {
  private let path: String
  private let sql: String
  /// Whether the SQL is a rule, which has no parameters.
  private let isRule: Bool

  init(_ path: String, _ sql: String, isRule: Bool = false) {
    (self.path, self.sql, self.isRule) = (path, sql, isRule)
  }

  func failure(_ error: QueryError) -> Failure {
    switch error {
    case .refused(let refusal): refused(refusal)
    case .wrong(let message, let offset):
      wrong("\(message).", hint(message), excerpt: offset.map(excerpt) ?? [])
    case .nameless:
      wrong("a parameter has no name.", "Write ':name' and give its value as '--param name=value'.")
    case .missing(let name):
      wrong(
        "the parameter '\(name)' has no value.",
        isRule
          ? "A rule has no parameters: write the value into it."
          : "Give it as '--param \(name.dropFirst())=value'.")
    case .unused(let name):
      wrong(
        "the SQL has no parameter ':\(name)'.", "Leave '--param \(name)=…' out, or use it.")
    case .tookTooLong(let seconds):
      wrong(
        "stopped after \(Decimal.text(seconds, digits: 1)) s, and what was printed is not all.",
        "Ask for less, by 'WHERE session = …' for one, or give it more '--timeout'.", .inconclusive)
    case .tookTooMuch(let bytes):
      wrong(
        "stopped since it needs more than \(bytes >> 20) MiB of memory.",
        "Ask for less, or sort less.", .inconclusive)
    case .failed(let error): Failure(error, doing: "Querying '\(path)'")
    }
  }

  private func wrong(
    _ what: String, _ advice: String, _ status: ExitCode = .usage, excerpt: [String] = []
  ) -> Failure {
    Failure(
      status: status, message: "Querying '\(path)': \(what)", advice: advice, excerpt: excerpt)
  }

  private func refused(_ refusal: QueryError.Refusal) -> Failure {
    switch refusal {
    case .writes:
      wrong(
        "it does more than read.",
        "Only one SELECT over the views is allowed; a history is never changed.")
    case .several:
      wrong("there is more than one statement.", "Ask one thing at a time.")
    case .privateTable(let table):
      wrong(
        "there is no view '\(table)'.",
        "Tables are private and change from version to version; '--views' lists what there is to "
          + "read.")
    case .function(let name):
      wrong(
        "the function '\(name)' is not allowed.",
        "It reaches beyond the history; SQLite's others may be used.")
    }
  }

  /// A suggestion of what was probably meant.
  private func hint(_ message: String) -> String {
    func unknown(_ beginning: String) -> String? {
      guard message.hasPrefix(beginning) else { return nil }
      return message.dropFirst(beginning.count).split(separator: ".").last.map(String.init)
    }
    var nearest: String?
    if let column = unknown("no such column: ") {
      nearest = Spelling.nearest(to: column, among: HistoryViews.documentation.map(\.column))
    } else if let view = unknown("no such table: ") {
      nearest = Spelling.nearest(to: view, among: HistoryViews.names)
    }
    return nearest.map { "Did you mean '\($0)'? '--views' lists all." }
      ?? "'--views' lists the views and their columns."
  }

  /// The line with the error, and a mark below its place.
  private func excerpt(_ offset: Int) -> [String] {
    let bytes = Array(sql.utf8)
    let place = min(offset, bytes.count)
    let start = bytes[..<place].lastIndex(of: 10).map { $0 + 1 } ?? 0
    let end = bytes[place...].firstIndex(of: 10) ?? bytes.count
    let before = String(decoding: bytes[start..<place], as: UTF8.self).visible
    let line = String(decoding: bytes[start..<end], as: UTF8.self).visible
    let number = bytes[..<start].count { $0 == 10 } + 1
    let label = number == 1 && end == bytes.count ? "" : "line \(number): "
    // Of a long line, the part around the place.
    let hidden = max(0, before.count - 40)
    let space = String(
      repeating: " ", count: DisplayWidth.of(label + String(before.dropFirst(hidden))))
    return [label + DisplayWidth.cut(String(line.dropFirst(hidden)), to: 70), space + "^"]
  }
}
