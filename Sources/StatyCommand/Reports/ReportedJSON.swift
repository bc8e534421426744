import StatyHistory
import StatyReplay
import StatyRules

/// What the JSON of every verb says of a finding and of a doubt: one shape for each, wherever it
/// stands.
///
/// A finding, of `check`, of `replay`, and of a recording and what was played instead of it:
///
/// - `code`, `severity`: the rule's code, and `error` or `warning`.
/// - `controller`, `controller_id`: the name under which its controller is recorded, and its number in
///   the file.
/// - `visit`, `state`: the visit that it is about and its state's name; `null` if it is about none.
/// - `seq`, `t_ms`: the number of the guilty event, and when it was in milliseconds since the session
///   began; of what was played, the number and the time there.
/// - `detail`: what went wrong, in one sentence.
/// - `hint`: how to declare another discipline, if that is what the controller needs; else `null`.
/// - `causes`, `consequences`: the numbers of the events that it happened in, the nearest first, and of
///   the first that happened because of it.
///
/// A doubt, of a replay and of a what-if replay:
///
/// - `reason`: why something cannot be said, in a word.
/// - `controller`, `controller_id`: as with a finding; `null` if it is about all.
/// - `seq`: the number of the event at which it shows; `null` if it shows at none.
/// - `detail`: the same in a sentence or two.
enum ReportedJSON {
  static func finding(
    _ finding: Finding, _ words: EventWords, _ context: FindingContext?
  ) -> JSONValue {
    .object([
      "code": .text(finding.code.rawValue), "severity": .text(finding.severity.rawValue),
      "controller": .text(words.controllers[finding.controller]?.name),
      "controller_id": .whole(finding.controller),
      "visit": finding.visit == 0 ? .null : .whole(finding.visit),
      "state": .text(words.names[finding.state]), "seq": .whole(finding.seq),
      "t_ms": context.map { .number(Double($0.guilty.time) / 1_000) } ?? .null,
      "detail": .text(finding.detail { words.names[$0] }),
      "hint": .text(words.controllers[finding.controller].flatMap(finding.hint)),
      "causes": .list(context.map { $0.causes.map { .whole($0.seq) } } ?? []),
      "consequences": .list(context.map { $0.consequences.map { .whole($0.seq) } } ?? []),
    ])
  }

  /// - Parameter known: the kinds of controller that can be made.
  static func doubt(
    _ doubt: ReplayDoubt, _ words: EventWords, known: [String]
  ) -> JSONValue {
    let doubt = DoubtWords(doubt)
    return .object([
      "reason": .text(doubt.reason),
      "controller": .text(doubt.controller.flatMap { words.controllers[$0]?.name }),
      "controller_id": doubt.controller.map { .whole($0) } ?? .null,
      "seq": doubt.seq.map { .whole($0) } ?? .null,
      "detail": .text(doubt.sentence(words, known: known)),
    ])
  }
}
