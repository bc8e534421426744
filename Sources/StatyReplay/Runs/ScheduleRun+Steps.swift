import Staty
import StatyHistory

// Which steps are possible, and taking them.
extension ScheduleRun {
  /// The steps that can be taken now, always in the same order.
  ///
  /// A missing report is no step: a run may end where only optional steps are left.
  public var possible: [Step] {
    if isGivenUp || isFinished { return [] }
    var steps: [Step] = []
    for cue in plan.cues where canMake(cue) { steps.append(.make(cue.id)) }
    for (place, course) in courses.enumerated() where !course.owed.isEmpty {
      let id = requests[place].id
      for completion in [Completion.entered, .exited]
      where course.owed.contains(completion) && isMeant(place, completion) {
        steps.append(.complete(completion, id))
        if requests[place].mayBeUnfinished.contains(completion) {
          steps.append(.complete(completion, id, finished: false))
        }
      }
    }
    steps += self.steps.possible.map(Step.deferred)
    for one in scenario.controllers where one.snapshot.isWithholding && !bound.contains(one.id) {
      steps.append(.bind(one.id))
    }
    for (place, course) in courses.enumerated() where course.visit != nil {
      addOptional(course, requests[place], &steps)
    }
    return steps
  }

  private func addOptional(
    _ course: Course, _ request: Scenario.Request, _ steps: inout [Step]
  ) {
    let id = request.id
    if course.mayExitByItself(request) { steps.append(.exitByItself(id)) }
    for completion in [Completion.entered, .exited] {
      if course.mayRepeat(completion) { steps.append(.repeat(completion, id)) }
      if mayMiss(completion, course, request) {
        steps.append(.deadline(completion, id))
      }
    }
  }

  /// Whether a deadline may pass; what its user sees has none to exit.
  private func mayMiss(
    _ completion: Completion, _ course: Course, _ request: Scenario.Request
  ) -> Bool {
    guard plan.recovery(completion, request.controller) != nil, course.mayMiss(completion) else {
      return false
    }
    if completion == .entered || !request.awaitsUser { return true }
    return course.hasMissedEntering && plan.recovery(.entered, request.controller) == .force
  }

  /// Whether a step is optional: the run may end without it.
  ///
  /// A deadline passes only if nothing else happens.
  public func isOptional(_ step: Step) -> Bool {
    switch step {
    case .exitByItself, .repeat: true
    case .complete(let completion, let id, _):
      place(of: id).map { courses[$0].optional.contains(completion) } ?? false
    case .make, .deferred, .bind, .deadline: false
    }
  }

  /// Whether only optional steps are left.
  public var isAtEnd: Bool { possible.allSatisfy(isOptional) }

  /// Whether nothing is under way: only the user or the platform can go on.
  private var isAtRest: Bool {
    awaitsNothing && possible.allSatisfy { plan.isInput($0) || isOptional($0) }
  }

  /// Whether everything that was asked for has been answered.
  var awaitsNothing: Bool {
    players.values.allSatisfy { $0.awaited.isEmpty }
      && !scenario.unanswered.contains { id, questions in
        // Where the model did not ask, nothing was left out.
        let hasAsked =
          questions.isEmpty || messages.hasAsked(in: id, for: questions)
        return made.contains(id) && !messages.ignored.contains(id) && hasAsked
      }
  }

  private func canMake(_ cue: ScenarioPlan.Cue) -> Bool {
    if made.contains(cue.id) || cue.isInside || !isInTurn(cue) { return false }
    if let origin = cue.origin, !mayAnswer(cue, origin) { return false }
    guard let target = cue.target else { return true }
    guard let visit = place(of: target).map({ courses[$0] }) else { return false }
    return visit.visit != nil && !visit.isOver
  }

  /// Whether everything has happened that comes before.
  private func isInTurn(_ cue: ScenarioPlan.Cue) -> Bool {
    if let before = cue.before, !isDone(before) { return false }
    return cue.moment.map(hasHappened) ?? true
  }

  /// Whether a request, cancellation or message has had its turn: it was made, or cancels a visit that is
  /// over.
  func isDone(_ id: Int) -> Bool {
    if made.contains(id) { return true }
    guard let cue = plan.cue(id), let target = cue.target.flatMap(place), courses[target].isOver
    else { return false }
    return isInTurn(cue)
  }

  private func hasHappened(_ moment: Scenario.Moment) -> Bool {
    place(of: moment.request).map { courses[$0].reached.contains(moment.kind) } ?? false
  }

  /// Takes a step, and everything that happens because of it.
  ///
  /// - Returns: `false`, and nothing happens, if it is not possible now.
  @discardableResult
  public func take(_ step: Step) -> Bool {
    guard canTake(step) else { return false }
    takePossible(step)
    return true
  }

  /// Whether a step is one of ``possible``, without looking for the others.
  func canTake(_ step: Step) -> Bool {
    if isGivenUp || isFinished { return false }
    switch step {
    case .make(let id): return plan.cue(id).map(canMake) ?? false
    case .complete(let completion, let id, let finished):
      return place(of: id).map {
        courses[$0].owed.contains(completion) && isMeant($0, completion)
          && (finished || requests[$0].mayBeUnfinished.contains(completion))
      } ?? false
    case .deferred(let id): return steps.canRun(id)
    case .bind(let id):
      return !bound.contains(id)
        && scenario.controllers.contains { $0.id == id && $0.snapshot.isWithholding }
    case .exitByItself(let id):
      return ifAsked(id) { $0.mayExitByItself(requests[$1]) }
    case .repeat(let completion, let id):
      return ifAsked(id) { course, _ in course.mayRepeat(completion) }
    case .deadline(let completion, let id):
      return ifAsked(id) { mayMiss(completion, $0, requests[$1]) }
    }
  }

  /// Whether a report about the object of a request is taken for one of this request's visit: of several
  /// visits of an object that owe it, a probe takes it for the oldest, or for the topmost.
  private func isMeant(_ place: Int, _ completion: Completion) -> Bool {
    let request = requests[place]
    guard sharesObjects, players[request.controller] is OpaquePlayer else { return true }
    func object(_ place: Int) -> Int { requests[place].instance ?? requests[place].id }
    let owing = courses.indices.filter {
      requests[$0].controller == request.controller && object($0) == object(place)
        && courses[$0].owed.contains(completion)
    }.compactMap { courses[$0].visit }
    let isStack = scenario.controllers.contains {
      $0.id == request.controller && $0.discipline == .stack
    }
    return (completion == .exited && isStack ? owing.max() : owing.min()) == courses[place].visit
  }

  /// Whether a condition holds for a request that has become a visit.
  private func ifAsked(_ id: Int, _ isSo: (Course, Int) -> Bool) -> Bool {
    guard let place = place(of: id), courses[place].visit != nil else { return false }
    return isSo(courses[place], place)
  }

  /// Takes a step that is known to be possible.
  func takePossible(_ step: Step) {
    if !isOnClock { now += Self.stepTime }
    schedule.append(step)
    order.append(step)
    touching = []
    moved.removeAll(keepingCapacity: true)
    perform(step, isStep: true)
    touched = touching
    log.flush()
    judge(.always)
    lookElsewhere()
    if hasConditionsAtRest, isAtRest { judge(.atRest) }
  }

  /// Performs a step, perhaps inside of another one.
  func perform(_ step: Step, isStep: Bool = false) {
    switch step {
    case .make(let id): make(id, isStep: isStep)
    case .complete(let completion, let id, let finished):
      if let place = place(of: id) { complete(completion, place, isFinished: finished) }
    case .exitByItself(let id):
      if let place = place(of: id) { complete(.exited, place) }
    case .repeat(let completion, let id):
      guard let place = place(of: id) else { break }
      courses[place].repeats.remove(completion)
      tell(completion, place)
    case .deadline(let completion, let id): pass(completion, id)
    case .bind(let controller):
      bound.insert(controller)
      touching.insert(controller)
      players[controller]?.resume()
    case .deferred(let id): run(id)
    }
  }
}
