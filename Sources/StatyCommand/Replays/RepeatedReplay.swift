import StatyHistory
import StatyReport

/// What came of driving the controllers of one session again, as often as was wanted: replayed as
/// they were, or played with something changed.
protocol RepeatedReplay {
  var history: OpenHistory { get }
  var session: SessionRecord { get }
  var plan: ReplayPlan { get }
  /// How many runs were made, and why they do not agree, if they do not.
  var runs: Int { get set }
  var disagreement: Disagreement? { get set }
  /// What two runs must have in common, in one line.
  var outcome: String { get }
  /// The same of everything that it consists of.
  var outcomes: [String] { get }
  /// Whether all runs so far went the same other way than the recording.
  var hasDiverged: Bool { get }
  /// Takes in what came of another run.
  mutating func judge(_ lines: Result<[String], AnotherRun.Trouble>)

  /// Every verdict that there can be, in a word.
  static var verdicts: [String] { get }
  /// The verdict in a word.
  var verdictName: String { get }
  var status: ExitCode { get }
  /// What is most worth knowing, in one line.
  var what: String { get throws }
  /// All of it, for people.
  func explanation(width: Int, style: Style) throws -> String
  /// All of it, for other programs.
  var json: JSONValue { get throws }
}

/// Why more runs than one say less than one.
enum Disagreement: Equatable {
  /// This run went another way than the first.
  case differs(run: Int)
  /// There was no other run.
  case notMade(reason: String)

  /// Why a run that was not made leaves the others unconfirmed.
  init(_ trouble: AnotherRun.Trouble) {
    switch trouble {
    case .notStarted(let reason):
      self = .notMade(reason: "the tool could not be started a second time: \(reason)")
    case .failed(let code):
      self = .notMade(reason: "a second run of the tool failed with \(code)")
    case .endless(let limit):
      self = .notMade(
        reason:
          "a second run had not come to its end after \(limit.components.seconds) s, which is "
          + "far longer than the first took, and was stopped")
    }
  }

  /// What is the matter, in one sentence.
  var sentence: String {
    switch self {
    case .differs(let run):
      "Run \(run), in another process, went another way than the first: the controller depends on "
        + "something that is not recorded, such as the order of a set, a random number or the clock."
    case .notMade(let reason):
      "A controller that depends on more than its inputs would not be noticed, because "
        + reason.visible + "."
    }
  }
}

extension RepeatedReplay {
  var outcomes: [String] { [outcome] }
  var hasDiverged: Bool { false }

  /// Takes in what came of another run if that changes the verdict.
  mutating func doubt(_ lines: Result<[String], AnotherRun.Trouble>) {
    guard hasDiverged, case .success = lines else { return }
    var other = self
    other.judge(lines)
    if !other.hasDiverged { self = other }
  }

  mutating func judge(_ lines: Result<[String], AnotherRun.Trouble>) { judgeItself(lines) }

  /// Takes in what came of another run, leaving out what else it consists of.
  mutating func judgeItself(_ lines: Result<[String], AnotherRun.Trouble>) {
    guard disagreement == nil else { return }
    switch lines {
    case .success(let lines):
      runs += 1
      if !lines.contains(outcome) { disagreement = .differs(run: runs) }
    case .failure(let trouble): disagreement = Disagreement(trouble)
    }
  }

  /// It in one line.
  func line(_ style: Style) throws -> String {
    style.paint(DisplayWidth.pad(verdictName, to: 13), status)
      + "\(history.called), session \(session.id): \(try what)"
  }
}

extension Style {
  /// The text in the color of a verdict that exits so.
  func paint(_ text: String, _ status: ExitCode) -> String {
    switch status {
    case .done: good(text)
    case .inconclusive: warning(text)
    default: error(text)
    }
  }
}
