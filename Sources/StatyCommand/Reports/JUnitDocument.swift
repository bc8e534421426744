/// A document of JUnit XML, which most CI systems can read.
struct JUnitDocument {
  /// The result of a case.
  enum Outcome {
    case passed
    /// It passed, with a remark.
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

  /// Adds a case.
  mutating func add(_ name: String, of file: String, _ outcome: Outcome) {
    let opening =
      "    <testcase classname=\"\(XMLText.escaped(file.visible))\" "
      + "name=\"\(XMLText.escaped(name))\""
    let element: String
    switch outcome {
    case .passed: return cases.append(opening + "/>\n")
    case .remarked(let text): element = "<system-out>\(XMLText.escaped(text))</system-out>"
    case .failed(let type, let message, let text):
      failures += 1
      element = Self.element("failure", type, message, text)
    case .erred(let type, let message, let text):
      errors += 1
      element = Self.element("error", type, message, text)
    }
    cases.append("\(opening)>\n      \(element)\n    </testcase>\n")
  }

  /// Adds a file, or a session of one, that could not be read.
  mutating func add(_ failure: Failure, path: String, session: Int64? = nil) {
    add(
      session.map { "session \($0)" } ?? "file", of: path,
      .erred(type: "unreadable", message: failure.message, failure.advice))
  }

  private static func element(
    _ name: String, _ type: String, _ message: String, _ text: String
  ) -> String {
    "<\(name) type=\"\(XMLText.escaped(type))\" message=\"\(XMLText.escaped(message.visible))\">"
      + "\(XMLText.escaped(text))</\(name)>"
  }

  /// The whole document.
  var text: String {
    let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n"
      + "  <testsuite name=\"\(suite)\" \(counts)>\n" + cases.joined()
      + "  </testsuite>\n</testsuites>\n"
  }
}
