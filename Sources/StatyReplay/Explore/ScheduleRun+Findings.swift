import Staty
package import StatyHistory
public import StatyRules

// What is found in a run, and when it ends.
extension ScheduleRun {
  /// Ends the run: nothing comes any more, however long anybody waits.
  public func finish() {
    guard !isFinished else { return }
    isFinished = true
    // Longer than any rule is patient.
    now += (CheckOptions().patience + .seconds(1)).inMicroseconds
    detach()
  }

  /// What is certain so far, in the order in which it became so.
  var certain: [Finding] { log.certain }

  /// Ends the run where it stands, but for what controllers have put off: what might still come is
  /// not asked for.
  func stop() {
    guard !isFinished else { return }
    // Who puts off a step in each step never comes to rest.
    for _ in 0..<64 {
      guard let next = steps.lazy.map({ Step.putOff($0.id) }).first(where: canTake) else { break }
      takePossible(next)
    }
    isFinished = true
    isCutShort = true
    detach()
  }

  private func detach() {
    for controller in scenario.controllers {
      players[controller.id]?.leave()
      log.note(.detached, of: controller.id, number: numbering.next(), at: now)
    }
    log.flush()
  }

  /// What the rules say: of what has happened for certain, and once it is finished of the end, when
  /// everybody has waited for ever.
  public var findings: [Finding] {
    isFinished && !isCutShort
      ? log.allFindings(end: now, isOver: true) { _ in true }.map(\.forEver)
      : log.certain.sorted()
  }

  /// The findings that the controllers answer for.
  ///
  /// That a state was silent is no fault of its controller, unless the controller lets others wait
  /// for it.
  public var violations: [Finding] {
    findings.filter { !isExcused($0) }
  }

  /// The same without what is no fault of a controller's, however many wait: that a state was silent
  /// that was told something in its turn.
  ///
  /// - Parameter codes: the rules that are meant; if they name the rule that is about it, it counts.
  func violations(naming codes: Set<RuleCode>?) -> [Finding] {
    violations.filter { codes?.contains($0.code) ?? false || !isOwnSilence($0) }
  }

  /// Whether it is only that a state keeps silent that was told something in its turn.
  func isOwnSilence(_ finding: Finding) -> Bool {
    guard let completion = finding.code.awaited,
      let place = visits[VisitKey(controller: finding.controller, visit: finding.visit)]
    else { return false }
    return courses[place].isSilentInTurn(completion)
  }

  /// Whether it is no fault of a controller.
  func isExcused(_ finding: Finding) -> Bool {
    guard let completion = finding.code.awaited,
      let place = visits[VisitKey(controller: finding.controller, visit: finding.visit)]
    else { return false }
    return courses[place].isSilent(completion)
      && !zip(courses, scenario.requests).contains {
        $0.isWaiting && $1.controller == finding.controller
      }
  }

  /// What happened, as a recorder would have it.
  package var events: [EventRow] { log.rows }
  /// What the events do not say in their rows.
  package var details: [EventDetail] { log.details }
  /// The names that the events use.
  public var names: [Int32: String] { log.names }
  /// The controllers as a file would have them.
  package var controllers: [ControllerRecord] { plan.records }

  /// The number of the visit that a request has become; `nil` if it was not made.
  package func visit(of request: Int) -> UInt32? {
    plan.place(of: request).flatMap { courses[$0].visit }
  }

  /// The request that a visit is of; `nil` if its controller asked for it by itself.
  package func request(of visit: UInt32, controller: Int32) -> Int? {
    visits[VisitKey(controller: controller, visit: visit)].map { scenario.requests[$0].id }
  }
}

extension RuleCode {
  /// What a state has not said if this rule is broken; `nil` for rules that are not about that.
  var awaited: Completion? {
    switch self {
    case .neverArrived: .entered
    case .neverExited: .exited
    default: nil
    }
  }
}
