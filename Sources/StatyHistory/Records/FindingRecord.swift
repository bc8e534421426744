/// A broken ordering rule as the file has it.
package struct FindingRecord: Equatable, Sendable {
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
  /// The guilty event's visit; 0 if it happened to none.
  package var visit: UInt32
  /// The number of the name of the visit's state; 0 if there is none.
  package var state: Int32
  /// What went wrong, in one sentence.
  package var detail: String
  /// Whether it stays whatever comes after.
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

/// How far a session was held against the rules.
package struct CheckedRecord: Equatable, Sendable {
  /// The session.
  var session: Int64
  /// The edition of the rules.
  package var version: Int
  /// The number of the last event that was looked at.
  package var through: Int64
  /// How many events were looked at.
  package var events: Int64
  /// The time up to which the session was judged, in microseconds since it began.
  package var lastTime: Int64
  /// How many events were known to be missing.
  package var lost: Int64

  /// A record with these parts.
  package init(
    session: Int64, version: Int, through: Int64, events: Int64, lastTime: Int64, lost: Int64
  ) {
    self.session = session
    self.version = version
    self.through = through
    self.events = events
    self.lastTime = lastTime
    self.lost = lost
  }
}
