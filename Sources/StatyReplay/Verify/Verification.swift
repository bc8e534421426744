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
  package mutating func run() throws(HistoryError) -> ReplayResult {
    if cast.opaque.isEmpty { return try runPolicies() }
    var placement = Placement()
    while true {
      let events = try RecordedEvents(
        reader, session: session.id, through: last, isAhead: true)
      let replay = OpaqueReplay(
        events, session: session, isWhole: last == nil, cast: cast, names: names,
        placement: placement)
      if let result = try replay.run() { return result }
      // The recording does not say who made some of the inputs; now more is known of it.
      placement = replay.placement
    }
  }

  /// Nobody has to be run again: one pass, one event after the other.
  private func runPolicies() throws(HistoryError) -> ReplayResult {
    var policies = PolicyReplay(names: names, cast)
    var calls = cast.calls
    // A policy knows no time: only of the few places that are told it is looked up.
    var events = try RecordedEvents(
      reader, session: session.id, through: last, isTimed: false, isAhead: true)
    while let event = events.next {
      while let loss = events.takeLoss() { policies.stopAt(loss) }
      let place = calls.take(event.row)
      take(event, place, &policies)
      policies.noteSeen(event.row)
      if place.isMisplaced { policies.noteMisplaced(event.row) }
      try events.advance()
    }
    while let loss = events.takeLoss() { policies.stopAt(loss) }
    events.letGo()
    policies.finish(session, isWhole: last == nil)
    policies.result.finish(policies.digest)
    try policies.result.lookUpTimes { seq throws(HistoryError) in
      try reader.events(session: session.id, from: seq, through: seq).next()?.time
    }
    return policies.result
  }

  private func take(
    _ event: RecordedEvent, _ place: CallStacks.Place, _ policies: inout PolicyReplay
  ) {
    guard let kind = event.kind else {
      policies.result.add(.unreadable(seq: event.row.seq))
      return
    }
    switch kind {
    case .attached: cast.begin(event.row.controller, at: event.row.seq, &policies)
    case .detached: policies.end(event.row.controller)
    case .mark, .lost, .stood: break
    default:
      policies.take(event, kind, isInHand: place.isInHand)
      if policies.hasLost { cast.noteUnbegun(event.row.controller, &policies) }
    }
  }
}
