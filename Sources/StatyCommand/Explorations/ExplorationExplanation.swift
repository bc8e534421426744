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
    ([verdict, layout.section("Searched", words.extents)] + orders + [doubts])
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

  private var orders: [String] {
    zip(result.orders, words.played).flatMap { order, played in
      let title = result.orders.count > 1 ? "The order: \(words.summary(order))" : "The order"
      return [
        layout.section(title, played.numberedSteps),
        layout.section("What the rules say of it", played.lines(said(order).prefix(8))),
        picture(order, played),
      ]
    }
  }

  /// What the rules say of an order, first what it is there for.
  private func said(_ order: Exploration.Order) -> [Finding] {
    let own = order.violations.filter { order.codes.contains($0.code) }
    return own + order.violations.filter { !order.codes.contains($0.code) }
  }

  private func picture(_ order: Exploration.Order, _ played: PlayedSchedule) -> String {
    said(order).first.map { played.picture(around: $0, layout) } ?? ""
  }

  private var doubts: String {
    // Where there is one alone, it is the verdict.
    let sentences = result.doubts.prefix(12).map(words.sentence).filter { $0 != words.verdict }
    return layout.section("In doubt", sentences)
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
      "complete": .bool(result.isComplete), "shortest": .bool(result.isShortest),
      "cut": .text(result.cut?.rawValue), "states": .whole(result.states),
      "transitions": .whole(result.transitions), "pruned": .whole(result.pruned),
      "depth": .whole(result.depth), "megabytes": .whole(Decimal.wholeMegabytes(result.bytes)),
      "schedule": words.played.first.map { .list($0.steps.map { .text($0) }) } ?? .null,
      "at_end": .bool(result.isAtEnd),
      "findings": .list(
        words.played.first.map { result.violations.map($0.value) } ?? []),
      "orders": .list(zip(result.orders, words.played).map(value)),
      "doubts": .list(result.doubts.map { .text(DoubtWords($0).reason) }),
    ])
  }

  private static func value(
    _ order: Exploration.Order, _ played: PlayedSchedule
  ) -> JSONValue {
    .object([
      "codes": .list(order.codes.map(\.rawValue).sorted().map { .text($0) }),
      "schedule": .list(played.steps.map { .text($0) }), "at_end": .bool(order.isAtEnd),
      "findings": .list(order.violations.map(played.value)),
    ])
  }
}
