import Staty
package import StatyHistory

extension Scenario {
  /// What may happen if what a recording tells happens once more.
  ///
  /// Who asked comes as often and in the same order as before. Requests that no state is known to have
  /// made are of one source if they were made at one place in the code on one thread; where the place
  /// is not known, each is of its own.
  /// What happened inside of something happens there again, and a request of a state at any time after
  /// what it answered to. A state leaves by itself only if one of its name did, and answers being told
  /// something out of turn as it did, if it was.
  ///
  /// - Parameter path: where a recorder has written.
  /// - Throws: an error that says why the file cannot be read.
  public init(
    ofHistoryAt path: String, session: Int64, registry: ControllerRegistry = ControllerRegistry()
  ) throws {
    try self.init(HistoryReader(path: path), session: session, registry: registry)
  }

  /// The same of a history that is open.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with; by default the session's last.
  ///   - only: the numbers of the controllers that are meant; by default all.
  ///   - registry: how controllers are made.
  ///   - replacement: which controllers are of another kind than the recorded one.
  /// - Throws: a `HistoryError`, or a `RegistryError` if there is no controller of that other name.
  package init(
    _ reader: HistoryReader, session: Int64, through last: Int64? = nil, only: Set<Int32>? = nil,
    registry: ControllerRegistry = ControllerRegistry(), with replacement: Replacement = .none
  ) throws {
    self = try RecordedOrder(
      reader, session: session, through: last, only: only, registry: registry, with: replacement
    ).scenario
  }
}
