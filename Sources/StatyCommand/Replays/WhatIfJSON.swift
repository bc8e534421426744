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
      "edits": .list(replay.changes.edits.map { .text($0.description) }),
      "result": try result(words),
    ])
  }

  /// What was played, found and assumed.
  static func result(_ words: WhatIfWords) throws -> JSONValue {
    let result = words.replay.result
    return .object([
      "verdict": .text(words.replay.verdict.rawValue), "events": .whole(result.events.count),
      "recorded": .list(
        try result.recorded.map {
          try FindingReport($0, in: words.replay.history, words: words.recorded).json()
        }),
      "findings": .list(
        result.findings.map {
          ReportedJSON.finding(
            $0, words.played, FindingContext($0, among: result.events, followers: 5))
        }),
      "assumptions": .list(result.assumptions.map { .text(words.sentence($0)) }),
      "doubts": .list(
        result.doubts.map {
          ReportedJSON.doubt($0, words.recorded, known: words.replay.plan.engine.names)
        }),
    ])
  }
}
