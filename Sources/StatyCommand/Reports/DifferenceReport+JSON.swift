import StatyHistory
import StatyReport

extension DifferenceReport {
  /// The report for other programs.
  var json: JSONValue {
    let first = difference.first
    return .object([
      "verdict": .text(difference.verdict.rawValue),
      "equal": difference.verdict == .inconclusive
        ? .null : .bool(difference.verdict == .equal), "a": Self.json(one), "b": Self.json(other),
      "first": first.map { Self.json($0.key, $0.course, one, other) } ?? .null,
      "controllers": .list(
        difference.courses.sorted { $0.key < $1.key }.map { key, course in
          .object([
            "name": .text(key.name), "place": .whole(key.place + 1),
            "verdict": .text(course.verdict.rawValue),
            "equal": course.verdict == .inconclusive ? .null : .bool(course.verdict == .equal),
            "common": .whole(course.common),
            "events_a": .whole(course.counts.one), "events_b": .whole(course.counts.other),
          ])
        }),
      "gaps": .list(
        allGaps.map { key, gap, letter in
          .object([
            "in": .text(letter.lowercased()), "controller": .text(key.name),
            "place": .whole(key.place + 1), "seq": .whole(gap.seq), "reason": .text(gap.reason),
          ])
        }),
      "only_in_a": .list(difference.onlyInOne.map { .text($0.name) }),
      "only_in_b": .list(difference.onlyInOther.map { .text($0.name) }),
    ])
  }

  private static func json(_ side: HistorySide) -> JSONValue {
    .object(["file": .text(side.history.path), "session": .whole(side.session.id)])
  }

  private static func json(
    _ key: ControllerKey, _ course: HistoryDifference.Course, _ one: HistorySide,
    _ other: HistorySide
  ) -> JSONValue {
    .object([
      "controller": .text(key.name), "event": .whole(course.common + 1),
      "a": json(course.difference?.one, one), "b": json(course.difference?.other, other),
    ])
  }

  private static func json(_ event: HistorySide.Event?, _ side: HistorySide) -> JSONValue {
    guard let event else { return .null }
    return .object([
      "seq": .whole(event.row.seq), "t_ms": .number(Double(event.row.time) / 1_000),
      "what": .text(side.words.what(event.row)), "visit": .whole(event.meaning.visit),
      "state": .text(event.meaning.state), "instance": .whole(event.meaning.instance),
      "refusal": .text(event.meaning.refusal.map { RefusalWords.text($0) }),
    ])
  }
}
