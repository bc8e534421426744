import Staty
package import StatyHistory
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

  /// What led to it, the first cause first, and the event itself last: its chain of causes, and what a
  /// finding compares it with, such as the newer message of a late answer.
  package let chain: [EventRow]
  /// Those of the chain that did not lead to it: what it is compared with, or what came meanwhile.
  package let beside: Set<Int64>
  /// Whether its controller decided it, and nothing that the controller reported led to it.
  package let isUnexplained: Bool
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
    (chain, beside) = try Self.chain(question, reader, session: session)
    isUnexplained =
      try chain.last.map { try Self.isUnexplained($0, reader, session: session) } ?? false
    (nearest, missing) = try Self.nearest(
      question, reader, session: session, registry, until: .now + time)
  }

  private static func chain(
    _ question: Question, _ reader: HistoryReader, session: Int64
  ) throws -> ([EventRow], beside: Set<Int64>) {
    let chain = try reader.chain(to: question.seq, session: session, most: 64)
    let beside: [EventRow]
    switch question {
    case .finding(let finding):
      let context = try FindingContext(finding, in: reader, followers: 0)
      beside = context.map { $0.newer + $0.instead + $0.below } ?? []
    case .event(let row): beside = try meanwhile(row, chain, reader, session: session)
    }
    let known = Set(chain.map(\.seq))
    let others = beside.filter { $0.seq < question.seq && !known.contains($0.seq) }
    return ((chain + others).sorted { $0.seq < $1.seq }, Set(others.map(\.seq)))
  }

  /// What else reached a track between the message that an answer came of and the change that the answer made.
  private static func meanwhile(
    _ row: EventRow, _ chain: [EventRow], _ reader: HistoryReader, session: Int64
  ) throws -> [EventRow] {
    func isMessage(_ other: EventRow) -> Bool {
      other.kind == EventKind.received.rawValue && other.controller == row.controller
    }
    guard row.kind == EventKind.moved.rawValue, let question = chain.first(where: isMessage) else {
      return []
    }
    let events = try reader.events(session: session, from: question.seq + 1, through: row.seq)
    var messages: [EventRow] = []
    // What the user sent to other models, which may have passed it on.
    var others: Set<Int64> = []
    while let next = try events.next() {
      guard next.kind == EventKind.received.rawValue else { continue }
      let isUsers = next.inside == 0 && next.ownCause == 0
      if !isMessage(next) {
        if isUsers { others.insert(next.seq) }
      } else if isUsers || others.contains(next.cause) {
        messages.append(next)
      }
    }
    return messages.suffix(16)
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
      happens = try Self.happening(row, order, reader, session: session, names)
    }
    var search = try NearestOrderSearch(
      order, guilty: question.seq, registry: registry, until: deadline, happens: happens)
    return try search.run()
  }

  /// Whether an event happens in a run: at the same request or message, and of the last move of a
  /// track, whether that is shown at the end.
  private static func happening(
    _ row: EventRow, _ order: RecordedOrder, _ reader: HistoryReader, session: Int64,
    _ names: [Int32: String]
  ) throws -> (ScheduleRun) -> Bool {
    func isAlike(_ other: EventRow, _ run: ScheduleRun) -> Bool {
      other.kind == row.kind && other.controller == row.controller && other.reason == row.reason
        && run.names[other.state] == names[row.state]
    }
    if row.kind == EventKind.moved.rawValue {
      let message = try order.message(ofMove: row.seq, reader, session: session)
      var isLast = true
      let later = try reader.events(session: session, from: row.seq + 1)
      while isLast, let next = try later.next() {
        isLast = next.kind != row.kind || next.controller != row.controller
      }
      return { run in
        let moves = run.events.filter { $0.kind == row.kind && $0.controller == row.controller }
        return (isLast ? moves.suffix(1) : moves[...]).contains {
          isAlike($0, run) && FindingKey.message(ofMove: $0.seq, in: run) == message
        }
      }
    }
    let request = order.requests[VisitKey(controller: row.controller, visit: row.visit)]
    return { run in
      run.events.contains { other in
        guard let request else { return isAlike(other, run) }
        return other.kind == row.kind && other.reason == row.reason
          && run.request(of: other.visit, controller: other.controller) == request
      }
    }
  }
}

extension Why {
  private static let mostLookedAt: Int64 = 10_000

  /// Whether an event is a decision in no call, of a controller that tells in which call it does something.
  ///
  /// A recorder that was attached during a call does not know that call, so an input has to come first.
  private static func isUnexplained(
    _ row: EventRow, _ reader: HistoryReader, session: Int64
  ) throws -> Bool {
    guard row.cause == 0, EventKind(rawValue: row.kind)?.side == .output,
      let controller = try reader.controllers(session: session).first(where: {
        $0.id == row.controller
      }), !controller.isTrack, controller.comparability.hasCauses
    else { return false }
    let before = try reader.events(
      session: session, from: max(1, row.seq - mostLookedAt), through: row.seq - 1)
    while let next = try before.next() {
      let isInput = EventKind(rawValue: next.kind)?.side == .input && next.inside == 0
      if isInput, next.controller == row.controller, next.kind != EventKind.attached.rawValue {
        return true
      }
    }
    return false
  }
}
