import Staty
import StatyHistory
import StatyReplay
import StatyRules

/// What the JSON of every verdict says in the same shape, wherever it stands.
///
/// A verdict: `file`, `session`, `uuid`, `verdict`, `sentence` and `with` (the kinds of controller that
/// took the place of the recorded ones), and what it stands on. Times are milliseconds since the session
/// began; what does not exist is `null`.
///
/// `findings`, of `check`, of a recording, of what was played and of an order:
///
/// - `code`, `severity`: the rule's code, and `error`, `warning` or `note`.
/// - `controller`, `controller_id`: the name under which its controller is recorded, and its number.
/// - `visit`, `state`: the visit that it is about and its state's name.
/// - `seq`, `t_ms`: the number and the time of the guilty event, in the file or in what was played.
/// - `detail`: what went wrong, in one sentence.
/// - `hint`: how to declare another discipline, if that is what the controller needs.
/// - `causes`, `consequences`: the numbers of the events that it happened in, the nearest first, and of
///   the first that happened because of it.
/// - `instead`: if another visit entered instead, the numbers of its request and of the events that let it in.
/// - `newer`: if an answer is out of date, the numbers of the newer message and of its answer.
/// - `both`: if two tracks that mirror each other differ, the numbers of their last moves.
/// - `site`: the place in the code of the request that is the guilty event.
///
/// `doubts`, what stands in the way of a verdict: `reason` in a word, `controller`, `controller_id`,
/// `seq`, and `detail`, a sentence or two.
///
/// `divergences`, and `consequences`: what an app's own controller did differently after its first
/// divergence. Each with:
///
/// - `difference`: `missing`, `extra`, `different`, `moved`, `reordered` or `stray`.
/// - `controller`, `controller_id`, `seq`, `t_ms`: where and when it showed.
/// - `site`: the place in the code of the request that led to it.
/// - `recorded`, `replayed`: what both sides have there, each with its `kind`, `visit`, `reason`,
///   `refusal`, the `cause` in whose handling it was decided, and all that in `words`.
/// - `on_stage`, `pending`: where the controller stood in the replay.
/// - `causes`: the numbers of the events that led to it, the farthest first.
/// - `sentence`: the divergence in one sentence.
///
/// `outcomes`, of `explore`, for each group of controllers that depend on each other: `controllers`, `runs`,
/// `orders` (how many different ones), `deviations` (all orders with so many were run), `complete` (whether all
/// orders were), and `outcomes`, each with `shows`, `when`, `usual`, `recorded`, `deviations` (their number) and `schedule`.
///
/// `orders`, found by a search or left by a minimization: `codes` of the rules that it is for, `schedule`
/// (a sentence each step), `at_end` (whether it breaks a rule only when nothing more comes) and `findings`.
enum VerdictJSON {
  static func finding(
    _ finding: Finding, _ words: EventWords, _ context: FindingContext?
  ) -> JSONValue {
    func numbers(_ events: [EventRow]?) -> JSONValue {
      .list((events ?? []).map { .whole($0.seq) })
    }
    return .object([
      "code": .text(finding.code.rawValue), "severity": .text(finding.severity.rawValue),
      "controller": .text(words.controllers[finding.controller]?.name),
      "controller_id": .whole(finding.controller),
      "visit": finding.visit == 0 ? .null : .whole(finding.visit),
      "state": .text(words.names[finding.state]), "seq": .whole(finding.seq),
      "t_ms": context.map { .number(Double($0.guilty.time) / 1_000) } ?? .null,
      "detail": .text(finding.detail(naming: { words.names[$0] }, track: words.track)),
      "hint": .text(words.controllers[finding.controller].flatMap(finding.hint)),
      "causes": numbers(context?.causes),
      "consequences": numbers(context?.consequences),
      "instead": numbers(context?.instead),
      "newer": numbers(context?.newer),
      "both": numbers(context?.both),
      "site": .text(context.flatMap { words.site($0.guilty) }),
    ])
  }

  /// Findings among events that are in no file.
  static func findings(
    _ findings: [Finding], _ words: EventWords, among rows: [EventRow]
  ) -> JSONValue {
    .list(findings.map { finding($0, words, FindingContext($0, among: rows, followers: 5)) })
  }

  static func outcomes(_ outcomes: Outcomes, _ words: OutcomeWords) -> JSONValue {
    let steps = StepWords(outcomes.scenario)
    return .object([
      "controllers": .list(outcomes.scenario.controllers.map { .text($0.name) }),
      "orders": .whole(outcomes.orders), "runs": .whole(outcomes.runs),
      "deviations": .whole(outcomes.complete),
      "complete": .bool(outcomes.isExhaustive),
      "outcomes": .list(
        zip(outcomes.outcomes, words.texts).map { outcome, text in
          .object([
            "shows": .text(text), "when": .text(words.condition(outcome)),
            "usual": .bool(outcome.isUsual), "recorded": .bool(outcome.isRecorded),
            "deviations": .whole(outcome.deviations.count),
            "schedule": .list(outcome.schedule.map { .text(steps.sentence($0)) }),
          ])
        }),
    ])
  }

  static func doubts(_ doubts: [ReplayDoubt], _ words: EventWords) -> JSONValue {
    .list(
      doubts.map { doubt in
        .object([
          "reason": .text(doubt.word),
          "controller": .text(doubt.controller.flatMap { words.controllers[$0]?.name }),
          "controller_id": doubt.controller.map { .whole($0) } ?? .null,
          "seq": doubt.seq.map { .whole($0) } ?? .null,
          "detail": .text(doubt.sentence(words.controller)),
        ])
      })
  }

  /// - Parameter causes: the events that led to it, the farthest first.
  static func divergence(
    _ divergence: Divergence, _ words: DivergenceWords, _ events: EventWords, causes: [EventRow]
  ) -> JSONValue {
    let difference = divergence.difference
    return .object([
      "difference": .text(difference.kind.rawValue),
      "controller": .text(events.controllers[divergence.controller]?.name),
      "controller_id": .whole(divergence.controller), "seq": .whole(divergence.seq),
      "t_ms": .number(Double(divergence.time) / 1_000),
      "site": .text(causes.lazy.reversed().compactMap(events.site).first),
      "recorded": output(difference.recorded, words.recorded),
      "replayed": output(difference.replayed, words.replayed),
      "on_stage": .text(words.onStage), "pending": .text(words.pending),
      "causes": .list(causes.map { .whole($0.seq) }), "sentence": .text(words.sentence),
    ])
  }

  private static func output(_ output: Output?, _ words: String) -> JSONValue {
    guard let output else { return .null }
    return .object([
      "kind": .text(output.kind.text), "visit": .whole(output.visit.rawValue),
      "reason": .text(EventReason(kind: output.kind, code: output.reason)?.text),
      "refusal": .text(output.refusal?.words),
      "cause": output.cause == 0 ? .null : .whole(output.cause), "words": .text(words),
    ])
  }
}
