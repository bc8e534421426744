/// Checks as JUnit XML: a case for each finding, and one for each session without failures.
struct CheckJUnit {
  /// A session of a file.
  private struct Place: Hashable {
    let file: String
    let session: Int64
  }

  private var document = JUnitDocument(suite: "staty check")
  private var checked: [(place: Place, loss: LossNote?)] = []
  private var failed: Set<Place> = []
  private let isStrict: Bool

  /// - Parameter isStrict: whether warnings are failures, too.
  init(isStrict: Bool) { self.isStrict = isStrict }

  /// Adds a checked session, and its losses.
  mutating func add(session: Int64, of file: String, _ loss: LossNote?) {
    checked.append((Place(file: file, session: session), loss))
  }

  /// Adds a finding.
  mutating func add(_ place: FoundPlace) {
    let line = String(place.line(Style(isOn: false)).dropLast())
    let fails = place.isError || isStrict
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
    for (place, loss) in checked {
      if failed.contains(place) {
        // Its findings are its failures, but its gaps are reported, too.
        guard let loss else { continue }
        document.add("session \(place.session), gaps", of: place.file, .remarked(loss.sentence))
      } else {
        document.add(
          "session \(place.session)", of: place.file,
          loss.map { .remarked($0.sentence) } ?? .passed)
      }
    }
    return document.text
  }
}
