/// Checks as JUnit XML: a case for each session, and one for each finding in it.
struct CheckJUnit {
  private(set) var document = JUnitDocument(suite: "staty check")
  private let isStrict: Bool

  /// - Parameter isStrict: whether warnings are failures, too.
  init(isStrict: Bool) { self.isStrict = isStrict }

  /// Takes in that a session was checked, and what of it could not be.
  mutating func add(session: Int64, of file: String, _ loss: LossNote?) {
    document.add(
      "session \(session)", of: file, loss.map { .remarked($0.sentence) } ?? .passed)
  }

  /// Takes in what was found.
  mutating func add(_ place: FoundPlace) {
    let line = String(place.line(Style(isOn: false)).dropLast())
    document.add(
      "session \(place.session), event \(place.seq): \(place.code)", of: place.file,
      place.isError || isStrict
        ? .failed(type: place.code, message: place.detail, line) : .remarked(line))
  }

  /// Takes in a file, or a session of one, that could not be checked.
  mutating func add(_ failure: Failure, path: String, session: Int64? = nil) {
    document.add(failure, path: path, session: session)
  }
}
