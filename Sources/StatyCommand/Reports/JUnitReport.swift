import StatyHistory

/// Replays as JUnit XML, as most systems that run tests for others can read it.
struct JUnitReport {
  private var cases: [String] = []
  private var failures = 0
  private var errors = 0

  /// Takes in the replay of a session.
  mutating func add(_ replay: some RepeatedReplay) throws {
    let opening =
      "    <testcase classname=\"\(Self.escaped(replay.history.path))\" "
      + "name=\"session \(replay.session.id)\""
    if replay.status == .done { return cases.append(opening + "/>\n") }
    let isFailure = replay.status == .broken
    if isFailure { failures += 1 } else { errors += 1 }
    let text = Self.escaped(try replay.explanation(width: 100, style: Style(isOn: false)))
    cases.append(
      Self.with(
        isFailure ? "failure" : "error", type: replay.verdictName,
        Self.escaped(try replay.what), text, opening))
  }

  /// Takes in a file that could not be replayed.
  mutating func add(_ failure: Failure, path: String) {
    errors += 1
    cases.append(
      Self.with(
        "error", type: "unreadable", Self.escaped(failure.message), Self.escaped(failure.advice),
        "    <testcase classname=\"\(Self.escaped(path))\" name=\"file\""))
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
  private static func escaped(_ text: String) -> String { XMLText.escaped(text) }
}

/// Texts as parts of XML.
enum XMLText {
  /// The text with everything escaped that has a meaning, and what cannot be seen written out; lines
  /// stay lines.
  ///
  /// Scalar by scalar: `<` with a mark on it is another character, and still begins a tag.
  static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var escaped = ""
      for scalar in String(line).visible.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
      return escaped
    }.joined(separator: "\n")
  }
}
