import Staty
import StatyHistory

/// The moves between the states of slots that no route declares.
struct UndeclaredMoves {
  private var undeclared: [SlotSet] = []
  private var first = SlotSet()
  /// The slot that stands for the state that is shown at the beginning; -1 for none.
  private(set) var shown = -1

  init(_ routes: [SnapshotRecord.Route], _ states: [String], _ snapshot: SnapshotRecord) {
    func isDeclared(_ from: String?, _ to: String) -> Bool {
      routes.contains { $0.to == to && ($0.isAnywhere == true || $0.from == from) }
    }
    first = SlotSet(states.indices.filter { !isDeclared(nil, states[$0]) })
    undeclared = states.map { from in
      SlotSet(states.indices.filter { !isDeclared(from, states[$0]) })
    }
    if let last = snapshot.standing.last?.state {
      shown = states.firstIndex(of: last) ?? -2
    }
  }

  /// Whether no route leads from the state of one slot to that of another; -1 for the beginning, -2
  /// for a state that no slot requests.
  @inline(__always) func isUndeclared(_ from: Int, _ to: Int) -> Bool {
    if from == -2 { return true }
    return from < 0 ? first.contains(to) : undeclared[from].contains(to)
  }
}
