import Staty
package import StatyHistory
public import StatyRules

// What is found in a run, and when it ends.
extension ScheduleRun {
  /// Ends the run: nothing more happens, however long the wait.
  public func finish() {
    guard !isFinished else { return }
    lookElsewhere()
    isFinished = true
    // Then nobody knows what else would have come.
    isCutShort = !ownStates.isEmpty
    doubts += ownStates
    if isAtEnd, !isGivenUp, awaitsNothing { judge(.atEnd) }
    // Longer than the patience of any rule.
    now += (CheckOptions().patience + .seconds(1)).inMicroseconds
    detach()
  }

  /// Doubts of the controllers that show a state that they have made themselves, and that has not
  /// reported.
  var ownStates: [ReplayDoubt] {
    players.filter(\.value.awaitsOwnState).keys.sorted().map { .ownStates(controller: $0) }
  }

  /// Doubts of the controllers that requests were made of, none of which they reported, and of the
  /// tracks that no message has moved.
  package var silent: [ReplayDoubt] {
    let unmoved = log.receiving.subtracting(log.deciding).sorted()
    let asked = zip(requests, courses).filter { request, _ in made.contains(request.id) }
    let heard = Set(asked.filter { $1.visit != nil }.map(\.0.controller))
    return Set(asked.map(\.0.controller)).subtracting(heard).sorted()
      .map { .silent(controller: $0) } + unmoved.map { .unmoved(controller: $0) }
  }

  /// What is certain so far, in the order in which it became so.
  var certain: [Finding] { log.certain }

  /// Ends the run here, after the deferred steps of its controllers.
  ///
  /// Whatever else could happen does not.
  func stop() {
    guard !isFinished else { return }
    // A controller that defers a step in each step never comes to rest.
    for _ in 0..<64 {
      guard let next = steps.ids.lazy.map(Step.deferred).first(where: canTake) else { break }
      takePossible(next)
    }
    lookElsewhere()
    isFinished = true
    isCutShort = true
    detach()
  }

  /// Gives up if a class has gone on on another thread.
  func lookElsewhere() {
    if !isOnClock, let doubt = thread.doubt { giveUp(doubt) }
  }

  private func detach() {
    for controller in scenario.controllers {
      players[controller.id]?.leave()
      log.note(.detached, of: controller.id, number: numbering.next(), at: now)
    }
    log.flush()
  }

  /// All findings of the rules.
  ///
  /// Before ``finish()`` only certain ones; after it, also those about what never happened.
  public var allFindings: [Finding] {
    isFinished && !isCutShort
      ? log.allFindings(end: now, isOver: true) { _ in true }.map(\.forEver)
      : log.certain.sorted()
  }

  /// The findings that the controllers are responsible for.
  ///
  /// A state that does not answer is no bug of its controller, unless the controller lets other
  /// visits wait for it.
  public var findings: [Finding] {
    allFindings.filter { !isExcused($0) }
  }

  /// The same without any finding about a state that does not answer what it was told in its turn,
  /// however many visits wait for it.
  ///
  /// - Parameter codes: the rules that are wanted; such a finding counts if its rule is among them.
  func findings(naming codes: Set<RuleCode>?) -> [Finding] {
    findings.filter { codes?.contains($0.code) ?? false || !isOwnSilence($0) }
  }

  /// Whether the finding is only about a state that does not answer what it was told in its turn.
  func isOwnSilence(_ finding: Finding) -> Bool {
    guard let completion = finding.code.awaited,
      let place = visits[VisitKey(controller: finding.controller, visit: finding.visit)]
    else { return false }
    return courses[place].isSilentInTurn(completion)
  }

  /// Whether the finding is no bug of a controller.
  func isExcused(_ finding: Finding) -> Bool {
    guard let completion = finding.code.awaited,
      let place = visits[VisitKey(controller: finding.controller, visit: finding.visit)]
    else { return false }
    return courses[place].isSilent(completion)
      && !zip(courses, requests).contains {
        $0.isWaiting && $1.controller == finding.controller
      }
  }

  /// What happened, as a recorder would have it.
  package var events: [EventRow] { log.rows }
  /// What the events do not say in their rows.
  package var details: [EventDetail] { log.details }
  /// The names that the events use.
  public var names: [Int32: String] { log.names }
  /// The number of the visit that a request has become; `nil` if it was not made.
  package func visit(of request: Int) -> UInt32? {
    place(of: request).flatMap { courses[$0].visit }
  }

  /// The request that a visit is of; `nil` if its controller asked for it by itself.
  package func request(of visit: UInt32, controller: Int32) -> Int? {
    visits[VisitKey(controller: controller, visit: visit)].map { requests[$0].id }
  }
}

extension RuleCode {
  /// The completion that is missing if this rule is broken; `nil` for rules about something else.
  var awaited: Completion? {
    switch self {
    case .neverArrived: .entered
    case .neverExited: .exited
    default: nil
    }
  }
}
