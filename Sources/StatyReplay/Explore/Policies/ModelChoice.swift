import Staty

/// A step in a model, in two bytes.
struct ModelChoice: Hashable {
  enum Kind: UInt8 {
    case make
    case completeEntered
    case completeExited
    case bind
    case exitByItself
    case repeatEntered
    case missEntering
    case repeatExited
    case missExiting
  }

  let code: UInt16

  init(code: UInt16) { self.code = code }

  @inline(__always)
  init(_ kind: Kind, _ slot: Int) {
    code = UInt16(kind.rawValue) << 8 | UInt16(truncatingIfNeeded: slot)
  }

  var slot: Int { Int(code & 255) }
  // `code` is always made from a kind.
  var kind: Kind { Kind(rawValue: UInt8(code >> 8))! }

  /// The step as a schedule has it.
  func step(_ plan: ModelPlan) -> Step {
    switch kind {
    case .make: .make(plan.ids[slot])
    case .completeEntered: .complete(.entered, plan.ids[slot])
    case .completeExited: .complete(.exited, plan.ids[slot])
    case .bind: .bind(plan.controller)
    case .exitByItself: .exitByItself(plan.ids[slot])
    case .repeatEntered: .repeat(.entered, plan.ids[slot])
    case .repeatExited: .repeat(.exited, plan.ids[slot])
    case .missEntering: .deadline(.entered, plan.ids[slot])
    case .missExiting: .deadline(.exited, plan.ids[slot])
    }
  }
}

extension ModelCourses {
  /// Which steps are possible, kind by kind.
  struct Choices {
    var makes = SlotSet()
    var entered = SlotSet()
    var exited = SlotSet()
    var exitsByItself = SlotSet()
    var repeatsEntered = SlotSet()
    var repeatsExited = SlotSet()
    var missesEntering = SlotSet()
    var missesExiting = SlotSet()
    var isBindable = false

    /// Whether only optional steps are left.
    @inline(__always)
    func isAtEnd(_ courses: ModelCourses, _ plan: ModelPlan) -> Bool {
      makes.isEmpty && !isBindable && missesEntering.isEmpty && missesExiting.isEmpty
        && (entered - plan.entersPerhaps).isEmpty && (exited - courses.mayStay).isEmpty
    }

    /// Calls `body` with each, in the order in which a run names them.
    @inline(__always)
    func forEach(_ body: (ModelChoice) -> Void) {
      each(makes, .make, body)
      var saying = entered | exited
      while let slot = saying.popFirst() {
        if entered.contains(slot) { body(ModelChoice(.completeEntered, slot)) }
        if exited.contains(slot) { body(ModelChoice(.completeExited, slot)) }
      }
      if isBindable { body(ModelChoice(.bind, 0)) }
      var rest = exitsByItself | repeatsEntered | repeatsExited | missesEntering | missesExiting
      while let slot = rest.popFirst() {
        if exitsByItself.contains(slot) { body(ModelChoice(.exitByItself, slot)) }
        if repeatsEntered.contains(slot) { body(ModelChoice(.repeatEntered, slot)) }
        if missesEntering.contains(slot) { body(ModelChoice(.missEntering, slot)) }
        if repeatsExited.contains(slot) { body(ModelChoice(.repeatExited, slot)) }
        if missesExiting.contains(slot) { body(ModelChoice(.missExiting, slot)) }
      }
    }

    @inline(__always)
    private func each(
      _ slots: SlotSet, _ kind: ModelChoice.Kind, _ body: (ModelChoice) -> Void
    ) {
      var slots = slots
      while let slot = slots.popFirst() { body(ModelChoice(kind, slot)) }
    }
  }

  /// The steps that can be taken.
  @inline(__always)
  func choices(_ plan: ModelPlan) -> Choices {
    var choices = Choices()
    var left = plan.all - made - plan.nested
    while let slot = left.popFirst() {
      if canMake(slot, plan) { choices.makes.insert(slot) }
    }
    choices.entered = owesEntered
    choices.exited = owesExited
    choices.isBindable = plan.isWithholding && !isBound
    if !plan.hasOptions { return choices }
    let isIn = reportedEntered | (plan.entersNever & onStage)
    choices.exitsByItself = (plan.exitsByItself & isIn) - dismissed - reportedExited - over
    choices.repeatsEntered = (plan.repeatsEntered & reportedEntered) - repeatedEntered
    choices.repeatsExited = (plan.repeatsExited & reportedExited) - repeatedExited
    if plan.deadlineEntering != nil {
      choices.missesEntering = onStage - arrived - over - missedEntering - dismissed
    }
    if plan.deadlineExiting != nil {
      let isForced =
        plan.deadlineEntering == .force ? missedEntering - reportedEntered : SlotSet()
      choices.missesExiting =
        dismissed - over - missedExiting - (plan.awaitsUser - isForced)
    }
    return choices
  }

  @inline(__always)
  private func canMake(_ slot: Int, _ plan: ModelPlan) -> Bool {
    if !isInTurn(slot, plan) { return false }
    if plan.isRequest.contains(slot) { return true }
    guard case .request = plan.cancels[slot] else { return true }
    let target = Int(plan.target[slot])
    return target >= 0 && made.contains(target) && !over.contains(target)
  }

  /// Whether everything has happened that comes before.
  @inline(__always)
  private func isInTurn(_ slot: Int, _ plan: ModelPlan) -> Bool {
    let before = Int(plan.before[slot])
    if before >= 0, !made.contains(before), !isMoot(before, plan) { return false }
    let anchor = Int(plan.anchor[slot])
    if anchor >= 0 { return reached.contains(anchor) }
    return anchor == -1
  }

  /// Whether a slot cancels a visit that is over: what its source does next can come.
  private func isMoot(_ slot: Int, _ plan: ModelPlan) -> Bool {
    let target = Int(plan.target[slot])
    return target >= 0 && over.contains(target) && isInTurn(slot, plan)
  }

  /// Whether a rule may be broken if nothing more happens.
  func isSuspiciousAtEnd(_ plan: ModelPlan) -> Bool {
    if !unheard.isEmpty { return true }
    return waitingCount > 0 && (plan.countsSilence || !waitForTheSilent(plan))
  }

  /// Whether visits wait only because a state does not answer what it was told in its turn, and
  /// nothing else is wrong.
  private func waitForTheSilent(_ plan: ModelPlan) -> Bool {
    if !plan.discipline.showsOne || onStage.isEmpty || !overtaken.isEmpty { return false }
    // Only our own policies are known never to tell a visit to exit before it has entered.
    let leaving = plan.isRanked ? SlotSet() : dismissed
    // A visit that a deadline forces to count as entered blocks no other visit.
    let forced = plan.deadlineEntering == .force ? missedEntering : SlotSet()
    let entering = onStage - arrived - dismissed - forced
    return (onStage - (entering | leaving)).isEmpty
  }

  /// The progress of the visits that exist at the beginning.
  init(_ plan: ModelPlan) {
    for (slot, phase) in plan.standing {
      made.insert(slot)
      if plan.isRanked { rank(slot, plan) }
      if phase == .exited { over.insert(slot) }
      if phase == .empty { lineUp(slot, plan) }
      guard [.entering, .entered, .exiting].contains(phase) else { continue }
      onStage.insert(slot)
      if phase == .entering {
        if !plan.entersNever.contains(slot) { owesEntered.insert(slot) }
        continue
      }
      reportedEntered.insert(slot)
      arrived.insert(slot)
      guard phase == .exiting else { continue }
      dismissed.insert(slot)
      guard (plan.exitsAtOnce | plan.exitsLater | plan.exitsPerhaps).contains(slot) else {
        continue
      }
      owesExited.insert(slot)
      if plan.exitsPerhaps.contains(slot) { mayStay.insert(slot) }
    }
    if let moves = plan.moves { shown = Int8(moves.shown) }
  }
}
