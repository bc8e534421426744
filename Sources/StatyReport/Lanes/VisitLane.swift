import Staty
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
  /// The number of further steps that are not kept.
  private(set) var leftOut = 0
  /// The current phase.
  package private(set) var phase: LanePhase?
  /// The visit that made the request; 0 if it is not known.
  package var origin: UInt32 = 0
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
    guard steps.count < Self.mostSteps else { return leftOut += 1 }
    steps.append(
      LaneStep(seq: row.seq, time: row.time, kind: row.kind, reason: row.reason, phase: phase))
  }

  /// Notes that recording of the controller ended while the visit was open.
  mutating func detach(_ row: EventRow) {
    detached = LaneStep(seq: row.seq, time: row.time, kind: row.kind, reason: 0, phase: phase)
  }

  /// Notes that the phase is known up to an event.
  mutating func isKnown(at seq: Int64) { lastKnown = seq }

  /// Appends events that happened after the lane was complete.
  mutating func append(_ later: VisitLane) {
    let room = max(0, Self.mostSteps - steps.count)
    steps += later.steps.prefix(room)
    leftOut += later.leftOut + max(0, later.steps.count - room)
    if !(phase?.isOver ?? false) { phase = later.phase }
  }
}

extension VisitLane {
  /// The time of its first event.
  var firstTime: Int64 { steps.first?.time ?? 0 }

  /// The time of its last event.
  package var lastTime: Int64 { steps.last?.time ?? 0 }

  /// The phases of the visit with their times.
  ///
  /// - Parameter end: the end of an open phase, unless recording of the controller ended before.
  package func spans(until end: Int64) -> [Span] {
    var spans: [Span] = []
    var now = steps.first
    var phase: LanePhase?
    func close(at step: LaneStep?) {
      guard let phase, !phase.isOver, let from = now else { return }
      spans.append(
        Span(
          phase: phase, from: from, until: max(from.time, step?.time ?? detached?.time ?? end),
          isOpen: step == nil))
    }
    for step in steps where step.phase != phase {
      close(at: step)
      (phase, now) = (step.phase, step)
    }
    close(at: nil)
    return spans
  }

  /// A phase of a visit with its time.
  package struct Span: Equatable, Sendable {
    /// The phase.
    package let phase: LanePhase
    /// The event that began it.
    package let from: LaneStep
    /// The time of its end, in microseconds since the session began.
    package let until: Int64
    /// Whether it was open when recording ended.
    package let isOpen: Bool
  }
}

extension VisitLane {
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
