import StatyText

/// What drawings say of states and moves.
enum GraphWords {
  /// A name, with what could hide itself written out, and not so long that it takes all the room.
  static func name(_ text: String) -> String { text.escapedForOneLine.shortened(to: 60) }

  /// A controller: `checkout (queue)`.
  static func title(_ controller: TransitionGraph.Controller) -> String {
    let policies = controller.policies.map(name).joined(separator: ", ")
    return name(controller.name) + (policies.isEmpty ? "" : " (\(policies))")
  }

  /// What is known of a state: `3 ×, 1.2 s`; nothing if it was never in.
  static func facts(_ state: TransitionGraph.State) -> String? {
    state.visits == 0 ? nil : facts(state.visits, state.median)
  }

  /// What is known of a move: `3 ×, 340 ms`.
  static func facts(_ move: TransitionGraph.Move) -> String {
    move.standing == .unused ? "never" : facts(move.count, move.median)
  }

  private static func facts(_ count: Int, _ median: Int64?) -> String {
    "\(count) ×" + (median.map { ", " + ShortTime.text($0) } ?? "")
  }
}
