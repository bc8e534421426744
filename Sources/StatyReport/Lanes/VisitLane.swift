import StatyHistory

/// The events and phases of one visit.
package struct VisitLane: Equatable, Sendable {
  /// Identifies a visit.
  package struct Key: Hashable, Comparable, Sendable {
    package let controller: Int32
    package let visit: UInt32

    package init(controller: Int32, visit: UInt32) {
      (self.controller, self.visit) = (controller, visit)
    }

    package static func < (one: Key, other: Key) -> Bool {
      (one.controller, one.visit) < (other.controller, other.visit)
    }
  }

  package let key: Key
  /// The number of the state's name; 0 if it is not known.
  package private(set) var state: Int32
  /// The phase before the first step; `nil` if it is not known, or there was no request yet.
  private(set) var before: LanePhase?
  /// The events of the visit, in order.
  package private(set) var steps: [LaneStep] = []
  /// The current phase.
  package private(set) var phase: LanePhase?
  /// The controller's `detached` event, if the visit was open then.
  package private(set) var detached: LaneStep?
  /// The number of the last event after which the phase was known.
  private(set) var lastKnown: Int64 = 0

  // A visit that reports its enter a million times must not fill the memory.
  private static let mostSteps = 1_000

  /// Creates a lane without events.
  init(_ key: Key, state: Int32) {
    self.key = key
    self.state = state
  }

  /// Adds the visit's next event.
  ///
  /// - Parameters:
  ///   - row: the event.
  ///   - before: the phase before, if it is known.
  ///   - after: the phase after; by default unchanged.
  mutating func take(_ row: EventRow, from before: LanePhase? = nil, to after: LanePhase? = nil) {
    detached = nil
    if state == 0 { state = row.state }
    if steps.isEmpty { (self.before, phase) = (before, before) }
    phase = after ?? phase
    guard steps.count < Self.mostSteps else { return }
    steps.append(LaneStep(seq: row.seq, time: row.time, kind: row.kind, phase: phase))
  }

  /// Notes that recording of the controller ended while the visit was open.
  mutating func detach(_ row: EventRow) {
    detached = LaneStep(seq: row.seq, time: row.time, kind: row.kind, phase: phase)
  }

  /// Notes that the phase is known up to an event.
  mutating func isKnown(at seq: Int64) { lastKnown = seq }

  /// Appends events that happened after the lane was complete.
  mutating func append(_ later: VisitLane) {
    steps += later.steps.prefix(max(0, Self.mostSteps - steps.count))
    if !(phase?.isOver ?? false) { phase = later.phase }
  }
}

extension VisitLane {
  /// The time of its first event.
  var firstTime: Int64 { steps.first?.time ?? 0 }

  /// The time of its last event.
  package var lastTime: Int64 { steps.last?.time ?? 0 }

  /// The lane with only the events of a time range.
  package func cut(to times: ClosedRange<Int64>) -> VisitLane {
    let early = steps.prefix { $0.time < times.lowerBound }
    let late = steps.reversed().prefix { $0.time > times.upperBound }.count
    let isDetachedLate = detached.map { $0.time > times.upperBound } ?? false
    guard !early.isEmpty || late > 0 || isDetachedLate else { return self }
    var cut = self
    if isDetachedLate { cut.detached = nil }
    cut.steps = Array(steps.dropFirst(early.count).dropLast(late))
    if let last = early.last { cut.before = last.phase }
    cut.phase = cut.steps.last?.phase ?? cut.before
    return cut
  }
}
