import StatyHistory
import StatyReplay
import StatyRules

/// What a what-if replay gave, for other programs.
enum WhatIfJSON {
  static func value(_ replay: WhatIfReplay) throws -> JSONValue {
    let words = try WhatIfWords(replay)
    return .object([
      "file": .text(replay.history.path), "session": .whole(replay.session.id),
      "uuid": .text(replay.session.uuid), "verdict": .text(replay.verdict.rawValue),
      "runs": .whole(replay.runs), "disagreement": .text(replay.disagreement?.sentence),
      "with": .text(replay.plan.kinds.value), "until": replay.plan.last.map { .whole($0) } ?? .null,
      "edits": .list(replay.changes.edits.map { .text($0.description) }), "result": result(words),
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
