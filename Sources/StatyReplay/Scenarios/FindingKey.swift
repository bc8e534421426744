package import Staty
import StatyHistory
package import StatyRules

/// What identifies a finding in different runs.
///
/// Two findings have the **same key** if
///
/// - they are of the same rule,
/// - their guilty events are of the same controller,
/// - their guilty events are of the visit of the same request, not of another request for a state
///   of the same name,
/// - and, where a rule is about two visits, the other visit is of the same request, too. These
///   rules are `overlap` (the visit still on the stage), `out-of-order` (the visit that was
///   requested earlier), `stale-request` (the visit that made the request) and `reentrant-request`
///   (the visit that was being told). For `undeclared-transition` the state before has to have the
///   same name,
/// - and, where a track moved, it moved at the same message.
///
/// A visit that an app's own controller requested by itself has no request of the scenario. It is
/// recognized by its state's name. The numbers of events and visits do not matter, nor does further
/// evidence: the visit that was shown while another never entered, or what a controller did to
/// other visits when a state exited twice.
package struct FindingKey: Hashable, Sendable {
  /// The visit that a finding is about.
  package enum Party: Hashable, Sendable {
    /// The visit that this request has become.
    case request(Int)
    /// The visit of a state with this name that only the controller requested.
    case state(StateName)
    /// The visit that a track moved to when it received this message.
    case message(Int)
  }

  /// The rule.
  package var code: RuleCode
  /// The number of the guilty event's controller in the scenario.
  package var controller: Int32
  /// The visit of the guilty event; `nil` if the event has none.
  package var party: Party?
  /// The other visit of the finding; `nil` if there is none.
  package var other: Party?

  /// - Parameter message: the message at which a track moved, if the finding is about that.
  init(
    _ finding: Finding, message: Int?, request: (UInt32) -> Int?, name: (Int32) -> String?
  ) {
    func party(_ visit: UInt32, _ state: Int32) -> Party? {
      if visit != 0, let id = request(visit) { return .request(id) }
      return name(state).map { .state(StateName($0)) }
    }
    code = finding.code
    controller = finding.controller
    self.party = message.map { .message($0) } ?? party(finding.visit, finding.state)
    switch finding.code {
    case .overlap, .outOfOrder, .staleRequest, .reentrantRequest:
      other = party(finding.otherVisit, finding.otherState)
    case .undeclaredTransition: other = party(0, finding.otherState)
    default: other = nil
    }
  }

  /// The message at which a track moved; `nil` if it moved at none, or the event is no move.
  ///
  /// - Parameters:
  ///   - event: the event with a number.
  ///   - told: the message whose event has a number, if it was told and not the model's own.
  static func message(
    ofMove seq: Int64, event: (Int64) throws -> EventRow?, told: (Int64) -> Int?
  ) rethrows -> Int? {
    var row = try event(seq)
    guard row?.kind == EventKind.moved.rawValue else { return nil }
    // In a damaged file, places may form a circle.
    while let seq = row?.seq, let place = row?.inside, place != 0, place < seq {
      if let message = told(place) { return message }
      row = try event(place)
    }
    return nil
  }

  /// The requests and messages that the finding needs.
  package var needed: Set<Int> {
    Set(
      [party, other].compactMap {
        switch $0 {
        case .request(let id), .message(let id): id
        case .state, nil: nil
        }
      })
  }
}
