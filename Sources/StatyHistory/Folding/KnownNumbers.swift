/// Which visits that are not open are over, and which ones may be open, because their events were lost.
struct KnownNumbers: Sendable {
  /// The highest visit number seen.
  private(set) var last: UInt32 = 0
  /// Visits up to this one that are not open are unknown.
  private var unknownThrough: UInt32 = 0
  /// Whether the numbers before the next request's may belong to lost requests.
  private var lostRequests = false
  /// Visits that ended since the last loss, none with a number above the last one.
  private var gone = EndedVisits()
  /// Visits that had ended before the last loss.
  private var goneBefore = EndedVisits()

  var isComplete: Bool { unknownThrough == 0 && !lostRequests }
  /// What had happened to a visit that has ended, if that is remembered.
  func past(of visit: UInt32) -> VisitPast? { gone[visit] ?? endedBefore(visit) }
  /// The same of one that had ended before the last loss; one that is no longer followed may not have.
  private func endedBefore(_ visit: UInt32) -> VisitPast? {
    guard let past = goneBefore[visit], past.contains(.exited) || past.contains(.discarded) else {
      return nil
    }
    return past
  }
  /// Whether no event of a visit was lost: if it is not open, it is over.
  func isKnown(_ visit: UInt32) -> Bool { visit <= last && visit > unknownThrough }
  /// Whether a visit that is not open has ended.
  func isOver(_ visit: UInt32) -> Bool { isKnown(visit) || past(of: visit) != nil }
  /// Whether a visit had ended before the last loss or is no longer followed, if that is remembered.
  func wasOver(_ visit: UInt32) -> Bool { goneBefore[visit] != nil }
  /// Whether a visit may have any phase, because its events were lost.
  func isOutOfSight(_ visit: UInt32) -> Bool {
    // Some visits that ended since may be forgotten.
    visit != 0 && visit <= unknownThrough && gone[visit] == nil && !gone.hasForgotten
      && goneBefore[visit] == nil
      || lostRequests && visit > last
  }

  /// Begins a visit, unless its number was used before: then nothing about it is certain.
  mutating func begin(_ visit: UInt32) -> Bool {
    if visit <= last {
      forget(visit)
      return false
    }
    // The visits between were requested in lost events.
    if lostRequests || visit > last + 1 { unknownThrough = visit - 1 }
    (last, lostRequests) = (visit, false)
    return true
  }

  /// Takes a visit that was there when recording began.
  mutating func stand(_ visit: UInt32) { last = max(last, visit) }
  /// Takes a visit that may have been requested in lost events.
  mutating func see(_ visit: UInt32) { if visit > last { (last, unknownThrough) = (visit, visit) } }
  mutating func end(_ visit: UInt32, _ past: VisitPast) { gone.add(visit, past) }
  /// Ends a visit that is no longer followed.
  mutating func drop(_ visit: UInt32) { goneBefore.add(visit, []) }
  /// Ends a visit whose phase was not known.
  mutating func endUnsure(_ visit: UInt32, _ how: VisitPast) {
    guard isOutOfSight(visit) else { return goneBefore.add(visit, how) }
    see(visit)
    gone.add(visit, how)
  }

  /// Draws no more conclusions from a visit that is not open.
  mutating func forget(_ visit: UInt32) {
    if visit > last { return see(visit) }
    if isOver(visit) { gone.add(visit, (past(of: visit) ?? []).union(.judged)) }
  }

  /// Notes that events are missing here.
  mutating func lose() {
    goneBefore.take(gone)
    gone.removeAll()
    (unknownThrough, lostRequests) = (last, true)
  }

  /// Remembers the visits that had ended while the controller had another number.
  mutating func succeed(_ earlier: KnownNumbers) {
    goneBefore.take(earlier.goneBefore)
    goneBefore.take(earlier.gone)
  }

  /// Remembers no visits any more: an app may have had very many controllers.
  mutating func removeAll() { (gone, goneBefore) = (EndedVisits(), EndedVisits()) }
}
