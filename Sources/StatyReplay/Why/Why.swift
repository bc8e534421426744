import Staty
package import StatyHistory
import StatyReading
package import StatyRules

/// Why something happened in a recording: what led to it, and the nearest order without it.
package struct Why {
  /// What is asked about.
  package enum Question {
    /// A finding.
    case finding(Finding)
    /// An event.
    case event(EventRow)

    /// The event that it is about.
    package var seq: Int64 {
      switch self {
      case .finding(let finding): finding.seq
      case .event(let row): row.seq
      }
    }
  }

  /// Why there is no nearest order.
  package enum Missing: String, Hashable, Sendable {
    /// The controller is not registered, or its recording cannot be played.
    case notPlayed = "not-played"
    /// Played in the recorded order, it does not happen.
    case notReproduced = "not-reproduced"
    /// It happens in every order that was tried.
    case everyOrder = "every-order"
    /// The time was over.
    case time
  }

  /// What led to it, the first cause first, and the event itself last.
  package let chain: [EventRow]
  /// The nearest order in which it does not happen.
  package private(set) var nearest: NearestOrder?
  /// Why there is none.
  package private(set) var missing: Missing?

  /// - Parameters:
  ///   - session: the number of the session.
  ///   - registry: how controllers are made.
  ///   - time: how long the nearest order is searched for.
  package init(
    _ question: Question, _ reader: HistoryReader, session: Int64, registry: ControllerRegistry,
    time: Duration = .seconds(2)
  ) throws {
    chain = try reader.chain(to: question.seq, session: session, most: 64)
    (nearest, missing) = try Self.nearest(
      question, reader, session: session, registry, until: .now + time)
  }

  private static func nearest(
    _ question: Question, _ reader: HistoryReader, session: Int64, _ registry: ControllerRegistry,
    until deadline: ContinuousClock.Instant
  ) throws -> (NearestOrder?, Missing?) {
    let controllers = try reader.controllers(session: session)
    let known = Set(controllers.filter { registry.contains($0.kind) }.map(\.id))
    guard let row = try reader.event(question.seq, session: session),
      known.contains(row.controller)
    else { return (nil, .notPlayed) }
    let order = try RecordedOrder(
      reader, session: session, only: known, registry: registry)
    guard order.scenario.controllers.contains(where: { $0.id == row.controller }) else {
      return (nil, .notPlayed)
    }
    let names = registry.current(try reader.names())
    let happens: (ScheduleRun) -> Bool
    switch question {
    case .finding(let finding):
      let key = try order.key(of: finding, reader, session: session, names)
      happens = { run in run.allFindings.contains { key.matches($0, in: run) } }
    case .event:
      let request = order.requests[VisitKey(controller: row.controller, visit: row.visit)]
      happens = { run in
        run.events.contains { other in
          guard other.kind == row.kind, other.controller == row.controller else { return false }
          if let request {
            return other.reason == row.reason
              && run.request(of: other.visit, controller: other.controller) == request
          }
          return run.names[other.state] == names[row.state]
        }
      }
    }
    let search = try NearestOrderSearch(
      order, guilty: question.seq, registry: registry, until: deadline, happens: happens)
    return try search.run()
  }
}
