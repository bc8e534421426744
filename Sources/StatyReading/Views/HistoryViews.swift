/// The meaning of each column of each view: the one text that guides, help and tests share.
package enum HistoryViews {
  /// One column of a view.
  package struct Column: Hashable, Sendable {
    /// The view's name.
    package let view: String
    /// The column's name.
    package let column: String
    /// Its meaning, in one sentence.
    package let sentence: String

    /// What the numbers of a column mean.
    package enum Kind: String {
      case plain, duration, moment, percent, answer
    }

    /// What its numbers mean.
    package var kind: Kind {
      switch column {
      case "enqueued_ms": .moment
      case "percent": .percent
      case "declared": .answer
      default: column.hasSuffix("_ms") ? .duration : .plain
      }
    }
  }

  /// The views in the order in which they are explained.
  package static let names = [
    "history", "sessions", "visits", "dwell", "waits", "transitions", "slowest", "stuck", "losses",
    "violations",
  ]

  /// Every column of every view, in the views' order.
  package static let documentation: [Column] =
    columns("history", history) + columns("sessions", sessions) + columns("visits", visits)
    + statistics
    + columns("losses", losses) + columns("violations", violations)

  static func columns(_ view: String, _ texts: [(String, String)]) -> [Column] {
    texts.map { Column(view: view, column: $0.0, sentence: $0.1) }
  }

  static let session = ("session", "The session's number in this file.")
  static let controller = (
    "controller", "The name under which the controller is recorded."
  )

  private static let history = [
    session,
    ("seq", "The event's number: larger than that of everything that happened before it."),
    controller,
    ("visit", "Which visit of the controller, from 1; null if it happened to none."),
    ("state", "The name of the visit's state."),
    ("kind", "What happened."),
    ("reason", "What it says beyond its kind, such as why a visit was discarded."),
    ("t_ms", "Milliseconds since the session began."),
    ("at", "The wall clock at that moment, ISO 8601 in UTC."),
    (
      "cause",
      """
      The number of the event that this one happened because of: the input that a decision was made \
      about, the event that deferred a step; otherwise the same as `inside`.
      """
    ),
    (
      "inside",
      "The number of the event in which this one happened: a call of it was under way; null if none was."
    ),
    (
      "part",
      "Which call of that event: handled, observed (by observers), performed (by a state) or called."
    ),
    ("origin", "The visit whose code made the request, if that is known."),
    ("priority", "How urgent the request is; null if it does not say."),
    ("thread", "Which thread, in the order in which they were first seen; from 63 on all are one."),
    ("payload", "The state's payload, in the form in which it may be stored."),
    ("site", "The file and the line of the code that made the request."),
  ]

  private static let sessions = [
    session,
    ("uuid", "The session's name everywhere."),
    ("app", "The app's name."),
    ("app_version", "The app's version."),
    ("os", "The operating system and its version."),
    ("started_at", "When it began, ISO 8601 in UTC."),
    (
      "duration_ms",
      """
      Milliseconds from its beginning until it was closed, suspended or shared, or until its last stored \
      event if that is later.
      """
    ),
    (
      "ended",
      """
      How it ended: clean (the recorder was closed, or the process exited), suspended (killed in the background), killed (by a \
      crash or otherwise), continued (in the next session), or open (not ended, or not opened since).
      """
    ),
    ("controllers", "How many controllers were recorded."),
    ("events", "How many events are stored."),
    ("lost", "How many events are known to be missing."),
    ("payloads_left_out", "How many payloads were left out for want of room."),
    ("run", "The uuid of the session in which its process began to record."),
  ]

  private static let visits = [
    session,
    controller,
    ("visit", "Which visit of the controller, from 1."),
    ("state", "The name of its state."),
    ("enqueued_ms", "The time of the request, in milliseconds since the session began."),
    ("entering_ms", "When the controller told it to enter."),
    ("entered_ms", "When it had entered."),
    ("exiting_ms", "When the controller told it to exit."),
    ("exited_ms", "When it had exited."),
    (
      "outcome",
      """
      What became of it: exited (it was told to exit and did), self-exit (it exited by itself), the \
      reason why it was discarded, open (it had not exited when recording ended), suspended or killed (nor \
      when its process was), or unknown (what became of it is among the lost events).
      """
    ),
  ]

  private static let losses = [
    session,
    ("first_seq", "The first number that has no event."),
    ("last_seq", "The last number of the gap."),
    ("count", "How many of the numbers from first to last have no event."),
    ("reason", "Why they are missing."),
  ]

  private static let violations = [
    session,
    ("code", "The ordering rule that is broken."),
    ("severity", "How bad that is: error, warning or note."),
    controller,
    ("visit", "The visit of the guilty event; null if it happened to none."),
    ("state", "The name of the visit's state."),
    ("seq", "The number of the guilty event."),
    ("detail", "What went wrong, in one sentence."),
  ]
}
