import Staty
package import StatyHistory

/// Replays one session: tells fresh controllers every recorded input and compares their outputs
/// with the recorded ones.
///
/// The file is gone through once, and memory does not grow with it. Controllers that are policies,
/// plain values, are told where the recording stands; an app's own, which are opaque, are run again
/// and followed from inside.
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
  ///   - replacement: which controllers are made by another name than the recorded one.
  /// - Throws: a `HistoryError`, or a `RegistryError` if there is no controller of that other name.
  package init(
    _ reader: HistoryReader, session: Int64, through last: Int64? = nil, only: Set<Int32>? = nil,
    registry: ControllerRegistry = ControllerRegistry(), with replacement: Replacement = .none
  ) throws {
    try replacement.check(registry)
    self.reader = reader
    self.session = try reader.session(session)
    self.last = last
    names = RecordedNames(try reader.names())
    cast = Cast(
      try reader.controllers(session: session), only: only, registry: registry, with: replacement)
  }

  /// Goes through the session.
  package func run() throws(HistoryError) -> ReplayResult {
    let isTimed = !cast.opaque.isEmpty
    let events = try RecordedEvents(
      reader, session: session.id, through: last, isTimed: isTimed, isAhead: true)
    let walk = OpaqueWalk(
      RecordingWindow(events, cast, names, session), session, isWhole: last == nil)
    var result = try walk.run()
    // A policy knows no time: only of the few places that are told it is looked up.
    if !isTimed {
      try result.lookUpTimes { seq throws(HistoryError) in
        try reader.events(session: session.id, from: seq, through: seq).next()?.time
      }
    }
    return result
  }
}
