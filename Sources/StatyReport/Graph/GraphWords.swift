import StatyText

/// The texts of drawings.
enum GraphWords {
  /// A name, with invisible characters escaped, and shortened.
  static func name(_ text: String) -> String { text.escapedForOneLine.shortened(to: 60) }

  /// A controller: `checkout (queue)`.
  static func title(_ controller: TransitionGraph.Controller) -> String {
    let policies = controller.policies.map(name).joined(separator: ", ")
    return name(controller.name) + (policies.isEmpty ? "" : " (\(policies))")
  }

  /// The visits of a state: `3 ×, 1.2 s`; `nil` if it never entered.
  static func facts(_ state: TransitionGraph.State) -> String? {
    state.visits == 0 ? nil : facts(state.visits, state.median)
  }

  /// The number and median time of a transition: `3 ×, 340 ms`.
  static func facts(_ move: TransitionGraph.Move) -> String {
    move.standing == .unused ? "never" : facts(move.count, move.median)
  }

  private static func facts(_ count: Int, _ median: Int64?) -> String {
    "\(count) ×" + (median.map { ", " + ShortTime.text($0) } ?? "")
  }
}
