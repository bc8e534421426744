package import StatyHistory

/// Replays one session: tells new controllers every recorded input, and compares their outputs with
/// the recorded ones.
///
/// The file is read once, and memory does not grow with it. A policy is a value: it is told each
/// input when the input is read. An app's own controller is opaque: it is run again and observed
/// from inside.
package struct Verification {
  private let reader: HistoryReader
  private let session: SessionRecord
  private let last: Int64?
  private let cast: Cast
  private let names: RecordedNames

  /// A verification of the session with this number.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with; by default the session's last.
  ///   - only: the numbers of the controllers to replay; by default all.
  ///   - registry: how controllers are made.
  ///   - replacement: which controllers are made under another name than the recorded one.
  /// - Throws: a `HistoryError`, or a `RegistryError` if no controller has the replacement's name.
  package init(
    _ reader: HistoryReader, session: Int64, through last: Int64? = nil, only: Set<Int32>? = nil,
    registry: ControllerRegistry = ControllerRegistry(), with replacement: Replacement = .none
  ) throws {
    let controllers = registry.current(try reader.controllers(session: session))
    cast = try Cast(controllers, only: only, registry: registry, with: replacement)
    self.reader = reader
    self.session = try reader.session(session)
    self.last = last
    names = RecordedNames(registry.current(try reader.names()))
  }

  /// Replays the session.
  package func run() throws(HistoryError) -> ReplayResult {
    let isTimed = !cast.opaque.isEmpty
    let events = try RecordedEvents(
      reader, session: session.id, through: last, isTimed: isTimed, isAhead: true)
    let walk = OpaqueWalk(
      RecordingWindow(events, cast, names, session), session, isWhole: last == nil)
    var result = try walk.run()
    // Policies need no times: they are looked up for the few results that have one.
    if !isTimed {
      try result.lookUpTimes { seq throws(HistoryError) in
        try reader.events(session: session.id, from: seq, through: seq).next()?.time
      }
    }
    return result
  }
}
