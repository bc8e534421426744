import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules

/// What a command line asks about, and where it is recorded.
struct WhyQuestion {
  let question: Why.Question
  let session: SessionRecord
  /// The visit that is asked about, if it is one.
  private(set) var visit: (number: UInt32, controller: ControllerRecord)?
  /// How many visits have the number that is asked about.
  private(set) var candidates = 1

  /// - Parameter text: an event's number, a rule's code, or a visit such as `#3`; `nil` for the first
  ///   finding.
  init(
    _ text: String?, _ sessions: [SessionRecord], _ choice: SessionChoice, _ reader: HistoryReader
  ) throws {
    if let text, let seq = Int64(text) {
      guard let session = sessions.last(where: { $0.firstSeq <= seq }),
        let row = try reader.event(seq, session: session.id)
      else {
        throw Failure(
          status: .usage,
          message: "There is no event \(seq)"
            + (choice.session.map { " in session \($0)." } ?? "."),
          advice: "The subcommand 'show' lists the events.")
      }
      let found = try Self.findings(session, choice, reader).first { $0.seq == seq }
      (question, self.session) = (found.map { .finding($0) } ?? .event(row), session)
    } else if let text, text.hasPrefix("#"), let number = UInt32(text.dropFirst()), number > 0 {
      let asked = try Self.visit(number, sessions, choice, reader)
      (question, session, visit) = (asked.question, asked.session, (number, asked.controller))
      candidates = asked.count
    } else {
      (question, session) = try Self.finding(text, sessions, choice, reader)
    }
  }

  private static func findings(
    _ session: SessionRecord, _ choice: SessionChoice, _ reader: HistoryReader
  ) throws -> [Finding] {
    let meant = Set(
      try reader.controllers(session: session.id).filter(choice.means).map(\.id))
    let result = try HistoryCheck(reader).session(session.id)
    return (result.findings + result.notes).filter { meant.contains($0.controller) }
  }

  private static func finding(
    _ text: String?, _ sessions: [SessionRecord], _ choice: SessionChoice, _ reader: HistoryReader
  ) throws -> (Why.Question, SessionRecord) {
    let code = text.flatMap(RuleCode.init)
    if let text, code == nil {
      let visit = try visit(ofState: text, sessions, choice, reader)
      throw Failure(
        status: .usage, message: "'\(text.visible)' is no event's number, rule or visit.",
        advice: visit.map {
          "It is the state of visit '#\($0.number)' of '\($0.controller.visible)' in session \($0.session): ask for "
            + "that."
        }
          ?? Spelling.question(text, among: RuleCode.allCases.map(\.rawValue)))
    }
    let found = try sessions.flatMap { session in
      try findings(session, choice, reader).map { (finding: $0, session: session) }
    }
    let meant = found.filter { code == nil || code == $0.finding.code }
    // A warning may be right, and a note often is.
    let first =
      meant.first(where: \.finding.isSought) ?? meant.first { $0.finding.severity != .note }
      ?? meant.first
    if let first {
      return (.finding(first.finding), first.session)
    }
    throw Failure(
      status: .inconclusive,
      message: code.map { "Nothing in it breaks '\($0.rawValue)'." }
        ?? "The rules find nothing in this recording.",
      advice:
        "The subcommand 'check' says what they could judge. Or name an event by its number, as "
        + "'staty show' lists them, or a visit, as in '#3'.")
  }

  /// The last visit of a state with this name; none if there is none.
  private static func visit(
    ofState name: String, _ sessions: [SessionRecord], _ choice: SessionChoice,
    _ reader: HistoryReader
  ) throws -> (number: UInt32, controller: String, session: Int64)? {
    let states = Set(try reader.names().filter { $0.value == name }.keys)
    guard !states.isEmpty else { return nil }
    var found: (number: UInt32, controller: String, session: Int64)?
    for session in sessions {
      let meant = Dictionary(
        uniqueKeysWithValues: try reader.controllers(session: session.id).filter(choice.means)
          .map { ($0.id, $0.name) })
      let events = try reader.events(session: session.id)
      while let row = try events.next() {
        if row.visit != 0, states.contains(row.state), let name = meant[row.controller] {
          found = (row.visit, name, session.id)
        }
      }
    }
    return found
  }

  /// A visit with this number: of several one with a finding, else the latest.
  private static func visit(
    _ number: UInt32, _ sessions: [SessionRecord], _ choice: SessionChoice,
    _ reader: HistoryReader
  ) throws -> (
    question: Why.Question, session: SessionRecord, controller: ControllerRecord, count: Int
  ) {
    var all: [(last: EventRow, finding: Finding?, session: SessionRecord, ControllerRecord)] = []
    for session in sessions {
      var last: [Int32: EventRow] = [:]
      let events = try reader.events(session: session.id)
      while let row = try events.next() {
        if row.visit == number { last[row.controller] = row }
      }
      if last.isEmpty { continue }
      let found = try findings(session, choice, reader).filter { $0.visit == number }
      for controller in try reader.controllers(session: session.id).filter(choice.means) {
        guard let row = last[controller.id] else { continue }
        let own = found.filter { $0.controller == controller.id }
        all.append((row, own.first(where: \.isSought) ?? own.first, session, controller))
      }
    }
    let best =
      all.first { $0.finding?.isSought ?? false } ?? all.first { $0.finding != nil } ?? all.last
    guard let (last, finding, session, controller) = best else {
      throw Failure(
        status: .usage, message: "There is no visit #\(number).",
        advice: "The subcommand 'timeline' shows the visits.")
    }
    return (finding.map { .finding($0) } ?? .event(last), session, controller, all.count)
  }
}
