/// A document of JUnit XML, as most systems that run tests for others can read it.
struct JUnitDocument {
  /// What came of a case.
  enum Outcome {
    case passed
    /// It passed, and this is to be known.
    case remarked(String)
    case failed(type: String, message: String, String)
    /// It could not be judged.
    case erred(type: String, message: String, String)
  }

  private let suite: String
  private var cases: [String] = []
  private var failures = 0
  private var errors = 0

  /// - Parameter suite: what was done.
  init(suite: String) { self.suite = suite }

  /// Takes in a case.
  mutating func add(_ name: String, of file: String, _ outcome: Outcome) {
    let opening =
      "    <testcase classname=\"\(Self.escaped(file.visible))\" "
      + "name=\"\(Self.escaped(name))\""
    let element: String
    switch outcome {
    case .passed: return cases.append(opening + "/>\n")
    case .remarked(let text): element = "<system-out>\(Self.escaped(text))</system-out>"
    case .failed(let type, let message, let text):
      failures += 1
      element = Self.element("failure", type, message, text)
    case .erred(let type, let message, let text):
      errors += 1
      element = Self.element("error", type, message, text)
    }
    cases.append("\(opening)>\n      \(element)\n    </testcase>\n")
  }

  /// Takes in a file, or a session of one, that could not be read.
  mutating func add(_ failure: Failure, path: String, session: Int64? = nil) {
    add(
      session.map { "session \($0)" } ?? "file", of: path,
      .erred(type: "unreadable", message: failure.message, failure.advice))
  }

  private static func element(
    _ name: String, _ type: String, _ message: String, _ text: String
  ) -> String {
    "<\(name) type=\"\(escaped(type))\" message=\"\(escaped(message.visible))\">"
      + "\(escaped(text))</\(name)>"
  }

  /// All of it.
  var text: String {
    let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n"
      + "  <testsuite name=\"\(suite)\" \(counts)>\n" + cases.joined()
      + "  </testsuite>\n</testsuites>\n"
  }

  /// The text with everything escaped that has a meaning, and what cannot be seen written out; lines
  /// stay lines.
  ///
  /// Scalar by scalar: `<` with a mark on it is another character, and still begins a tag. XML knows
  /// no control characters at all, not even escaped ones.
  private static func escaped(_ text: String) -> String {
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
