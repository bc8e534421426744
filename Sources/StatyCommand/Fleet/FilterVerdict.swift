import StatyHistory
import StatyReplay
import StatyRules

/// What is said of one session that came in as lines: one object of JSON in one line.
struct FilterVerdict {
  /// In a word.
  enum Word: String {
    /// No rule is broken.
    case clean
    /// Warnings, and no error.
    case warned
    /// A rule's error was found.
    case broken
    /// Nothing was found, and a part of it is not there.
    case incomplete
    /// Its lines make no sense.
    case unreadable
  }

  /// A session's findings, with the words for them.
  struct Judgement {
    private(set) var findings: [Finding]
    var names: [Int32: String]
    var controllers: [ControllerRecord]
    var lost: Int64
    var replay: ReplayResult?

    /// - Parameter isComplete: whether the session came from its beginning to its end.
    init(
      _ findings: [Finding], names: [Int32: String], controllers: [ControllerRecord], lost: Int64,
      isComplete: Bool
    ) {
      (self.names, self.controllers, self.lost) = (names, controllers, lost)
      self.findings = findings.certain(isComplete: isComplete, controllers)
    }
  }

  private let session: (opening: SessionOpening?, events: Int64, isComplete: Bool)
  private let problem: ImportRefusal.Problem?
  private let judgement: Judgement?

  init(
    _ opening: SessionOpening?, events: Int64, isComplete: Bool,
    problem: ImportRefusal.Problem?, _ judgement: Judgement?
  ) {
    session = (opening, events, isComplete)
    self.problem = problem
    self.judgement = judgement
  }

  private var word: Word {
    guard let judgement, problem == nil else { return .unreadable }
    if judgement.findings.contains(where: { $0.severity == .error }) { return .broken }
    if !session.isComplete { return .incomplete }
    return judgement.findings.isEmpty ? .clean : .warned
  }

  /// The verdict, with the keys that the guide to fleets describes.
  var json: JSONValue {
    func count(_ severity: Severity) -> JSONValue {
      judgement.map { .whole($0.findings.filter { $0.severity == severity }.count) } ?? .null
    }
    var members: [(String, JSONValue)] = [
      ("session", .text(session.opening?.uuid)), ("app", .text(session.opening?.app)),
      ("app_version", .text(session.opening?.appVersion)), ("os", .text(session.opening?.os)),
      ("verdict", .text(word.rawValue)), ("complete", .bool(session.isComplete)),
      ("events", .whole(session.events)),
      ("lost", judgement.map { .whole($0.lost) } ?? .null),
      ("errors", count(.error)), ("warnings", count(.warning)),
      ("findings", .list(judgement.map { told in told.findings.map { finding($0, told) } } ?? [])),
    ]
    if let replay = judgement?.replay {
      members.append(("replay", .text(replay.verdict.rawValue)))
      members.append(
        ("diverged_at", replay.divergences.first.map { .whole($0.seq) } ?? .null))
    }
    if let problem {
      members.append(("line", .whole(problem.line)))
      members.append(("problem", .text(problem.message)))
    }
    return .object(members.map { (key: $0.0, value: $0.1) })
  }

  private func finding(_ finding: Finding, _ told: Judgement) -> JSONValue {
    let controller = told.controllers.first { $0.id == finding.controller }
    return .object([
      "code": .text(finding.code.rawValue), "severity": .text(finding.severity.rawValue),
      "controller": .text(controller?.name),
      "visit": finding.visit == 0 ? .null : .whole(finding.visit),
      "state": .text(told.names[finding.state]), "seq": .whole(finding.seq),
      "detail": .text(finding.detail { told.names[$0] }),
    ])
  }
}
