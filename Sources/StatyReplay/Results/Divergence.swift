package import Staty
import StatyHistory

/// A place where a replay did something else than the history says.
package struct Divergence: Hashable, Sendable {
  /// What is recorded there and what the replay did.
  package struct Difference: Hashable, Sendable {
    /// How the two differ.
    package enum Kind: String, Hashable, Sendable {
      /// The replay did not do what is recorded.
      case missing
      /// The replay did something that is not recorded.
      case extra
      /// The replay did something else.
      case different
      /// The replay did the same in the handling of another event.
      case moved
      /// The replay did the same, but something else before it.
      case reordered
      /// One side accepted a completion that the other called stray.
      case stray
    }

    /// How the two differ.
    package let kind: Kind
    /// What is recorded; `nil` if nothing is.
    package var recorded: Output?
    /// What the replay did; `nil` if nothing.
    package var replayed: Output?
  }

  /// The difference.
  package var difference: Difference
  /// The number of the controller in the file.
  package var controller: Int32
  /// The number of the recorded event at which the difference was noticed.
  package var seq: Int64
  /// Microseconds since the session began.
  package var time: Int64
  /// Which states were on the stage and which requests were pending in the replay at that point.
  package var standing: PolicySnapshot
  /// How many recorded outputs the replay had reproduced by then.
  package var matchedBefore: Int
}

extension Divergence.Difference {
  /// The history has an output that the replay did not make.
  static func missing(_ output: Output) -> Self { Self(kind: .missing, recorded: output) }

  /// The replay made an output that the history does not have.
  static func extra(_ output: Output) -> Self { Self(kind: .extra, replayed: output) }

  /// The replay also made the output, but made this other one before it.
  static func reordered(recorded: Output, replayed: Output) -> Self {
    Self(kind: .reordered, recorded: recorded, replayed: replayed)
  }

  static func different(recorded: Output, replayed: Output) -> Self {
    Self(kind: .different, recorded: recorded, replayed: replayed)
  }

  /// One side accepted the completion, the other called it stray.
  static func stray(_ visit: VisitNumber, _ completion: Completion, recorded: Fit) -> Self {
    let isEntered = completion == .entered
    let accepted = Output(kind: isEntered ? .entered : .exited, visit: visit, cause: 0)
    let reason = isEntered ? EventReason.strayEntered : EventReason.strayExited
    let stray = Output(kind: .stray, visit: visit, reason: reason.code, cause: 0)
    return recorded == .fits
      ? Self(kind: .stray, recorded: accepted, replayed: stray)
      : Self(kind: .stray, recorded: stray, replayed: accepted)
  }

  /// The difference between the next outputs of both sides.
  init(recorded: Output, replayed: Output) {
    var copy = replayed
    copy.cause = recorded.cause
    self.init(
      kind: copy == recorded ? .moved : .different, recorded: recorded, replayed: replayed)
  }

  /// Whether the difference leaves the controllers in the same condition.
  package var isMoved: Bool { kind == .moved }
}

/// Whether a replayed controller agrees with the recording.
enum Stride {
  case inStep
  /// It agrees, but reached that in another way.
  case moved
  case outOfStep

  /// Notes that the controller diverges.
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
