import StatyHistory

/// Replays as JUnit XML: a case for each session.
struct ReplayJUnit {
  private(set) var document = JUnitDocument(suite: "staty replay")

  /// Takes in the replay of a session.
  mutating func add(_ replay: some RepeatedReplay) throws {
    document.add("session \(replay.session.id)", of: replay.history.path, try Self.outcome(replay))
  }

  private static func outcome(_ replay: some RepeatedReplay) throws -> JUnitDocument.Outcome {
    if replay.status == .done { return .passed }
    let (type, message) = (replay.verdictName, try replay.what)
    let text = try replay.explanation(width: 100, style: Style(isOn: false))
    return replay.status == .broken
      ? .failed(type: type, message: message, text) : .erred(type: type, message: message, text)
  }

  /// Takes in a file that could not be replayed.
  mutating func add(_ failure: Failure, path: String) { document.add(failure, path: path) }
}
