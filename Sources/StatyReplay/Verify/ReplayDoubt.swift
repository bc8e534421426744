public import Staty
public import StatyRules

/// Why a replay, or a part of it, says nothing.
public enum ReplayDoubt: Hashable, Sendable {
  /// Events are missing from here on, so this controller is replayed only up to here.
  case gap(controller: Int32, seq: Int64)
  /// Nobody has told how to make a controller of this kind.
  case unknownController(controller: Int32, policy: String)
  /// An event says something that no version has written.
  case unreadable(seq: Int64)
  /// The recording holds no decision that could be compared.
  case nothingToCompare
  /// What was played with something changed came to nothing: no controller decided anything, or
  /// this one did not, at which the recording broke a rule.
  case nothingPlayed(controller: Int32?)
  /// A state was told something in the event with this number and never answered, and what was
  /// played with something changed breaks no rule only because it is assumed to answer there.
  case unanswered(seq: Int64, AssumedVisit, Completion)
  /// Recording began while the controller was at work, which cannot be taken up again from
  /// outside.
  case lateAttachment(controller: Int32)
  /// The controller could not be made; the reason is what its factory threw.
  case notMade(controller: Int32, reason: String)
  /// The controller was told of this event while it handled another on another thread.
  case overlappingHandling(controller: Int32, seq: Int64)
  /// The controller went on and on by itself when it came to this event.
  case runaway(controller: Int32, seq: Int64)
  /// The controller had not come to rest when the time that a replay is given was over; the event
  /// is the last recorded one that it was told of.
  case unsettled(controller: Int32, seq: Int64)
  /// A message cannot be told again: the controller was replayed up to it.
  case untoldMessage(controller: Int32, seq: Int64, name: String, UntoldMessage)
  /// What made the controller has no way of telling it this.
  case cannotBeTold(controller: Int32, seq: Int64)
  /// The recording does not say who did what happened in the event with this number: the controller was
  /// replayed up to there. Of each controller the first such event is said.
  case unbracketed(controller: Int32, seq: Int64, Unbracketed)
  /// Something is recorded as having happened in an event that was over by then: no recorder wrote
  /// that.
  case misplaced(seq: Int64, cause: Int64)
  /// More and more waits at the controller in the replay that the recording knows nothing of; it
  /// was replayed up to this event.
  case outgrown(controller: Int32, seq: Int64)
  /// The recording breaks a rule in the event with this number, and no order that was searched breaks it:
  /// the search leaves something out that the recording has.
  case unmet(controller: Int32, seq: Int64, RuleCode)
  /// The event with this number happened in a call that the controller makes. A search cannot tell it
  /// there.
  case cannotBePlaced(controller: Int32, seq: Int64)
  /// Two runs from the same recording differ, so something goes in that is not recorded.
  case hiddenInput

  /// What is missing a bracket, or has one around too much.
  public enum Unbracketed: Hashable, Sendable {
    /// The controller was recorded without brackets, so it is not known in which call the event happened.
    case controller
    /// The event lies directly in what the controller did about the event with this number, and in the
    /// replay it does not do that by itself: something was called without a bracket.
    case call(in: Int64)
    /// The event lies in a call of the event with this number that brackets more than the call.
    case tooWide(in: Int64)
    /// The controller did it about nothing that was reported: an input, or a step that it put off.
    case unreported
  }
}
