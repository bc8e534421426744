import Staty
import StatyHistory

// Whom else an event concerns: those on the stage, those who are overtaken, other threads.
extension ControllerModel {
  /// Notes whom else the stage has.
  func noteOthers(_ slot: Int32, _ moment: inout Moment) {
    let count = open.standing.count - (open[slot].isOnStage ? 1 : 0)
    guard count > 0 else { return }
    let last = open.standing.last
    let other = last == slot ? open[last].previous : last
    moment.other = open[other].visit
    moment.otherState = open[other].state
  }

  /// How many that wait are looked at when one of them comes in out of turn, by urgency.
  private static let mostOvertaken = 1_000

  /// Tells those that wait and were asked for earlier who came in before them.
  mutating func overtake(_ slot: Int32, _ row: EventRow) {
    let jumper = open[slot]
    var slot = jumper.previous
    switch discipline {
    case .atOnce: return
    case .inOrder:
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
    }
  }
}

extension VisitRecord {
  fileprivate mutating func overtaken(by other: VisitRecord, _ row: EventRow) {
    // One that was out of sight stands behind those that were asked for after it.
    if jumper.seq == 0, other.visit > visit {
      jumper = .init(seq: row.seq, visit: other.visit, state: other.state)
    }
  }
}

/// The last inputs without cause: the very last, and the last of another thread than that one's.
struct Intrusion {
  var last = RecentEvents.Event()
  var lastOfOther = RecentEvents.Event()
}

extension ControllerModel {
  mutating func noteInput(_ kind: EventKind, _ moment: inout Moment) {
    let row = moment.row
    if row.cause == 0 {
      guard kind.side == .input, kind != .attached, kind != .detached else { return }
      lastTopInput = row.seq
      if intrusion.last.thread != row.thread { intrusion.lastOfOther = intrusion.last }
      intrusion.last = RecentEvents.Event(
        seq: row.seq, controller: id, visit: row.visit, state: row.state, kind: row.kind,
        reason: row.reason, thread: row.thread)
      return
    }
    // A step that was put off runs whenever and wherever it runs.
    let cause = moment.cause
    guard kind != .resumed, cause.kind != 0, cause.controller == id, cause.thread == row.thread,
      EventKind(rawValue: cause.kind)?.side == .input
    else { return }
    let candidate =
      intrusion.last.thread != row.thread ? intrusion.last : intrusion.lastOfOther
    if candidate.seq > cause.seq, candidate.thread != row.thread { moment.intruder = candidate }
  }
}
