import Staty
import StatyHistory

// What the rules might say of what is about to happen.
//
// Few of many million steps break a rule, and to ask the rules of each would take a run of all that led
// there. Whatever could make one speak is suspicious; the rules themselves are asked of that alone.
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
  ///   - isBelieved: whether it fitted what the policy waits for.
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
    // Which of those on the stage lie over it, only the rules know.
    if plan.discipline == .stack, (world.courses.onStage - world.courses.dismissed).hasSeveral {
      suspicion.insert(.outOfOrder)
    }
    if world.courses.dismissed.contains(slot) { suspicion.insert(.doubleExit) }
    // A deadline allows to tell it to leave before it was in.
    let isForgiven =
      world.courses.missedEntering.contains(slot) && plan.deadlineEntering != .report
    if !world.courses.arrived.contains(slot), !isForgiven { suspicion.insert(.exitBeforeEnter) }
  }
}
