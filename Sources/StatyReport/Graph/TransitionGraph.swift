package import StatyHistory
import StatyReading

/// The transitions of controllers, with their number and times, and the declared routes.
package struct TransitionGraph: Equatable, Sendable {
  /// The controllers with one name.
  package struct Controller: Equatable, Sendable {
    /// The name.
    var name: String
    /// The policies, each once.
    var policies: [String]
    /// The states, by name.
    package var states: [State]
    /// The transitions, by start and destination.
    package var moves: [Move]
  }

  /// A state.
  package struct State: Equatable, Sendable {
    /// The name of the state.
    package var name: String
    /// The number of visits that entered.
    package var visits: Int
    /// The median time between enter and exit in microseconds; `nil` if it is not known.
    package var median: Int64?
  }

  /// A transition that was made or is declared.
  package struct Move: Equatable, Sendable {
    /// Whether a transition is declared and was made.
    package enum Standing: Equatable, Sendable {
      /// A route declares it, or the controller declares none.
      case declared
      /// A route declares it, but it was never made.
      case unused
      /// It was made, but no route declares it.
      case undeclared
    }

    /// The start.
    package var start: Start
    /// The name of the destination.
    package var to: String
    /// The number of times it was made.
    package var count: Int
    /// The median time from the request to the enter in microseconds; `nil` if it is not known.
    package var median: Int64?
    /// Whether it is declared.
    package var standing: Standing
  }

  /// The start of a transition.
  package enum Start: Hashable, Comparable, Sendable {
    /// Before any state was shown.
    case beginning
    /// A state.
    case state(String)
    /// Any state. Only an unused route has this start.
    case anywhere
  }

  /// The controllers, by name.
  package var controllers: [Controller]
}

extension TransitionGraph {
  /// Reads the graph of sessions.
  ///
  /// - Parameters:
  ///   - reader: the reader of the history.
  ///   - sessions: the sessions, which are drawn together.
  ///   - isMeant: whether a controller is drawn.
  package init(
    _ reader: HistoryReader, _ sessions: [SessionRecord],
    where isMeant: (ControllerRecord) -> Bool
  ) throws {
    var drafts: [String: GraphDraft] = [:]
    for session in sessions {
      for record in try reader.controllers(session: session.id) where isMeant(record) {
        drafts[record.name, default: GraphDraft()].add(record)
      }
      // Controllers with other names are not drawn.
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
