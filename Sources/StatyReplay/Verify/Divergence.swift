package import Staty

/// A place where a replay did something else than the history says.
package struct Divergence: Hashable, Sendable {
  /// What is the difference.
  package enum Difference: Hashable, Sendable {
    /// The history has an output that the replay did not make.
    case missing(Output)
    /// The replay made an output that the history does not have.
    case extra(Output)
    /// The replay did something else there, or the same for another reason.
    case different(recorded: Output, replayed: Output)
    /// Both did the same for the same reason, and only what they did it in the handling of differs.
    case moved(recorded: Output, replayed: Output)
    /// The replay made the output too, but not before it made this other one.
    case reordered(recorded: Output, replayed: Output)
    /// The one side called a completion stray and the other did not.
    case stray(VisitNumber, Completion, recorded: Fit, replayed: Fit)
  }

  /// The difference.
  package var difference: Difference
  /// The number of the controller in the file.
  package var controller: Int32
  /// The number of the recorded event at which it showed.
  package var seq: Int64
  /// Microseconds since the session began.
  package var time: Int64
  /// Who stood and who waited in the replay at that point.
  package var standing: PolicySnapshot
  /// How many recorded outputs had been made again by then.
  package var matchedBefore: Int
}

extension Divergence.Difference {
  /// What it is that two outputs differ in which are the next on both sides.
  init(recorded: Output, replayed: Output) {
    var copy = replayed
    copy.cause = recorded.cause
    self =
      copy == recorded
      ? .moved(recorded: recorded, replayed: replayed)
      : .different(recorded: recorded, replayed: replayed)
  }

  /// Whether the controllers stand where they would stand without it.
  package var isMoved: Bool {
    if case .moved = self { true } else { false }
  }
}

/// Whether a replayed controller stands where the recording says that it stood.
enum Stride {
  case inStep
  /// It does, but it came there by another way.
  case moved
  case outOfStep

  /// It goes another way.
  ///
  /// - Returns: whether that is no consequence of an earlier divergence.
  mutating func lose(_ difference: Divergence.Difference) -> Bool {
    switch (self, difference.isMoved) {
    case (.inStep, true):
      self = .moved
      return true
    case (.moved, true), (.outOfStep, _): return false
    case (.inStep, false), (.moved, false):
      self = .outOfStep
      return true
    }
  }
}
