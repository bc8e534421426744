import StatyHistory
import StatyReplay
import StatyRules

/// What what-if replays of many sessions come to, told as they are done: one session is explained,
/// of many each gets a line.
struct WhatIfReport {
  private let isJSON: Bool
  private let isOne: Bool
  private let run: ToolRun
  private let delivery: Delivery
  private var json: [JSONValue] = []
  private var counts: [WhatIfResult.Verdict: Int] = [:]
  private var isExplained = false

  /// - Parameter isOne: whether there is but one file.
  init(isJSON: Bool, isOne: Bool, run: ToolRun, delivery: Delivery) {
    self.isJSON = isJSON
    self.isOne = isOne
    self.run = run
    self.delivery = delivery
  }

  /// Takes in the replays of a file's sessions.
  mutating func add(_ replays: [WhatIfReplay]) throws {
    for replay in replays { counts[replay.verdict, default: 0] += 1 }
    if isJSON {
      json += try replays.map(WhatIfJSON.value)
    } else if isOne, replays.count == 1, !run.isQuiet {
      isExplained = true
      try delivery.write(
        try WhatIfExplanation(replays[0], width: run.console.width, style: run.style).text)
    } else {
      isExplained = isExplained || run.isQuiet
      for replay in replays where !(run.isQuiet && replay.status == .done) {
        try delivery.write(try WhatIfLine(replay).text(run.style) + "\n")
      }
    }
  }

  /// Tells what was kept for the end, and the sum, unless nothing could be looked at.
  func finish() throws {
    if isJSON {
      try delivery.write(object.pretty)
    } else if !isExplained, !counts.isEmpty {
      try delivery.write(sumLine + "\n")
    }
    try delivery.finish()
  }

  private var sumLine: String {
    let parts = WhatIfResult.Verdict.allCases.map { "\(counts[$0] ?? 0) \($0.rawValue)" }
    return Decimal.count(counts.values.reduce(0, +), "session") + ": "
      + parts.joined(separator: ", ") + "."
  }

  private var object: JSONValue {
    .object([
      "replays": .list(json),
      "sum": .object(
        WhatIfResult.Verdict.allCases.map {
          (key: $0.rawValue, value: .whole(counts[$0] ?? 0))
        }),
    ])
  }
}

/// A what-if replay in one line.
struct WhatIfLine {
  private let replay: WhatIfReplay

  init(_ replay: WhatIfReplay) { self.replay = replay }

  func text(_ style: Style) throws -> String {
    let verdict = DisplayWidth.pad(replay.verdict.rawValue, to: 13)
    return style.paint(verdict, replay.verdict)
      + "\(replay.history.called), session \(replay.session.id): \(try WhatIfWords(replay).what)"
  }
}

/// What a what-if replay gave, for other programs.
enum WhatIfJSON {
  static func value(_ replay: WhatIfReplay) throws -> JSONValue {
    let words = try WhatIfWords(replay)
    return .object([
      "file": .text(replay.history.path), "session": .whole(replay.session.id),
      "uuid": .text(replay.session.uuid), "verdict": .text(replay.verdict.rawValue),
      "runs": .whole(replay.runs), "disagreement": .text(replay.disagreement?.sentence),
      "with": .text(replay.plan.policy), "until": replay.plan.last.map { .whole($0) } ?? .null,
      "edits": .list(replay.edits.map { .text($0.description) }), "result": result(words),
    ])
  }

  /// What was played, found and assumed.
  static func result(_ words: WhatIfWords) -> JSONValue {
    let result = words.replay.result
    return .object([
      "verdict": .text(words.replay.verdict.rawValue), "events": .whole(result.events.count),
      "recorded": .list(
        result.recorded.map { finding in
          value(finding) { words.recorded.names[$0] }
        }),
      "findings": .list(
        result.findings.map { finding in value(finding) { words.played.names[$0] } }),
      "assumptions": .list(result.assumptions.map { .text(words.sentence($0)) }),
      "doubts": .list(result.doubts.map { .text(DoubtWords($0).reason) }),
    ])
  }

  private static func value(
    _ finding: Finding, _ name: @escaping (Int32) -> String?
  ) -> JSONValue {
    .object([
      "code": .text(finding.code.rawValue), "severity": .text(finding.severity.rawValue),
      "controller": .whole(finding.controller),
      "visit": finding.visit == 0 ? .null : .whole(finding.visit),
      "state": .text(name(finding.state)), "seq": .whole(finding.seq),
      "detail": .text(finding.detail(naming: name)),
    ])
  }
}
