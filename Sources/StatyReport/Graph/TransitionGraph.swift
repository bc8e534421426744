package import StatyHistory

/// Which states controllers went to from which, how often and how fast, beside the moves that they
/// declare.
package struct TransitionGraph: Equatable, Sendable {
  /// What was drawn together: the controllers that are recorded under one name.
  package struct Controller: Equatable, Sendable {
    /// The name.
    var name: String
    /// Their policies, each once.
    var policies: [String]
    /// The states, by name.
    package var states: [State]
    /// The moves, by where they start and lead to.
    package var moves: [Move]
  }

  /// A state.
  package struct State: Equatable, Sendable {
    /// Its name.
    package var name: String
    /// How many visits of it were in.
    package var visits: Int
    /// How many microseconds half of them were in at most; none if that is not known of any.
    package var median: Int64?
  }

  /// A move that was made or is declared.
  package struct Move: Equatable, Sendable {
    /// What is to be seen of a move's declaration.
    package enum Standing: Equatable, Sendable {
      /// The controller keeps to no routes.
      case free
      /// A route declares it.
      case declared
      /// A route declares it, and nobody took it.
      case unused
      /// It was made, and no route declares it.
      case undeclared
    }

    /// Where it starts.
    package var start: Start
    /// The name of the state that it leads to.
    package var to: String
    /// How often it was made.
    package var count: Int
    /// How many microseconds half of them took at most, from the request until the state was in; none
    /// if that is not known of any.
    package var median: Int64?
    /// Whether it is declared.
    package var standing: Standing
  }

  /// Where a move starts.
  package enum Start: Hashable, Comparable, Sendable {
    /// Before anything has been shown.
    case beginning
    /// In the state of this name.
    case state(String)
    /// Anywhere; only a route that nobody took does.
    case anywhere
  }

  /// The controllers, by name.
  package var controllers: [Controller]
}

extension TransitionGraph {
  /// The graph of these sessions, all together.
  ///
  /// - Parameter isMeant: which controllers are drawn.
  package init(
    _ reader: HistoryReader, _ sessions: [SessionRecord],
    where isMeant: (ControllerRecord) -> Bool
  ) throws {
    var drafts: [String: GraphDraft] = [:]
    for session in sessions {
      for record in try reader.controllers(session: session.id) where isMeant(record) {
        drafts[record.name, default: GraphDraft()].add(record)
      }
      // Those of other names are not drawn.
      try reader.eachMove(session: session.id) { controller, from, to, taken in
        drafts[controller]?.addMove(from.map(Start.state) ?? .beginning, to, taken)
      }
      try reader.eachStay(session: session.id) { controller, state, taken in
        drafts[controller]?.addStay(state, taken)
      }
    }
    controllers = drafts.sorted { $0.key < $1.key }.map { $1.controller(named: $0) }
  }
}
