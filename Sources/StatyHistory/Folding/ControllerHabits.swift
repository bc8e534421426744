import Staty

/// What a controller was seen to do by itself, and how late: the same may follow when a session ends.
struct ControllerHabits: Sendable {
  /// Whether visits may exit by themselves, if that is known from elsewhere.
  var exitsByThemselves: Bool?
  /// Whether a visit has exited that was not told to, and whether one was told to while another waited.
  private var (hasExitedByItself, hasMadeRoom) = (false, false)
  /// Whether it acted outside of an input, as in a task of its own, and whether it did in a deferred step.
  private(set) var actsOutsideInputs = false
  private var actsInSteps = false
  /// Whether recording ended while nothing was under way.
  private var hasEndedAtRest = false
  /// How long a visit was shown at most before a deferred step told it to exit, and others waited.
  private var hold: Int64 = 0
  /// How long the stage was free at most before a deferred step let a visit enter that waited; none if no step did.
  private var pause: Int64?
  /// Whether it let a visit that waited enter without such a step.
  private var letsInAtOnce = false
  /// The last deferred step, and the event in which it was decided on.
  private var lastStep = (seq: Int64(0), decided: Int64(0))
  /// How long the next turn of a queue may take to come, in microseconds.
  private static let turn: Int64 = 50_000
  /// Since when the stage was free before it.
  private var freeBeforeStep = OpenVisit.Point()

  /// Whether its visits exit by themselves, as alerts do, and it makes no room for those that wait.
  var waitsForExits: Bool { (exitsByThemselves ?? hasExitedByItself) && !hasMadeRoom }
  /// Whether a visit may still be shown for its time: a timer has told others to exit, and may be late.
  func isHeld(since time: Int64, at now: Int64) -> Bool { now &- time < hold &+ hold / 4 }
  /// Whether a deferred step may still let a visit enter that waits for so long.
  ///
  /// - Parameter isCut: whether more would have happened. Then the next turn may still come, and of one that was never
  ///   seen to pause, it is not known how long it does.
  func mayPause(since time: Int64, at now: Int64, isCut: Bool) -> Bool {
    if !actsInSteps { return false }
    guard let pause else { return isCut && !letsInAtOnce }
    let limit = pause &+ pause / 4
    return now &- time < (isCut ? max(limit, Self.turn) : limit)
  }
  /// Whether it is known that it does nothing more.
  var isSettled: Bool { hasEndedAtRest && !actsOutsideInputs && !actsInSteps }

  private func isInStep(_ row: EventRow) -> Bool { row.cause != 0 && row.cause == lastStep.seq }
  /// The event in which the event's decision was made; 0 if that is not known.
  func decision(_ row: EventRow) -> Int64 { isInStep(row) ? lastStep.decided : row.cause }

  /// Takes an event, before which the stage is free since another one.
  ///
  /// - Parameter isWithholding: whether it has no target: then `resumed` is no step of its own.
  mutating func take(
    _ row: EventRow, _ kind: EventKind, free: OpenVisit.Point, isWithholding: Bool
  ) {
    switch kind {
    case .resumed:
      (lastStep, freeBeforeStep) = ((row.seq, decision(row)), free)
      if !isWithholding { actsInSteps = true }
    case .attached: hasEndedAtRest = false
    case .detached: hasEndedAtRest = row.cause == 0
    default: if kind.side == .output, kind != .moved, row.cause == 0 { actsOutsideInputs = true }
    }
  }

  mutating func enter(_ row: EventRow, asked: OpenVisit.Point) {
    if isInStep(row) {
      pause = max(pause ?? 0, row.time &- max(asked.time, freeBeforeStep.time))
    } else if row.cause != asked.seq {
      letsInAtOnce = true
    }
  }

  /// Notes that a visit is told to exit while another one waits.
  mutating func makeRoom(_ row: EventRow, entered: OpenVisit.Point) {
    hasMadeRoom = true
    // It was put off when the visit entered, and not because another one waits.
    if isInStep(row), lastStep.decided != 0, lastStep.decided <= entered.seq {
      hold = max(hold, row.time &- entered.time)
    }
  }

  mutating func exitByItself() { hasExitedByItself = true }
}
