import Staty
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules

/// One search for people: the verdict first, then how far it went, the order that was found and what
/// happens in it.
struct ExplorationExplanation {
  private let exploration: SessionExploration
  private let words: ExplorationWords
  private let layout: TextSections
  private let style: Style

  init(_ exploration: SessionExploration, width: Int, style: Style) throws {
    self.exploration = exploration
    self.style = style
    layout = TextSections(width: width, style: style)
    words = try ExplorationWords(exploration)
  }

  private var result: Exploration { exploration.result }

  var text: String {
    [verdict, layout.section("Searched", words.extents), steps, found, picture, doubts]
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The verdict and its reason in one line, for one session among many.
  var line: String {
    let name = result.verdict.rawValue.uppercased()
    return "\(style.paint(name, exploration.status)) \(exploration.history.called), session "
      + "\(exploration.session.id): \(words.verdict)\n"
  }

  private var verdict: String {
    let name = result.verdict.rawValue.uppercased()
    let with = exploration.plan.kinds.text.map { ", searched with \($0)" } ?? ""
    let place = "\(exploration.history.called), session \(exploration.session.id)\(with)."
    return layout.verdict(name, style.paint(name, exploration.status), words.verdict)
      + layout.block(place, indent: 2)
  }

  private var steps: String {
    let all = words.steps
    let lines = all.enumerated().map { "\($0 + 1). \($1)" }
    let shown = lines.count > 40 ? ["..."] + lines.suffix(40) : lines
    return layout.section("The order", shown)
  }

  private var found: String {
    layout.section(
      "What the rules say of it",
      result.violations.prefix(8).map {
        "\($0.severity.rawValue)[\($0.code.rawValue)] at event \($0.seq): \(words.sentence($0))"
      })
  }

  private var picture: String {
    guard let run = exploration.played, let played = words.played,
      let first = result.violations.first
    else { return "" }
    let picture = LanePicture(run.events, marked: first.seq, words: played)
    let lines = picture.lines(width: layout.width - 2)
    guard !lines.isEmpty else { return "" }
    return layout.heading("As it happens, around event \(first.seq)")
      + lines.map { "  " + $0 + "\n" }.joined() + layout.block(LanePicture.legend, indent: 2)
  }

  private var doubts: String {
    layout.section("In doubt", result.doubts.prefix(12).map(words.sentence))
  }
}

/// What searches of many sessions come to: one is explained, of many each gets a line.
struct ExplorationReport {
  private let isJSON: Bool
  private let isOne: Bool
  private let run: ToolRun
  private var all: [SessionExploration] = []

  /// - Parameter isOne: whether there is but one file.
  init(isJSON: Bool, isOne: Bool, run: ToolRun) {
    self.isJSON = isJSON
    self.isOne = isOne
    self.run = run
  }

  mutating func add(_ exploration: SessionExploration) throws {
    all.append(exploration)
  }

  /// Tells everything.
  func finish() throws {
    if isJSON {
      let values = try all.map { try ExplorationJSON.value($0) }
      return try run.print(JSONValue.object(["explorations": .list(values)]).pretty)
    }
    for exploration in all where !(run.isQuiet && exploration.status == .done) {
      let text = try ExplorationExplanation(
        exploration, width: run.console.width, style: run.style)
      try run.print(isOne && all.count == 1 && !run.isQuiet ? text.text : text.line)
    }
  }
}

/// What a search gave, for other programs.
enum ExplorationJSON {
  static func value(_ exploration: SessionExploration) throws -> JSONValue {
    let words = try ExplorationWords(exploration)
    let result = exploration.result
    return .object([
      "file": .text(exploration.history.path), "session": .whole(exploration.session.id),
      "uuid": .text(exploration.session.uuid), "verdict": .text(result.verdict.rawValue),
      "with": .text(exploration.plan.kinds.value), "method": .text(result.method.rawValue),
      "complete": .bool(result.cut == nil && result.schedule == nil),
      "cut": .text(result.cut?.rawValue), "states": .whole(result.states),
      "transitions": .whole(result.transitions), "pruned": .whole(result.pruned),
      "depth": .whole(result.depth),
      "schedule": result.schedule == nil ? .null : .list(words.steps.map { .text($0) }),
      "at_end": .bool(result.isAtEnd),
      "findings": .list(
        result.violations.map { finding in
          .object([
            "code": .text(finding.code.rawValue), "severity": .text(finding.severity.rawValue),
            "seq": .whole(finding.seq),
            "visit": finding.visit == 0 ? .null : .whole(finding.visit),
            "state": .text(words.played?.names[finding.state]),
            "detail": .text(finding.detail { words.played?.names[$0] }),
          ])
        }),
      "doubts": .list(result.doubts.map { .text(DoubtWords($0).reason) }),
    ])
  }
}
