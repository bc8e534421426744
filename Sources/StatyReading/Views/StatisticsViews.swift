extension HistoryViews {
  /// Every column of the statistics views, in the views' order.
  ///
  /// A visit counts as entered from its report on, or from the deadline that forced it. A
  /// percentile is the smallest value that at least this share of the values does not exceed
  /// (nearest rank), so it is always a measured one. A time never counts as negative, although
  /// clocks of two threads may step back.
  static let statistics: [Column] =
    columns("dwell", dwell) + columns("waits", waits) + columns("transitions", transitions)
    + columns("slowest", slowest) + columns("stuck", stuck)

  private static let state = ("state", "The name of the visits' state.")

  private static let dwell = [
    session,
    controller,
    state,
    ("visits", "How many visits are known to have entered."),
    ("still_open", "How many of them had not exited when recording ended."),
    (
      "unknown",
      "How many of them may have exited in what was lost; the times leave them out."
    ),
    (
      "total_ms",
      """
      How long they were shown together: each from when it entered, or from when recording began, \
      until it exited or was discarded, or until recording ended.
      """
    ),
    ("mean_ms", "How long one was shown on average."),
    ("p50_ms", "How long half of them were shown at most; nearest rank."),
    ("p95_ms", "How long 95 in 100 of them were shown at most; nearest rank."),
    ("max_ms", "How long the longest was shown."),
  ]

  private static let waits = [
    session,
    controller,
    state,
    (
      "visits",
      """
      How many visits waited until they were told to enter, at once or later, or still wait; visits \
      discarded before are left out.
      """
    ),
    ("still_waiting", "How many of them still waited when recording ended."),
    (
      "mean_ms",
      """
      How long one waited on average, from its request, or from when recording began, until it was \
      told to enter, or until recording ended; where only `entered` is recorded, until then.
      """
    ),
    ("p50_ms", "How long half of them waited at most; nearest rank."),
    ("p95_ms", "How long 95 in 100 of them waited at most; nearest rank."),
    ("max_ms", "How long the longest waited."),
  ]

  private static let transitions = [
    session,
    controller,
    (
      "from",
      """
      The state that had entered before, whether it had exited since or not; null at the beginning, \
      also after the user has removed it. A transition is left out if the event before it may be lost.
      """
    ),
    ("to", "The state that was told to enter next, or that entered."),
    ("n", "How often."),
    (
      "percent",
      "How many in 100 of the transitions of this controller from that state led to this one."
    ),
    (
      "p50_ms",
      "How long half of them took at most, from request to `entered`, of those that entered; nearest rank."
    ),
    ("p95_ms", "How long 95 in 100 of them took at most; nearest rank."),
    ("max_ms", "How long the slowest took."),
    (
      "declared",
      "Whether a route allows it, guards aside: 1 or 0; null if the controller has no routes."
    ),
  ]

  private static let slowest = [
    session,
    controller,
    ("visit", "The number of the visit that entered."),
    ("from", "The state that had entered before; null at the beginning."),
    ("to", "The name of the visit's state."),
    ("enqueued_ms", "The time of the request, in milliseconds since the session began."),
    (
      "total_ms",
      "How long it took from request to `entered`: the exact sum of the four columns that follow."
    ),
    (
      "behind_ms",
      """
      How long it waited until the state before was told to exit or exited by itself; where `exiting` \
      is not recorded, until that state had exited.
      """
    ),
    (
      "exit_ms",
      "How long it then waited for the state before to exit; 0 if it entered without waiting for that."
    ),
    ("gap_ms", "How long nothing was in its way and it was not yet told to enter."),
    (
      "enter_ms",
      "How long it then took to enter; where `entering` is not recorded, this includes the gap."
    ),
  ]

  private static let stuck = [
    session,
    controller,
    ("visit", "Which visit of the controller, from 1."),
    ("state", "The name of its state."),
    (
      "reason",
      """
      How far it got: entering (told to enter, and has not entered), exiting (told to exit, and has \
      not exited), or waiting (requested, and neither told to enter nor discarded).
      """
    ),
    (
      "waited_ms",
      """
      How long that had lasted when recording ended, or has so far. If it is short, the visit may \
      have been on its way.
      """
    ),
    (
      "waiting_for",
      """
      The event that it waits for, and of which visit: its own, or one of the visit that entered \
      last and has not exited; resumed, if there is no target yet; null if that event may be lost.
      """
    ),
  ]
}
