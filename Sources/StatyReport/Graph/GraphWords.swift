import StatySQLite

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

/// Lengths of time where there is little room.
enum ShortTime {
  /// The time with two or three digits that count: `340 ms`, `1.2 s`, `3 min 5 s`.
  static func text(_ microseconds: Int64) -> String {
    switch microseconds {
    case ..<1_000: return "\(microseconds) µs"
    case ..<10_000: return tenths(microseconds, of: 1_000) + " ms"
    case ..<1_000_000: return "\(microseconds / 1_000) ms"
    case ..<100_000_000: return tenths(microseconds, of: 1_000_000) + " s"
    case ..<7_200_000_000:
      let seconds = microseconds / 1_000_000
      return "\(seconds / 60) min \(seconds % 60) s"
    default:
      let minutes = microseconds / 60_000_000
      return "\(minutes / 60) h \(minutes % 60) min"
    }
  }

  private static func tenths(_ number: Int64, of unit: Int64) -> String {
    let tenths = number / (unit / 10)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
