import Staty

/// Which visit came after which one: what was shown last, and which waiting visits were overtaken.
struct Succession: Sendable {
  /// The state that was shown last; 0 for none yet, -1 if it is not known.
  var shown: Int32 = 0
  /// The visit that entered last, of those that had not entered before.
  private var newest = Newest()
  /// The last visit that was pushed, and the message in whose handling it was.
  private var lastPush: (visit: UInt32, inside: Int64) = (0, 0)
  /// All waiting visits up to this one know which visits entered before them.
  private var overtakenThrough: UInt32 = 0

  private struct Newest {
    var visit: UInt32 = 0
    /// 0 for none yet, -1 if it is not known.
    var state: Int32 = 0
    var dismissed: Int64?
    var gone: Int64?
  }

  /// The visit that entered last; 0 if none did, or if it is not known.
  var last: UInt32 { newest.visit }
  /// The same, if it has exited.
  var lastShown: (visit: UInt32, state: Int32)? {
    newest.visit != 0 && newest.gone != nil ? (newest.visit, newest.state) : nil
  }
  /// The message in whose handling a visit was pushed; 0 if that is not known.
  func message(pushing visit: UInt32) -> Int64 { lastPush.visit == visit ? lastPush.inside : 0 }

  /// Shows a visit as if it had just entered; 0 for none.
  mutating func show(_ visit: UInt32, _ state: Int32, dismissed: Int64? = nil, gone: Int64? = nil) {
    shown = state
    newest = Newest(visit: visit, state: state, dismissed: dismissed, gone: gone)
  }

  mutating func push(_ row: EventRow) { lastPush = (row.visit, row.inside) }

  mutating func dismiss(_ row: EventRow) {
    guard row.visit == newest.visit, newest.gone == nil else { return }
    newest.dismissed = newest.dismissed ?? row.time
  }

  mutating func end(_ row: EventRow) {
    if row.visit == newest.visit, newest.gone == nil { newest.gone = row.time }
  }

  /// Forgets which visit entered last: what came before the recording is not known.
  mutating func forgetNewest() { newest = Newest(state: -1) }

  mutating func lose() { (shown, newest, overtakenThrough) = (-1, Newest(state: -1), 0) }

  /// Takes a visit that enters, if it is for the first time: its delay is measured from the visit before it.
  mutating func follow(_ visit: inout OpenVisit, _ row: EventRow) {
    // One that was over and entered again is in no row, so nothing counts from it.
    guard !visit.past.contains(.came), !visit.past.contains(.returned) else { return }
    visit.past.insert(.came)
    // The user has removed what was shown, so it is like the beginning.
    visit.from = visit.past.contains(.askedAnew) ? 0 : newest.state
    let (first, request) = (visit.first, visit.asked)
    let isSeen = request.seq != first.seq || request.time < first.time
    if request.seq != 0, isSeen || !visit.past.contains(.stood) {
      let asked = request.time
      let hasOther = newest.visit != 0
      let turn = hasOther ? newest.dismissed ?? newest.gone ?? row.time : asked
      let free = hasOther ? newest.gone ?? row.time : asked
      visit.turn = max(asked, min(turn, row.time))
      visit.free = max(asked, min(max(turn, free), row.time))
    }
    newest = Newest(visit: visit.visit, state: visit.state)
    if visit.firstDismissed.seq != 0 { newest.dismissed = visit.firstDismissed.time }
  }

  /// How many waiting visits are checked when one of them enters out of turn, by urgency.
  private static let mostOvertaken = 1_000

  /// Tells the waiting visits that were due earlier which visit entered before them.
  ///
  /// - Parameter decided: the event in which it was decided which enters; 0 if that is not known.
  mutating func overtake(
    _ slot: Int32, _ row: EventRow, _ discipline: Discipline, decided: Int64,
    _ open: inout OpenVisits
  ) {
    let jumper = open[slot]
    var slot = jumper.previous
    switch discipline {
    case .atOnce, .moves: return
    case .inOrder, .stack:
      while slot >= 0, open[slot].visit > overtakenThrough {
        open[slot].overtaken(by: jumper, row)
        slot = open[slot].previous
      }
      overtakenThrough = max(overtakenThrough, jumper.visit)
    case .byUrgency:
      var left = Self.mostOvertaken
      while slot >= 0, left > 0 {
        if open[slot].priority >= jumper.priority { open[slot].overtaken(by: jumper, row) }
        slot = open[slot].previous
        left -= 1
      }
      // Visits that were requested later count if they were requested before it was decided.
      slot = jumper.next
      while slot >= 0, left > 0, decided != 0 {
        let (rank, asked) = (open[slot].priority, open[slot].asked.seq)
        if rank > jumper.priority, asked != 0, asked <= decided {
          open[slot].passed(by: jumper, row)
        }
        slot = open[slot].next
        left -= 1
      }
    }
  }
}

extension OpenVisit {
  fileprivate mutating func overtaken(by other: OpenVisit, _ row: EventRow) {
    // A visit with an unknown phase is listed behind those that were requested after it.
    if other.visit > visit { passed(by: other, row) }
  }

  fileprivate mutating func passed(by other: OpenVisit, _ row: EventRow) {
    if jumper.seq == 0, !past.contains(.cancelled) {
      jumper = .init(seq: row.seq, visit: other.visit, state: other.state)
    }
  }
}
