import Staty
public import StatyHistory

extension Scenario {
  /// What may happen if what a recording tells happens once more.
  ///
  /// Who asked comes as often and in the same order as before. Requests of which it is not known
  /// whose code made them are of one source if they were made at one place in the code on one thread.
  /// What happened inside of something happens there again, and a request of a state at any time after
  /// what it answered to. A state leaves by itself only if one of its name did, and answers being told
  /// something out of turn as it did, if it was.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with; by default the session's last.
  ///   - only: the numbers of the controllers that are meant; by default all.
  ///   - registry: how controllers are made.
  ///   - replacement: which controllers are of another kind than the recorded one.
  /// - Throws: a `HistoryError`, or a `RegistryError` if there is no controller of that other name.
  public init(
    _ reader: HistoryReader, session: Int64, through last: Int64? = nil, only: Set<Int32>? = nil,
    registry: ControllerRegistry = ControllerRegistry(), with replacement: Replacement = .none
  ) throws {
    try replacement.check(registry)
    let cast = Cast(
      try reader.controllers(session: session), only: only, registry: registry, with: replacement)
    var recording = RecordedSide(session, cast, try reader.names(), [])
    try recording.read(
      RecordedEvents(reader, session: session, through: last), isWhole: last == nil,
      Self.mostEvents)
    var writer = ScenarioWriter(cast, recording.writer.script)
    writer.write()
    self = writer.scenario
    doubts += recording.writer.script.doubts + recording.doubts
  }

  /// No search gets to the end of more.
  private static let mostEvents = 200_000
}
