package import StatyHistory
import StatyReading

extension Scenario {
  /// A scenario of what a recording tells, so that other orders of it can be tried.
  ///
  /// Each source makes its requests as often and in the same order as recorded. Requests that no
  /// state is known to have made are of one source if they were made at one place in the code on
  /// one thread. If the place is not known, each has a source of its own.
  ///
  /// What happened inside of something happens there again. A request by a state may happen at any
  /// time after the event that it answered. A state exits by itself only if a state of its name
  /// did. It answers a call out of turn only if it did so in the recording.
  ///
  /// - Parameter path: where a recorder has written.
  /// - Throws: an error that says why the file cannot be read.
  public init(
    ofHistoryAt path: String, session: Int64, registry: ControllerRegistry = ControllerRegistry()
  ) throws {
    try self.init(HistoryReader(path: path), session: session, registry: registry)
  }

  /// The same for a history that is open.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with; by default the session's last.
  ///   - only: the numbers of the controllers that are included; by default all.
  ///   - registry: how controllers are made.
  ///   - replacement: which controllers are of another kind than the recorded one.
  /// - Throws: a `HistoryError`, or a `RegistryError` if no controller has the replacement's name.
  package init(
    _ reader: HistoryReader, session: Int64, through last: Int64? = nil, only: Set<Int32>? = nil,
    registry: ControllerRegistry = ControllerRegistry(), with replacement: Replacement = .none
  ) throws {
    self = try RecordedOrder(
      reader, session: session, through: last, only: only, registry: registry, with: replacement
    ).scenario
  }
}
