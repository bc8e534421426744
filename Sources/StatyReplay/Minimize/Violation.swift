package import Staty
package import StatyRules

/// A broken rule, told so that it is known again when other things happen around it.
///
/// Two findings are of the **same violation** if
///
/// - they are of the same rule,
/// - their guilty events are of the same controller,
/// - and of the visit of the same request: of that very request, and not of another one for a state
///   of the same name;
/// - and, where a rule is about two visits, the other is of the same request, too. These rules are
///   `overlap` (who was still on the stage), `out-of-order` (who had asked earlier), `stale-request`
///   (who asked) and `reentrant-request` (who was being told). For `undeclared-transition` the state
///   before has to have the same name.
///
/// A visit that an app's own controller asked for by itself is of no request; it is known again by
/// its state's name. The numbers of events and visits play no part, nor does what else a rule's
/// sentence speaks of as evidence: who was shown while a visit never entered, or what a controller
/// did to others when a state left twice.
package struct Violation: Hashable, Sendable {
  /// Whom it is about.
  package enum Party: Hashable, Sendable {
    /// The visit that this request has become.
    case request(Int)
    /// A state of this name that nobody but the controller asked for.
    case state(StateName)
  }

  /// The rule.
  package var code: RuleCode
  /// The number of the guilty event's controller in the scenario.
  package var controller: Int32
  /// Whom the guilty event is about; `nil` if about nobody.
  package var party: Party?
  /// Whom else it takes; `nil` if nobody.
  package var other: Party?

  init(
    _ finding: Finding, request: (UInt32) -> Int?, name: (Int32) -> String?
  ) {
    func party(_ visit: UInt32, _ state: Int32) -> Party? {
      if visit != 0, let id = request(visit) { return .request(id) }
      return name(state).map { .state(StateName($0)) }
    }
    code = finding.code
    controller = finding.controller
    self.party = party(finding.visit, finding.state)
    switch finding.code {
    case .overlap, .outOfOrder, .staleRequest, .reentrantRequest:
      other = party(finding.otherVisit, finding.otherState)
    case .undeclaredTransition: other = party(0, finding.otherState)
    default: other = nil
    }
  }

  /// What was found in a run.
  init(_ finding: Finding, in run: ScheduleRun) {
    self.init(finding) {
      run.request(of: $0, controller: finding.controller)
    } name: {
      run.names[$0]
    }
  }

  /// Whether a finding of a run is of this violation.
  func isSame(_ finding: Finding, in run: ScheduleRun) -> Bool {
    // Most are of another rule or controller.
    finding.code == code && finding.controller == controller
      && Violation(finding, in: run) == self
  }

  /// The requests without which it cannot be.
  package var requests: Set<Int> {
    Set(
      [party, other].compactMap {
        if case .request(let id) = $0 { id } else { nil }
      })
  }
}
