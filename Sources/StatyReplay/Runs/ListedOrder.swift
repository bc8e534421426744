import Staty

/// Chooses the steps of a list, as far as they are possible.
///
/// The list may name requests that the scenario lacks, and removed requests change when steps
/// become possible. A step that is not possible in its turn happens as soon as it is. As many
/// deferred steps of a controller run as the list has, the oldest first. After the end of the
/// list all steps that are not optional follow; of a beginning, only those that are under way.
struct ListedOrder: Chooser {
  private let order: Schedule
  /// How many steps of the list have had their turn.
  private(set) var used = 0
  /// Steps that were not possible in their turn, by the request or cancellation that each waits
  /// for.
  private var late: [Int: [Step]] = [:]
  /// How many deferred steps of each controller could not run in their turn.
  private var owed: [Int32: Int] = [:]
  /// The requests to which something has happened, and that late steps may have waited for.
  private var moved: ArraySlice<Int> = []
  /// What is tried in this round, once the list is at its end.
  private var round: ArraySlice<Step> = []
  private var rounds = 0

  /// A controller that defers a step in each step never comes to rest.
  private static let mostRounds = 1_000

  /// The steps of the list, if others are to come as soon as they can; `nil` if they come at the end.
  private let listed: Set<Step>?

  /// Whether it ends when everything has settled, and leaves the rest to another list.
  private let isBeginning: Bool

  /// - Parameters:
  ///   - listed: with it, what states report and what controllers defer, and it does not have, comes as soon
  ///     as it can and not after the end of the list.
  ///   - isBeginning: whether what else the user and the platform do is left to another list.
  init(_ order: Schedule, settlingAllBut listed: Set<Step>? = nil, isBeginning: Bool = false) {
    self.order = order
    self.isBeginning = isBeginning
    self.listed = listed
  }

  mutating func next(in run: ScheduleRun) -> Step? {
    moved += run.moved
    if let step = lateStep(in: run) ?? unlistedStep(in: run) { return step }
    while used < order.count {
      used += 1
      if let step = inItsTurn(order[used - 1], run) { return step }
    }
    return remaining(in: run)
  }

  /// A step that was not possible in its turn, and is now.
  private mutating func lateStep(in run: ScheduleRun) -> Step? {
    while let request = moved.first {
      var steps = (late.removeValue(forKey: request) ?? [])[...]
      while let step = steps.popFirst() {
        if run.canTake(step) {
          late[request, default: []] += steps
          return step
        }
        wait(step, run)
      }
      moved.removeFirst()
    }
    for (controller, count) in owed.sorted(by: { $0.key < $1.key }) where count > 0 {
      guard let step = run.nextDeferred(of: controller) else { continue }
      owed[controller] = count - 1
      return step
    }
    return nil
  }

  /// A report or a deferred step that the list does not have.
  private func unlistedStep(in run: ScheduleRun) -> Step? {
    guard let listed else { return nil }
    let deferred = run.steps.ids.lazy.map(Step.deferred)
    if let step = deferred.first(where: { !listed.contains($0) && run.canTake($0) }) { return step }
    for id in run.moved {
      for completion in [Completion.entered, .exited] {
        let step = Step.complete(completion, id)
        let isListed =
          listed.contains(step) || listed.contains(.complete(completion, id, finished: false))
        if !isListed, run.canTake(step), !run.isOptional(step) { return step }
      }
    }
    return nil
  }

  private mutating func inItsTurn(_ step: Step, _ run: ScheduleRun) -> Step? {
    if run.canTake(step) { return step }
    switch step {
    case .deferred(let id):
      if let other = run.nextDeferred(of: id.controller) { return other }
      owed[id.controller, default: 0] += 1
    case .make(let id):
      guard let cue = run.plan.cue(id), !cue.isInside, !run.made.contains(id) else { return nil }
      wait(step, run)
    case .complete, .exitByItself, .repeat, .deadline: wait(step, run)
    case .bind: break
    }
    return nil
  }

  private mutating func wait(_ step: Step, _ run: ScheduleRun) {
    late[awaited(step, run), default: []].append(step)
  }

  /// The request that has to progress before a step becomes possible.
  private func awaited(_ step: Step, _ run: ScheduleRun) -> Int {
    switch step {
    case .complete(_, let id, _), .exitByItself(let id), .repeat(_, let id), .deadline(_, let id):
      return id
    case .make(let id):
      guard let cue = run.plan.cue(id) else { return id }
      if let before = cue.before, !run.isDone(before) { return before }
      if let origin = cue.origin, !run.made.contains(origin) { return origin }
      if let target = cue.target, run.visit(of: target) == nil { return target }
      return cue.moment?.request ?? id
    case .deferred, .bind: return 0
    }
  }

  /// A step that is not optional, round by round; a deadline passes only if nothing else happens.
  private mutating func remaining(in run: ScheduleRun) -> Step? {
    while rounds < Self.mostRounds {
      while let step = round.popFirst() {
        if run.canTake(step) { return step }
      }
      rounds += 1
      let possible = run.possible.filter {
        !run.isOptional($0) && !(isBeginning && run.plan.isInput($0))
      }
      let others = possible.filter { if case .deadline = $0 { false } else { true } }
      round = (others.isEmpty ? possible : others)[...]
      if round.isEmpty { return nil }
    }
    return nil
  }
}

extension ScheduleRun {
  /// The deferred step of a controller that can run next.
  fileprivate func nextDeferred(of controller: Int32) -> Step? {
    steps.ids.lazy.filter { $0.controller == controller }.map(Step.deferred)
      .first(where: canTake)
  }
}
