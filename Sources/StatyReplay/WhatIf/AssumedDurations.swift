import Staty
import StatyHistory

/// How long a state takes of which nothing lawful was recorded.
final class AssumedDurations {
  private let session: LawfulDurations
  private let assumed: Int64
  private let readFile: () throws(HistoryError) -> LawfulDurations
  // Read once somebody asks, for it goes through the whole file.
  private lazy var file = read()
  /// Why the file could not be read.
  ///
  /// Who asks is inside of a controller's call, where nobody can throw; whoever began the run looks
  /// here when it is over.
  private(set) var failure: HistoryError?

  init(
    session: LawfulDurations, assumed: Int64,
    file readFile: @escaping () throws(HistoryError) -> LawfulDurations
  ) {
    self.session = session
    self.assumed = assumed
    self.readFile = readFile
  }

  private func read() -> LawfulDurations {
    do {
      return try readFile()
    } catch {
      failure = error
      return LawfulDurations()
    }
  }

  /// What states of this name mostly took in the session, else in the file, else what is assumed.
  func duration(_ kind: EventKind, of state: Int32) -> (microseconds: Int64, DurationSource) {
    if let time = session.median(kind, of: state) { return (time, .session) }
    if let time = file.median(kind, of: state) { return (time, .file) }
    return (assumed, .assumed)
  }
}
