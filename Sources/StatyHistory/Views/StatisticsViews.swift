extension HistoryViews {
  /// Every column of the views that sum up and compare, in the views' order.
  ///
  /// A visit counts as in from when it said so, or from when a deadline took it for being in. A
  /// percentile is the smallest of the values that at least so many of them do not exceed (nearest
  /// rank), so it is always one that was measured. Times never count as less than nothing, though
  /// those of two threads may step back.
  static let statistics: [Column] =
    columns("dwell", dwell) + columns("waits", waits) + columns("transitions", transitions)
    + columns("slowest", slowest) + columns("stuck", stuck)

  private static let state = ("state", "The name of the visits' state.")

  private static let dwell = [
    session,
    controller,
    state,
    ("visits", "How many visits were in, as far as that was recorded."),
    ("still_open", "How many of them were still in when recording ended."),
    (
      "unknown",
      "How many of them may have left in what was lost; they have no part in the times."
    ),
    (
      "total_ms",
      """
      How long they were in together: each from when it was in, or from when recording began, until \
      it was out or nobody waited for it any more, or until recording ended; those that were in at \
      once count each.
      """
    ),
    ("mean_ms", "How long one was in on average."),
    ("p50_ms", "How long half of them were in at most; nearest rank."),
    ("p95_ms", "How long 95 in 100 of them were in at most; nearest rank."),
    ("max_ms", "How long the longest was in."),
  ]

  private static let waits = [
    session,
    controller,
    state,
    (
      "visits",
      """
      How many visits waited until they were told to come in, at once or later, or wait still; those \
      discarded before are left out.
      """
    ),
    ("still_waiting", "How many of them still waited when recording ended."),
    (
      "mean_ms",
      """
      How long one waited on average, from when it was asked for, or from when recording began, until \
      it was told to come in, or until recording ended; where only its being in is recorded, until \
      then.
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
      The state that the controller had let come in before, whether it had left since or not; null \
      at its beginning. A move is left out if what came before it may be among what was lost.
      """
    ),
    ("to", "The state that it told to come in next, or that said that it was in."),
    ("n", "How often."),
    ("percent", "How many in 100 of the moves of this controller from there led to here."),
    (
      "p50_ms",
      "How long half of them took at most, from request to being in, of those that came so far; "
        + "nearest rank."
    ),
    ("p95_ms", "How long 95 in 100 of them took at most; nearest rank."),
    ("max_ms", "How long the slowest took."),
    (
      "declared",
      "Whether a route leads there, guards aside: 1 or 0; null if the controller keeps to no routes."
    ),
  ]

  private static let slowest = [
    session,
    controller,
    ("visit", "The visit that came in, of those of the controller."),
    ("from", "The state that the controller had let come in before; null at its beginning."),
    ("to", "The name of the visit's state."),
    ("enqueued_ms", "When it was asked for, in milliseconds since the session began."),
    (
      "total_ms",
      "How long it took from request to being in: the sum of the four that follow, exactly."
    ),
    (
      "behind_ms",
      """
      How long it waited its turn, until the one before was told to leave or left by itself; where \
      the telling is not recorded, until that was out.
      """
    ),
    (
      "exit_ms",
      "How long it then waited for the one before to be out; 0 if it came in without waiting for that."
    ),
    ("gap_ms", "How long nobody was in its way and it was not yet told to come in."),
    (
      "enter_ms",
      "How long it then took to be in; where the telling is not recorded, this includes the gap."
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
      How far it got: entering (told to come in, and has not said that it is in), exiting (told to \
      leave, and has not said that it is out), or waiting (asked for, and neither told to come in \
      nor discarded).
      """
    ),
    (
      "waited_ms",
      """
      How long that had lasted when recording ended, or has so far; where it is little, the visit \
      may merely have been on its way.
      """
    ),
    (
      "waiting_for",
      """
      The event that would let it go on, and of which visit: its own, or one of the visit that came \
      in last and is still there; resumed, if there is nothing yet to be shown on; null if that \
      may be among what was lost.
      """
    ),
  ]
}
