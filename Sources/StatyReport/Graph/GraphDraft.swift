import StatyHistory

/// Collects the transitions of a controller while they are read.
struct GraphDraft {
  private struct Move: Hashable {
    var start: TransitionGraph.Start
    var to: String
  }

  private struct Times {
    var count = 0
    var known: [Int64] = []

    mutating func add(_ taken: Int64?) {
      count += 1
      if let taken { known.append(taken) }
    }

    /// The median: the smallest time that at least half of them do not exceed, as in the SQL views.
    var median: Int64? {
      known.isEmpty ? nil : known.sorted()[(known.count + 1) / 2 - 1]
    }
  }

  private var policies: Set<String> = []
  private var moves: [Move: Times] = [:]
  private var stays: [String: Times] = [:]
  private var named: Set<String> = []
  /// The declared routes; `nil` if the controllers declare none.
  private var routes: Set<Move>?

  /// Adds a controller's policy and routes.
  mutating func add(_ record: ControllerRecord) {
    policies.insert(record.policy)
    guard let snapshot = SnapshotRecord(record.snapshot), let declared = snapshot.routes else {
      return
    }
    named.formUnion(snapshot.states ?? [])
    routes = (routes ?? []).union(
      declared.map { route in
        let start: TransitionGraph.Start =
          route.isAnywhere == true ? .anywhere : route.from.map { .state($0) } ?? .beginning
        return Move(start: start, to: route.to)
      })
  }

  mutating func addMove(_ start: TransitionGraph.Start, _ to: String, _ taken: Int64?) {
    moves[Move(start: start, to: to), default: Times()].add(taken)
  }

  mutating func addStay(_ state: String, _ taken: Int64?) {
    stays[state, default: Times()].add(taken)
  }

  func controller(named name: String) -> TransitionGraph.Controller {
    var states = named.union(stays.keys)
    for move in Array(moves.keys) + (routes ?? []) {
      states.insert(move.to)
      if case .state(let from) = move.start { states.insert(from) }
    }
    return TransitionGraph.Controller(
      name: name, policies: policies.sorted(),
      states: states.sorted().map {
        TransitionGraph.State(
          name: $0, visits: stays[$0]?.count ?? 0, median: stays[$0]?.median)
      },
      moves: allMoves.sorted { ($0.start, $0.to) < ($1.start, $1.to) })
  }

  private var allMoves: [TransitionGraph.Move] {
    let made = moves.map { move, times in
      TransitionGraph.Move(
        start: move.start, to: move.to, count: times.count, median: times.median,
        standing: standing(of: move))
    }
    return made
      + (routes ?? []).filter(isUnused).map {
        TransitionGraph.Move(start: $0.start, to: $0.to, count: 0, standing: .unused)
      }
  }

  private func standing(of move: Move) -> TransitionGraph.Move.Standing {
    guard let routes else { return .declared }
    let general = Move(start: .anywhere, to: move.to)
    return routes.contains(move) || routes.contains(general) ? .declared : .undeclared
  }

  /// Whether no transition used a route.
  ///
  /// A route from anywhere is used by a transition without a more specific route.
  private func isUnused(_ route: Move) -> Bool {
    guard route.start == .anywhere else { return moves[route] == nil }
    return !moves.keys.contains { $0.to == route.to && routes?.contains($0) == false }
  }
}
