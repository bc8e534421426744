import StatyRules

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
