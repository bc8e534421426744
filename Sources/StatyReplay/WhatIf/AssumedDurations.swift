import StatyHistory

/// How long a state takes of which nothing lawful was recorded.
final class AssumedDurations {
  private let session: LawfulDurations
  private let assumed: Int64
  private let readFile: () -> LawfulDurations
  // Read once somebody asks, for it goes through the whole file.
  private lazy var file = readFile()

  init(
    session: LawfulDurations, assumed: Int64, file readFile: @escaping () -> LawfulDurations
  ) {
    self.session = session
    self.assumed = assumed
    self.readFile = readFile
  }

  /// What states of this name mostly took in the session, else in the file, else what is assumed.
  func duration(_ kind: EventKind, of state: Int32) -> (microseconds: Int64, DurationSource) {
    if let time = session.median(kind, of: state) { return (time, .session) }
    if let time = file.median(kind, of: state) { return (time, .file) }
    return (assumed, .assumed)
  }
}
