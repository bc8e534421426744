import Staty
import StatyHistory
package import StatyRules

/// One character of a lane, with its meaning.
package struct LaneCell: Equatable, Sendable {
  /// The meaning of a character.
  package enum Ink: Equatable, Sendable {
    /// Nothing happens here.
    case blank
    /// The visit is in this phase.
    case phase(LanePhase)
    /// An event of the visit.
    case sign
    /// A finding is here.
    case finding(Severity)
    /// The visit was still in a transition when recording ended.
    case stuck
    /// Events are missing, and the visit has no later event.
    case unknown
  }

  package var character: Character
  package var ink: Ink
  /// Of a sign: the phase that begins with it.
  package var phase: LanePhase?

  static let blank = LaneCell(character: " ", ink: .blank)
  static let unknown = LaneCell(character: ":", ink: .unknown)
}

/// Draws visits as lanes of characters, for every picture that has lanes.
package enum LaneDrawing {
  /// All characters of lanes with their meanings, in the order of a visit's phases.
  package static let meanings: [(character: Character, meaning: String)] = [
    ("?", "requested"), (".", "waits"), (">", "told to enter"), ("-", "entering"), ("[", "entered"),
    ("=", "on screen"), ("<", "told to exit"), ("~", "exiting"), ("]", "exited"),
    ("x", "discarded"), ("c", "cancelled"), ("d", "took too long"), ("!", "stray"),
    ("+", "something else"), ("#", "stuck at the end"), ("|", "not recorded any more"),
    (":", "not known"),
  ]

  /// Marks of events: a letter, and how bad it is.
  package typealias Marks = [Int64: (letter: Character, severity: Severity)]

  /// Draws a lane.
  ///
  /// - Parameters:
  ///   - lane: the lane.
  ///   - axis: the columns of events.
  ///   - isStuck: whether the end is marked as stuck.
  ///   - gap: the number of the first missing event after which the phase is not known.
  ///   - marks: the letters of events that break rules.
  package static func cells(
    _ lane: VisitLane, on axis: LaneAxis, isStuck: Bool = false, unknownFrom gap: Int64? = nil,
    marks: Marks = [:]
  ) -> [LaneCell] {
    var cells = Array(repeating: LaneCell.blank, count: axis.width)
    var ranks = Array(repeating: 0, count: axis.width)
    var phase = lane.before
    var next = 0
    func fill(to end: Int) {
      if let phase, let character = Self.fill(phase) {
        for column in next..<max(next, min(end, axis.width)) where ranks[column] == 0 {
          cells[column] = LaneCell(character: character, ink: .phase(phase))
        }
      }
      next = max(next, end)
    }
    func set(_ column: Int, _ cell: LaneCell, rank: Int) {
      guard cells.indices.contains(column), rank > ranks[column] else { return }
      (cells[column], ranks[column]) = (cell, rank)
    }
    for step in lane.steps {
      let column = axis.place(of: step.seq)
      if column >= 0 {
        fill(to: column)
        let (cell, rank) = sign(step, after: phase, marks[step.seq])
        set(column, cell, rank: rank)
        next = max(next, column + 1)
      }
      phase = step.phase
    }
    let end = lane.detached.map { axis.place(of: $0.seq) } ?? axis.width
    if let gap { fill(to: min(end, axis.place(of: gap))) }
    if gap != nil, !(phase?.isOver ?? true) {
      for column in next..<max(next, end) { set(column, .unknown, rank: 1) }
    } else {
      fill(to: end)
    }
    if lane.detached != nil { set(end, LaneCell(character: "|", ink: .sign), rank: 2) }
    // If there is no room after the last event, the mark replaces it.
    if isStuck {
      set(min(end, axis.width - 1), LaneCell(character: "#", ink: .stuck), rank: 90)
    }
    return cells
  }

  /// The character of a phase.
  static func fill(_ phase: LanePhase) -> Character? {
    switch phase {
    case .pending: "."
    case .entering: "-"
    case .current: "="
    case .exiting: "~"
    case .exited, .discarded: nil
    }
  }

  /// The character of an event.
  static func sign(_ kind: EventKind?) -> Character {
    switch kind {
    case .enqueued: "?"
    case .entering: ">"
    case .entered: "["
    case .exiting: "<"
    case .exited: "]"
    case .discarded: "x"
    case .stray: "!"
    case .cancelled: "c"
    case .deadline: "d"
    case .moved: "["
    // The star is used for marks of the app.
    default: "+"
    }
  }

  /// The sign of an event, and its rank among events in the same column.
  private static func sign(
    _ step: LaneStep, after before: LanePhase?, _ mark: (letter: Character, severity: Severity)?
  ) -> (LaneCell, rank: Int) {
    if let mark {
      let rank = [.error: 100, .warning: 95][mark.severity, default: 90]
      return (
        LaneCell(character: mark.letter, ink: .finding(mark.severity), phase: step.phase), rank
      )
    }
    let kind = EventKind(rawValue: step.kind)
    // Nothing happened at a `stood` event, and a track that moves to the same value stays there.
    if kind == .stood || kind == .moved && step.phase == before, let phase = step.phase,
      let character = fill(phase)
    {
      return (LaneCell(character: character, ink: .phase(phase)), 1)
    }
    let order: [EventKind?] = [
      .discarded, .stray, .deadline, .cancelled, .entered, .moved, .exited, .exiting,
      .entering, .enqueued,
    ]
    let rank = 80 - (order.firstIndex(of: kind) ?? order.count)
    // The track changed to another value.
    let isLeft = kind == .moved && step.phase == .exited
    return (
      LaneCell(character: isLeft ? "]" : sign(kind), ink: .sign, phase: step.phase), rank
    )
  }
}
