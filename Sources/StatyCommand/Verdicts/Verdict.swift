import StatyHistory
import StatyReport

/// What came of one session of a history: of a replay, a what-if replay, a search of orders or a
/// minimization.
///
/// Words, JSON and JUnit are made of it.
protocol Verdict {
  var history: OpenHistory { get }
  var session: SessionRecord { get }
  /// The kinds of controller that took the place of the recorded ones.
  var kinds: KindChoice { get }
  /// What was done with the session, as in `replayed with 'queue'`.
  static var deed: String { get }
  /// Every verdict that there can be, in a word.
  static var words: [String] { get }
  /// The verdict in a word.
  var word: String { get }
  var status: ExitCode { get }
  /// Whether it is told to those who want to hear of nothing that is as it should be.
  var isNews: Bool { get }
  /// The verdict in a sentence or two.
  var sentence: String { get throws }
  /// The same in one line among others: what is most worth knowing.
  var brief: String { get throws }
  /// What stands behind it, for people; empty parts are left out.
  func sections(_ page: TextSections) throws -> [String]
  /// The same for other programs.
  var facts: KeyValuePairs<String, JSONValue> { get throws }
}

extension Verdict {
  var isNews: Bool { status != .done }
  var brief: String { get throws { try sentence } }

  /// The whole verdict for people.
  func text(_ page: TextSections) throws -> String {
    let name = word.uppercased()
    let with = kinds.text.map { ", \(Self.deed) with \($0)" } ?? ""
    let verdict =
      page.verdict(name, page.style.paint(name, status), try sentence)
      + page.block("\(history.called), session \(session.id)\(with).", indent: 2)
    return ([verdict] + (try sections(page))).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// It in one line.
  func line(_ style: Style) throws -> String {
    style.paint(DisplayWidth.pad(word, to: 13), status)
      + "\(history.called), session \(session.id): \(try brief)\n"
  }

  /// It for other programs.
  ///
  /// - Parameter file: what the file is called.
  func json(file: String) throws -> JSONValue {
    let common: KeyValuePairs<String, JSONValue> = [
      "file": .text(file), "session": .whole(session.id), "uuid": .text(session.uuid),
      "verdict": .text(word), "sentence": .text(try brief), "with": .text(kinds.value),
    ]
    return .object((Array(common) + Array(try facts)).map { (key: $0.key, value: $0.value) })
  }

  /// It as a case of a test run.
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
  /// The text in the color of a verdict that exits so.
  func paint(_ text: String, _ status: ExitCode) -> String {
    switch status {
    case .done: good(text)
    case .inconclusive: warning(text)
    default: error(text)
    }
  }
}
