/// One thing in a run that was otherwise than with a patient user.
public enum Deviation: Hashable, Sendable {
  /// An answer, a report of a state or a deferred step comes late.
  ///
  /// It comes when nothing else can be done after the user's next actions, up to the given one;
  /// without one, it only comes after everything else that is under way.
  case late(Step, behind: Step?)
  /// The user does something before an earlier thing has settled.
  ///
  /// The second step is what would have come next.
  case hurried(Step, before: Step)
  /// Of several late things, another comes first than was under way first.
  case overtaking(Step, Step)
  /// A state takes longer than its deadline.
  case overdue(Step)
  /// A state reports something without having done it to the end, or done to the end what it did not
  /// finish when it was recorded.
  case finishedOtherwise(Step)
}
