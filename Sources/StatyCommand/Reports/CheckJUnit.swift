/// Checks as JUnit XML: a case for each session, and one for each finding in it.
struct CheckJUnit {
  private var cases: [String] = []
  private var failures = 0
  private var errors = 0
  private let isStrict: Bool

  /// - Parameter isStrict: whether warnings are failures, too.
  init(isStrict: Bool) { self.isStrict = isStrict }

  /// Takes in that a session was checked.
  mutating func add(session: Int64, of file: String) {
    cases.append(Self.opening(file, "session \(session)") + "/>\n")
  }

  /// Takes in what was found.
  mutating func add(_ place: FoundPlace) {
    let name = "session \(place.session), event \(place.seq): \(place.code)"
    let line = XMLText.escaped(String(place.line(Style(isOn: false)).dropLast()))
    let isFailure = place.isError || isStrict
    if isFailure { failures += 1 }
    cases.append(
      Self.opening(place.file, name) + ">\n"
        + (isFailure
          ? "      <failure type=\"\(XMLText.escaped(place.code))\" "
            + "message=\"\(XMLText.escaped(place.detail.visible))\">\(line)</failure>\n"
          : "      <system-out>\(line)</system-out>\n")
        + "    </testcase>\n")
  }

  /// Takes in a file, or a session of one, that could not be checked.
  mutating func add(_ failure: Failure, path: String, session: Int64? = nil) {
    errors += 1
    cases.append(
      Self.opening(path, session.map { "session \($0)" } ?? "file")
        + ">\n      <error type=\"unreadable\" message=\"\(XMLText.escaped(failure.message.visible))\">"
        + XMLText.escaped(failure.advice.visible) + "</error>\n    </testcase>\n")
  }

  private static func opening(_ file: String, _ name: String) -> String {
    "    <testcase classname=\"\(XMLText.escaped(file.visible))\" name=\"\(XMLText.escaped(name))\""
  }

  /// The whole document.
  var text: String {
    let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n"
      + "  <testsuite name=\"staty check\" \(counts)>\n" + cases.joined()
      + "  </testsuite>\n</testsuites>\n"
  }
}
