import Staty
import StatyHistory

/// One step from one world to the next, in the way of a live controller's driver.
///
/// The policy is told of a request or completion at once, wherever it is made. Its commands are
/// performed in order after the pending ones.
struct ModelStep<Policy: TransitionPolicy> {
  let plan: ModelPlan
  private var commands = CommandQueue()
  /// What the rules might find in the step: never less than they do find.
  var suspicion = Suspicion()
  /// The visits that are over for the rules while other visits are told of it.
  private(set) var ending = SlotSet()
  /// Which suspicions are wanted.
  let wanted: Suspicion

  init(_ plan: ModelPlan, wanted: Suspicion) {
    self.plan = plan
    self.wanted = wanted
  }

  /// Takes a step.
  @inline(__always)
  mutating func take(_ choice: ModelChoice, _ world: inout ModelWorld<Policy>) {
    suspicion = Suspicion()
    let slot = choice.slot
    switch choice.kind {
    case .make: make(slot, &world)
    case .completeEntered: report(.entered, slot, &world)
    case .completeExited, .exitByItself: report(.exited, slot, &world)
    case .bind:
      world.courses.isBound = true
      _ = world.policy.receive(.resumed, &commands)
    case .repeatEntered:
      world.courses.repeatedEntered.insert(slot)
      complete(.entered, slot, &world)
      if world.courses.over.contains(slot) { forget(slot, &world) }
    case .repeatExited:
      world.courses.repeatedExited.insert(slot)
      complete(.exited, slot, &world)
      if world.courses.over.contains(slot) { forget(slot, &world) }
    case .missEntering: pass(.entered, slot, &world)
    case .missExiting: pass(.exited, slot, &world)
    }
    while let command = commands.popFirst() { perform(command, &world) }
  }
}

// MARK: Inputs

extension ModelStep {
  private mutating func make(_ slot: Int, _ world: inout ModelWorld<Policy>) {
    guard !world.courses.made.contains(slot) else { return }
    world.courses.made.insert(slot)
    guard plan.isRequest.contains(slot) else { return cancel(slot, &world) }
    suspectRequest(slot, world)
    world.courses.lineUp(slot, plan)
    if plan.isRanked { world.courses.rank(slot, plan) }
    var request = plan.requests[slot]
    request.visit = visit(slot, world)
    _ = world.policy.receive(.requested(request), &commands)
    note(.enqueued, slot, &world)
  }

  private mutating func cancel(_ slot: Int, _ world: inout ModelWorld<Policy>) {
    switch plan.cancels[slot] {
    case .all:
      world.courses.cancelWaiting()
      _ = world.policy.receive(.cancelled(.all), &commands)
    case .tearDown:
      world.courses.cancelWaiting()
      commands.dropOrdersToStates()
      _ = world.policy.receive(.cancelled(.tearDown), &commands)
    case .request:
      let target = Int(plan.target[slot])
      guard target >= 0, isOpen(target, world) else { return }
      if !world.courses.onStage.contains(target) { world.courses.cancelled.insert(target) }
      _ = world.policy.receive(.cancelled(.visit(visit(target, world))), &commands)
    case nil: break
    }
  }

  private mutating func report(
    _ completion: Completion, _ slot: Int, _ world: inout ModelWorld<Policy>
  ) {
    if completion == .entered {
      world.courses.reportedEntered.insert(slot)
      world.courses.owesEntered.remove(slot)
    } else {
      world.courses.reportedExited.insert(slot)
      world.courses.owesEntered.remove(slot)
      world.courses.owesExited.remove(slot)
      world.courses.mayStay.remove(slot)
    }
    complete(completion, slot, &world)
    if world.courses.over.contains(slot) { forget(slot, &world) }
  }

  private mutating func complete(
    _ completion: Completion, _ slot: Int, _ world: inout ModelWorld<Policy>
  ) {
    let wasOver = world.courses.over.contains(slot)
    let count = commands.count
    let visit = visit(slot, world)
    let fit = world.policy.receive(
      completion == .entered ? .entered(visit) : .exited(visit), &commands)
    suspectCompletion(
      completion, slot, world, isBelieved: fit == .fits, isActedUpon: commands.count != count)
    guard fit == .fits else {
      if !wasOver { world.courses.unheard.insert(slot) }
      return
    }
    if completion == .entered {
      if !wasOver, world.courses.onStage.contains(slot) { world.courses.arrived.insert(slot) }
      note(.entered, slot, &world)
    } else {
      ending.insert(slot)
      note(.exited, slot, &world)
      close(slot, &world)
    }
  }

  private mutating func pass(
    _ awaited: Completion, _ slot: Int, _ world: inout ModelWorld<Policy>
  ) {
    let recovery: DeadlineRecovery
    if awaited == .entered {
      world.courses.missedEntering.insert(slot)
      recovery = plan.deadlineEntering ?? .report
    } else {
      world.courses.missedExiting.insert(slot)
      recovery = plan.deadlineExiting ?? .report
    }
    guard isOpen(slot, world) else { return }
    _ = world.policy.receive(.deadline(visit(slot, world), awaited, recovery), &commands)
  }

  @inline(__always)
  private func isOpen(_ slot: Int, _ world: ModelWorld<Policy>) -> Bool {
    world.courses.made.contains(slot) && !world.courses.over.contains(slot)
  }

  private func visit(_ slot: Int, _ world: ModelWorld<Policy>) -> VisitNumber {
    plan.visit(slot, rank: plan.isRanked ? world.courses.ranks[slot] : 0)
  }
}

// MARK: Commands

extension ModelStep {
  private mutating func perform(_ command: Command, _ world: inout ModelWorld<Policy>) {
    switch command {
    case .enter(let request):
      let slot = plan.slot(of: request.visit)
      guard slot >= 0, isOpen(slot, world) else { return }
      enter(slot, &world)
    case .exit(let visit):
      let slot = plan.slot(of: visit)
      guard slot >= 0, isOpen(slot, world) else { return }
      exit(slot, &world)
    case .discard(let visit, _):
      let slot = plan.slot(of: visit)
      guard slot >= 0, isOpen(slot, world) else { return }
      _ = world.courses.stepOut(slot)
      ending.insert(slot)
      note(.discarded, slot, &world)
      close(slot, &world)
    }
  }

  private mutating func enter(_ slot: Int, _ world: inout ModelWorld<Policy>) {
    suspectEntering(slot, world)
    if !world.courses.onStage.contains(slot) {
      let before = world.courses.stepOut(slot)
      if plan.discipline != .atOnce {
        world.courses.overtaken = world.courses.overtaken | before
      }
      world.courses.cancelled.remove(slot)
    }
    if plan.moves != nil { world.courses.shown = Int8(slot) }
    world.courses.onStage.insert(slot)
    let isQuiet = note(before: .entering, slot, &world)
    if !world.courses.reportedEntered.contains(slot), !world.courses.reportedExited.contains(slot) {
      if plan.entersAtOnce.contains(slot) {
        report(.entered, slot, &world)
      } else if plan.entersLater.contains(slot) || plan.entersPerhaps.contains(slot) {
        world.courses.owesEntered.insert(slot)
      }
    }
    if !isQuiet { note(after: .entering, slot, &world) }
  }

  private mutating func exit(_ slot: Int, _ world: inout ModelWorld<Policy>) {
    suspectExiting(slot, world)
    world.courses.dismissed.insert(slot)
    let isQuiet = note(before: .exiting, slot, &world)
    if !world.courses.reportedExited.contains(slot) {
      let isIn =
        world.courses.reportedEntered.contains(slot)
        || plan.entersNever.contains(slot) && world.courses.onStage.contains(slot)
      if (isIn ? plan.exitsAtOnce : plan.earlyAtOnce).contains(slot) {
        report(.exited, slot, &world)
      } else if (isIn ? plan.exitsLater : plan.earlyLater).contains(slot) {
        world.courses.owesExited.insert(slot)
      } else if (isIn ? plan.exitsPerhaps : plan.earlyPerhaps).contains(slot) {
        world.courses.owesExited.insert(slot)
        world.courses.mayStay.insert(slot)
      }
    }
    if !isQuiet { note(after: .exiting, slot, &world) }
  }

  private mutating func close(_ slot: Int, _ world: inout ModelWorld<Policy>) {
    ending.remove(slot)
    world.courses.over.insert(slot)
    _ = world.courses.stepOut(slot)
    world.courses.onStage.remove(slot)
    world.courses.arrived.remove(slot)
    world.courses.dismissed.remove(slot)
    world.courses.missedEntering.remove(slot)
    world.courses.missedExiting.remove(slot)
    world.courses.unheard.remove(slot)
    world.courses.overtaken.remove(slot)
    world.courses.cancelled.remove(slot)
    forget(slot, &world)
  }

  /// What a finished visit reported matters only if it may report it again.
  private func forget(_ slot: Int, _ world: inout ModelWorld<Policy>) {
    if !plan.repeatsEntered.contains(slot) || world.courses.repeatedEntered.contains(slot) {
      world.courses.reportedEntered.remove(slot)
      world.courses.repeatedEntered.remove(slot)
    }
    if !plan.repeatsExited.contains(slot) || world.courses.repeatedExited.contains(slot) {
      world.courses.reportedExited.remove(slot)
      world.courses.repeatedExited.remove(slot)
    }
  }
}

// MARK: Moments

extension ModelStep {
  /// Something happened to a visit: what depends on it happens now.
  private mutating func note(
    _ kind: EventKind, _ slot: Int, _ world: inout ModelWorld<Policy>
  ) {
    if !note(before: kind, slot, &world) { note(after: kind, slot, &world) }
  }

  /// Performs what comes inside of a moment before its state answers.
  ///
  /// - Returns: whether nothing comes after the answer either.
  private mutating func note(
    before kind: EventKind, _ slot: Int, _ world: inout ModelWorld<Policy>
  ) -> Bool {
    let anchor = plan.anchorBit(slot, kind)
    if anchor >= 0 { world.courses.reached.insert(anchor) }
    guard plan.hasInside[Int(kind.rawValue)].contains(slot) else { return true }
    for one in plan.inside(slot, kind).before { makeInside(kind, one, &world) }
    return false
  }

  private mutating func note(
    after kind: EventKind, _ slot: Int, _ world: inout ModelWorld<Policy>
  ) {
    for one in plan.inside(slot, kind).after { makeInside(kind, one, &world) }
  }

  private mutating func makeInside(
    _ kind: EventKind, _ slot: Int, _ world: inout ModelWorld<Policy>
  ) {
    suspectRequest(inside: kind)
    make(slot, &world)
  }
}
