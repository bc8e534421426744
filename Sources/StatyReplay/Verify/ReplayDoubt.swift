public import Staty

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
  /// What made the controller has no way of telling it this.
  case cannotBeTold(controller: Int32, seq: Int64)
  /// The recording does not say whether the input with this number came before, in the midst of or
  /// after what the controller did there, and it may have been told in another place.
  ///
  /// That is the first of which it is not known and that what comes after it may follow from.
  case guessedPlaces(controller: Int32, seq: Int64, Guess)
  /// Something is recorded as having happened in an event that was over by then: no recorder wrote
  /// that.
  case misplaced(seq: Int64, cause: Int64)
  /// More and more waits at the controller in the replay that the recording knows nothing of; it
  /// was replayed up to this event.
  case outgrown(controller: Int32, seq: Int64)
  /// Two runs from the same recording differ, so something goes in that is not recorded.
  case hiddenInput

  /// Why the place of an input is a guess.
  public enum Guess: Hashable, Sendable {
    /// The controller was recorded without brackets, so in what it happened is not known.
    case unbracketed
    /// It happened inside of another event: before the controller did anything about that, in the
    /// midst of it or after.
    case nested
    /// What it happened inside of was over in the replay, or did not happen there.
    case displaced
  }
}
