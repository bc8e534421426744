/// A broken ordering rule as the file has it.
package struct FindingRecord: Hashable, Sendable {
  /// The session.
  package var session: Int64
  /// The number of the guilty event.
  package var seq: Int64
  /// The rule's code.
  package var code: String
  /// How bad it is: `error` or `warning`.
  package var severity: String
  /// The number of the controller.
  package var controller: Int32
  /// The guilty event's visit; 0 if it has none.
  package var visit: UInt32
  /// The number of the name of the visit's state; 0 if there is none.
  package var state: Int32
  /// What went wrong, in one sentence.
  package var detail: String
  /// Whether later events cannot change it.
  package var isFinal: Bool

  /// A finding with these parts.
  package init(
    session: Int64, seq: Int64, code: String, severity: String, controller: Int32, visit: UInt32,
    state: Int32, detail: String, isFinal: Bool
  ) {
    self.session = session
    self.seq = seq
    self.code = code
    self.severity = severity
    self.controller = controller
    self.visit = visit
    self.state = state
    self.detail = detail
    self.isFinal = isFinal
  }
}
