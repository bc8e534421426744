import StatyHistory
import StatyReplay
import StatyReport

/// The result for one session of a history: of a replay, a what-if replay, a search of orders or a
/// minimization.
///
/// Words, JSON and JUnit are made from it.
protocol Verdict {
  /// What was played.
  var subject: PlayedSession { get }
  /// What was done with the session, as in `replayed with 'queue'`.
  static var deed: String { get }
  /// Every possible verdict, in a word.
  static var words: [String] { get }
  /// The verdict in a word.
  var word: String { get }
  var status: ExitCode { get }
  /// Whether it is reported even if only problems are wanted.
  var isNews: Bool { get }
  /// The verdict in one or two sentences.
  var sentence: String { get throws }
  /// The verdict in one line among others: the most important part.
  var brief: String { get throws }
  /// The parts of the explanation; empty parts are left out.
  func sections(_ page: TextSections) throws -> [String]
  /// The parts of the JSON object.
  var facts: KeyValuePairs<String, JSONValue> { get throws }
}

/// A session of a history that is played, and how.
struct PlayedSession {
  let history: OpenHistory
  let session: SessionRecord
  let plan: ReplayPlan
  /// The selected controllers.
  let controllers: [ControllerRecord]
  let words: EventWords

  init(_ session: SessionRecord, of history: OpenHistory, _ plan: ReplayPlan) throws {
    (self.history, self.session, self.plan) = (history, session, plan)
    controllers = try history.reader.controllers(session: session.id).filter(plan.choice.means)
    words = try EventWords(history.reader, session: session.id)
  }

  /// The numbers of the selected controllers.
  var meant: Set<Int32> { Set(controllers.map(\.id)) }

  var replacement: Replacement { plan.kinds.replacement(of: controllers) }
}

extension Verdict {
  var history: OpenHistory { subject.history }
  var session: SessionRecord { subject.session }
  var plan: ReplayPlan { subject.plan }
  var controllers: [ControllerRecord] { subject.controllers }
  var words: EventWords { subject.words }
  /// The kinds of controller that replaced the recorded ones.
  var kinds: KindChoice { plan.kinds }

  func sentence(_ doubt: ReplayDoubt) -> String {
    doubt.sentence(words.controller)
  }

  var isNews: Bool { status != .done }
  var brief: String { get throws { try sentence } }

  /// The whole verdict as text.
  func text(_ page: TextSections) throws -> String {
    let name = word.uppercased()
    let with = kinds.text.map { ", \(Self.deed) with \($0)" } ?? ""
    let verdict =
      page.verdict(name, page.style.paint(name, status), try sentence)
      + page.block("\(history.called), session \(session.id)\(with).", indent: 2)
    return ([verdict] + (try sections(page))).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The verdict in one line.
  func line(_ style: Style) throws -> String {
    style.paint(DisplayWidth.pad(word, to: 13), status)
      + "\(history.called), session \(session.id): \(try brief)\n"
  }

  /// The verdict as JSON.
  ///
  /// - Parameter file: the name of the file.
  func json(file: String) throws -> JSONValue {
    let common: KeyValuePairs<String, JSONValue> = [
      "file": .text(file), "session": .whole(session.id), "uuid": .text(session.uuid),
      "verdict": .text(word.inJSON), "sentence": .text(try brief), "with": .text(kinds.value),
    ]
    return .object((Array(common) + Array(try facts)).map { (key: $0.key, value: $0.value) })
  }

  /// The verdict as a case of a test run.
  var outcome: JUnitDocument.Outcome {
    get throws {
      if status == .done { return .passed }
      let text = try text(TextSections(width: 100, style: Style(isOn: false)))
      return status == .broken
        ? .failed(type: word, message: try brief, text)
        : .erred(type: word, message: try brief, text)
    }
  }
}

extension Style {
  /// The text in the color for an exit code.
  func paint(_ text: String, _ status: ExitCode) -> String {
    switch status {
    case .done: good(text)
    case .inconclusive: warning(text)
    default: error(text)
    }
  }
}

extension String {
  /// A verdict as programs read it.
  var inJSON: String { split(separator: " ").joined(separator: "-") }
}
