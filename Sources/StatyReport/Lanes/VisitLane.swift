import Staty
import StatyHistory

/// What one visit did: how far it was and when, from the first that is known of it to the last.
package struct VisitLane: Equatable, Sendable {
  /// Which visit of which controller it is.
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
  /// How far it was before its first step; none if that is not known, or it was not requested yet.
  private(set) var before: LanePhase?
  /// What happened to it, in order.
  package private(set) var steps: [LaneStep] = []
  /// How many steps more there were than are kept.
  private(set) var leftOut = 0
  /// How far it is.
  package private(set) var phase: LanePhase?
  /// The visit whose code asked; 0 if that is not known.
  package var origin: UInt32 = 0
  /// The event with which recording of its controller ended, if it was there then.
  package private(set) var detached: LaneStep?
  /// The number of the last event after which it was known how far it is.
  private(set) var lastKnown: Int64 = 0

  // A visit that says a million times that it has entered must not fill the memory.
  private static let mostSteps = 1_000

  /// A visit of which nothing is known yet.
  init(_ key: Key, state: Int32) {
    self.key = key
    self.state = state
  }

  /// Takes in its next event.
  ///
  /// - Parameters:
  ///   - before: how far it was, if that is known.
  ///   - after: how far it is now; by default as far as it was.
  mutating func take(_ row: EventRow, from before: LanePhase? = nil, to after: LanePhase? = nil) {
    detached = nil
    if state == 0 { state = row.state }
    if steps.isEmpty { (self.before, phase) = (before, before) }
    phase = after ?? phase
    guard steps.count < Self.mostSteps else { return leftOut += 1 }
    steps.append(
      LaneStep(seq: row.seq, time: row.time, kind: row.kind, reason: row.reason, phase: phase))
  }

  /// Takes in that recording of its controller ended while it was there.
  mutating func detach(_ row: EventRow) {
    detached = LaneStep(seq: row.seq, time: row.time, kind: row.kind, reason: 0, phase: phase)
  }

  /// Takes in that up to an event it is known how far it is.
  mutating func isKnown(at seq: Int64) { lastKnown = seq }

  /// Takes in what happened to it after it had been given out.
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

  /// The stretches of time in which it was as far as they say.
  ///
  /// - Parameter end: until when an open one lasts, if recording of its controller did not end before.
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

  /// A stretch of time.
  package struct Span: Equatable, Sendable {
    /// How far the visit was.
    package let phase: LanePhase
    /// What it began with.
    package let from: LaneStep
    /// When it ended, in microseconds since the session began.
    package let until: Int64
    /// Whether it had not ended when recording did.
    package let isOpen: Bool
  }
}

extension VisitLane {
  /// The same visit, of which only what happened in this time is known.
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
