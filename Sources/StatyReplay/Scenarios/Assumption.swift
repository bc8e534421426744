package import Staty
package import StatyHistory

/// Something that a what-if replay assumed because the recording does not say it.
package enum Assumption: Hashable, Sendable {
  /// How long a state took to enter or to exit.
  case duration(AssumedVisit, Completion, microseconds: Int64, DurationSource)
  /// The state did not answer, as in the recording.
  case silent(AssumedVisit, Completion)
  /// The request with this number was not made, because its origin never entered or was never told
  /// to exit.
  case leftOut(seq: Int64, AssumedVisit, becauseOf: AssumedVisit, EventKind)
  /// The message or request with this number did not come, because the message that it answers, or in
  /// whose handling it came, did not.
  case unasked(seq: Int64, name: String, because: Int64)
  /// The message with this number did not come, because in the handling of the one that it answers nothing
  /// was asked that it could answer, or that is awaited no more.
  case notAsked(seq: Int64, name: String, because: Int64)
  /// The visit was waiting when the recording began. Another kind of controller cannot continue
  /// with the recorded line, so the request was made again.
  case askedAgain(AssumedVisit)
  /// The controller was asked, but made no request of it.
  case notTaken(seq: Int64, AssumedVisit)
  /// The delay of a step that was not recorded.
  case step(controller: Int32, microseconds: Int64)
  /// The edit changed nothing, because the event to edit did not happen.
  case noEffect(Edit)
}

/// The source of a duration that was not recorded.
package enum DurationSource: String, Hashable, Sendable {
  /// The median of states of the same name in the session.
  case session
  /// The default, because nothing is known.
  case assumed
}
