import StatyHistory
import StatyReplay

/// Replays as JUnit XML, as most systems that run tests for others can read it.
struct JUnitReport {
  private var cases: [String] = []
  private var failures = 0
  private var errors = 0

  /// Takes in the replay of a session.
  mutating func add(_ replay: SessionReplay) throws {
    let opening =
      "    <testcase classname=\"\(Self.escaped(replay.history.path))\" "
      + "name=\"session \(replay.session.id)\""
    let what = Self.escaped(try ReplayLine(replay).what)
    switch replay.verdict {
    case .reproduced: cases.append(opening + "/>\n")
    case .diverged:
      failures += 1
      let text = try explanation(replay)
      cases.append(Self.with("failure", type: "diverged", what, text, opening))
    case .inconclusive:
      errors += 1
      let text = try explanation(replay)
      cases.append(Self.with("error", type: "inconclusive", what, text, opening))
    }
  }

  /// Takes in a what-if replay of a session.
  mutating func add(_ replay: WhatIfReplay) throws {
    let opening =
      "    <testcase classname=\"\(Self.escaped(replay.history.path))\" "
      + "name=\"session \(replay.session.id)\""
    if replay.status == .done { return cases.append(opening + "/>\n") }
    let isFailure = replay.status == .broken
    if isFailure { failures += 1 } else { errors += 1 }
    let text = Self.escaped(
      try WhatIfExplanation(replay, width: 100, style: Style(isOn: false)).text)
    cases.append(
      Self.with(
        isFailure ? "failure" : "error", type: replay.verdict.rawValue,
        Self.escaped(try WhatIfWords(replay).what), text, opening))
  }

  /// Takes in a file that could not be replayed.
  mutating func add(_ failure: Failure, path: String) {
    errors += 1
    cases.append(
      Self.with(
        "error", type: "unreadable", Self.escaped(failure.message), Self.escaped(failure.advice),
        "    <testcase classname=\"\(Self.escaped(path))\" name=\"file\""))
  }

  private func explanation(_ replay: SessionReplay) throws -> String {
    Self.escaped(try ReplayExplanation(replay, width: 100, style: Style(isOn: false)).text)
  }

  private static func with(
    _ element: String, type: String, _ message: String, _ text: String, _ opening: String
  ) -> String {
    "\(opening)>\n      <\(element) type=\"\(type)\" message=\"\(message)\">\(text)</\(element)>\n"
      + "    </testcase>\n"
  }

  /// The whole document.
  var text: String {
    let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n"
      + "  <testsuite name=\"staty replay\" \(counts)>\n" + cases.joined()
      + "  </testsuite>\n</testsuites>\n"
  }

  /// XML knows no control characters at all, not even escaped ones.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line).visible.reduce(into: "") { escaped, character in
        switch character {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        default: escaped.append(character)
        }
      }
    }.joined(separator: "\n")
  }
}
