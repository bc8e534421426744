import Staty
import StatyHistory
import StatyReplay

/// What a replay gave, for other programs and for comparing runs.
enum ReplayJSON {
  private static func value(_ replay: SessionReplay, _ words: EventWords) -> JSONValue {
    let result = replay.result
    return .object([
      "verdict": .text(result.verdict.rawValue), "told": .whole(result.told),
      "matched": .whole(result.matched),
      "divergences": .list(replay.told.map { value($0, words) }),
      "divergence_count": .whole(result.divergenceCount),
      "doubts": .list(
        result.doubts.map {
          ReportedJSON.doubt($0, words, known: replay.plan.engine.names)
        }), "doubt_count": .whole(result.doubtCount),
      "unreached": .list(result.unreached.map { .whole($0) }),
      "unreached_count": .whole(result.unreachedCount),
    ])
  }

  private static func value(_ divergence: Divergence, _ words: EventWords) -> JSONValue {
    let (recorded, replayed) = sides(divergence.difference)
    return .object([
      "difference": .text(ReplayWords.kind(divergence.difference)),
      "controller": .text(words.controllers[divergence.controller]?.name),
      "controller_id": .whole(divergence.controller), "seq": .whole(divergence.seq),
      "t_ms": .number(Double(divergence.time) / 1_000), "recorded": recorded,
      "replayed": replayed, "standing": value(divergence.standing),
    ])
  }

  private static func sides(_ difference: Divergence.Difference) -> (JSONValue, JSONValue) {
    switch difference {
    case .missing(let output): (value(output), .null)
    case .extra(let output): (.null, value(output))
    case .different(let recorded, let replayed), .moved(let recorded, let replayed),
      .reordered(let recorded, let replayed):
      (value(recorded), value(replayed))
    case .stray(let visit, let completion, let recorded, let replayed):
      (value(visit, completion, recorded), value(visit, completion, replayed))
    }
  }

  private static func value(_ output: Output) -> JSONValue {
    .object([
      "kind": .text(output.kind.text), "visit": .whole(output.visit.rawValue),
      "reason": .text(EventReason(kind: output.kind, code: output.reason)?.text),
      "refusal": .text(output.refusal.map(RefusalWords.text)),
      "cause": output.cause == 0 ? .null : .whole(output.cause),
    ])
  }

  private static func value(
    _ visit: VisitNumber, _ completion: Completion, _ fit: Fit
  ) -> JSONValue {
    .object([
      "completion": .text(completion == .entered ? "entered" : "exited"),
      "visit": .whole(visit.rawValue), "fits": .bool(fit == .fits),
    ])
  }

  private static func value(_ standing: PolicySnapshot) -> JSONValue {
    .object([
      "standing": .list(
        standing.standing.map {
          .object([
            "visit": .whole($0.request.visit.rawValue),
            "state": .text($0.request.state.description), "phase": .text("\($0.phase)"),
          ])
        }),
      "waiting": .list(
        standing.waiting.map {
          .object(["visit": .whole($0.visit.rawValue), "state": .text($0.state.description)])
        }),
    ])
  }

  /// A replayed session with everything that is known of it.
  static func value(_ replay: SessionReplay) throws -> JSONValue {
    let words = try EventWords(replay.history.reader, session: replay.session.id)
    return .object([
      "file": .text(replay.history.path), "session": .whole(replay.session.id),
      "uuid": .text(replay.session.uuid), "verdict": .text(replay.verdict.rawValue),
      "runs": .whole(replay.runs), "disagreement": .text(replay.disagreement?.sentence),
      "with": .text(replay.plan.kinds.value), "until": replay.plan.last.map { .whole($0) } ?? .null,
      "ended": .text(replay.session.ended?.rawValue), "events": .whole(replay.session.stored),
      "lost": .whole(replay.lost),
      "controllers": .list(
        replay.controllers.map {
          .object([
            "id": .whole($0.id), "name": .text($0.name), "kind": .text($0.policy),
            "discipline": .text($0.knownDiscipline.word), "fidelity": .text(Soundness.fidelity($0)),
          ])
        }),
      "result": value(replay, words),
      "what_if": try replay.whatIf.map { try WhatIfJSON.result(try WhatIfWords($0)) } ?? .null,
      "findings": .list(
        try replay.findings.map {
          try FindingReport($0, in: replay.history, words: words).json()
        }),
    ])
  }
}
