import StatyRules

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

/// Checks as JUnit XML: a case for each finding, and one for each session without failures.
struct CheckJUnit {
  /// A session of a file.
  private struct Place: Hashable {
    let file: String
    let session: Int64
  }

  private var document = JUnitDocument(suite: "staty check")
  private var checked: [(place: Place, loss: LossNote?, isJudged: Bool)] = []
  private var failed: Set<Place> = []
  private let isStrict: Bool

  /// - Parameter isStrict: whether warnings are failures, too.
  init(isStrict: Bool) { self.isStrict = isStrict }

  /// Adds a checked session, and its losses.
  mutating func add(session: Int64, of file: String, _ loss: LossNote?, isJudged: Bool) {
    checked.append((Place(file: file, session: session), loss, isJudged))
  }

  /// Adds a finding.
  mutating func add(_ place: FoundPlace) {
    let line = String(place.line(Style(isOn: false)).dropLast())
    let fails = place.severity == .error || isStrict && place.severity == .warning
    if fails { failed.insert(Place(file: place.file, session: place.session)) }
    document.add(
      "session \(place.session), event \(place.seq): \(place.code)", of: place.file,
      fails ? .failed(type: place.code, message: place.detail, line) : .remarked(line))
  }

  /// Adds a file, or a session of one, that could not be checked.
  mutating func add(_ failure: Failure, path: String, session: Int64? = nil) {
    document.add(failure, path: path, session: session)
  }

  /// The whole document.
  var text: String {
    var document = document
    let isIdle = !checked.contains(where: \.isJudged)
    for (place, loss, isJudged) in checked {
      if isIdle {
        document.add(
          "session \(place.session)", of: place.file,
          .erred(
            type: "inconclusive", message: "Nothing was judged.",
            "No request, message or move was recorded."))
      } else if failed.contains(place) {
        // Its findings are its failures, but its gaps are reported, too.
        guard let loss else { continue }
        document.add("session \(place.session), gaps", of: place.file, .remarked(loss.sentence))
      } else {
        let remark = loss?.sentence ?? (isJudged ? nil : "Nothing was judged.")
        document.add(
          "session \(place.session)", of: place.file, remark.map { .remarked($0) } ?? .passed)
      }
    }
    return document.text
  }
}

/// Text in XML.
enum XMLText {
  /// The text with all special characters escaped and invisible ones written out; line ends stay.
  ///
  /// Scalar by scalar: `<` with a combining mark is another character in Swift, but still begins a
  /// tag. XML allows no control characters, not even escaped ones.
  static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
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

  /// Most texts are plain, and a file may have thousands of sessions.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
    default: byte == UInt8(ascii: "\n") || (0x20..<0x7f).contains(byte)
    }
  }
}
