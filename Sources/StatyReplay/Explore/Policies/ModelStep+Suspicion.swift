import Staty
import StatyHistory

// What the rules might find in the next event.
//
// Few of many million steps break a rule, and the rules need a run of everything before the step.
// So this file decides only what is suspicious, and the rules check that alone.
extension ModelStep {
  @inline(__always)
  mutating func suspectRequest(_ slot: Int, _ world: borrowing ModelWorld<Policy>) {
    let origin = plan.origin[slot]
    if origin >= 0, (world.courses.over | ending).contains(Int(origin)) {
      suspicion.insert(.staleRequest)
    }
  }

  @inline(__always)
  mutating func suspectRequest(inside kind: EventKind) {
    if kind == .entering || kind == .exiting { suspicion.insert(.reentrantRequest) }
  }

  /// - Parameters:
  ///   - isBelieved: whether the policy was waiting for it.
  ///   - isActedUpon: whether the policy decided something because of it.
  @inline(__always)
  mutating func suspectCompletion(
    _ completion: Completion, _ slot: Int, _ world: borrowing ModelWorld<Policy>,
    isBelieved: Bool, isActedUpon: Bool
  ) {
    guard isBelieved else {
      if completion == .exited, isActedUpon { suspicion.insert(.doubleExit) }
      return
    }
    if world.courses.over.contains(slot) { suspicion.insert(.doubleExit) }
    if completion == .entered, !world.courses.onStage.contains(slot) {
      suspicion.insert(.unsound)
    }
  }

  @inline(__always)
  mutating func suspectEntering(_ slot: Int, _ world: borrowing ModelWorld<Policy>) {
    if world.courses.onStage.contains(slot) {
      suspicion.insert(.doubleEnter)
    } else {
      if plan.discipline.showsOne, !world.courses.onStage.isEmpty {
        suspicion.insert(.overlap)
      }
      if world.courses.overtaken.contains(slot) { suspicion.insert(.outOfOrder) }
      if world.courses.cancelled.contains(slot) { suspicion.insert(.enteredDiscarded) }
    }
    if let moves = plan.moves, moves.isUndeclared(Int(world.courses.shown), slot) {
      suspicion.insert(.undeclared)
    }
  }

  @inline(__always)
  mutating func suspectExiting(_ slot: Int, _ world: borrowing ModelWorld<Policy>) {
    // Only the rules know which visits on the stage lie over it.
    if plan.discipline == .stack, (world.courses.onStage - world.courses.dismissed).hasSeveral {
      suspicion.insert(.outOfOrder)
    }
    if world.courses.dismissed.contains(slot) { suspicion.insert(.doubleExit) }
    // After a deadline it may be told to exit before it has entered.
    let isForgiven =
      world.courses.missedEntering.contains(slot) && plan.deadlineEntering != .report
    if !world.courses.arrived.contains(slot), !isForgiven { suspicion.insert(.exitBeforeEnter) }
  }
}
