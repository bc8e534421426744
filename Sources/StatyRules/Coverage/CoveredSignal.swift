package import Staty
import StatyHistory

/// What a controller was told, as far as coverage tells it apart.
public enum CoveredSignal: UInt8, Hashable, Sendable, CaseIterable {
  /// Somebody asked for a state.
  case requested
  /// A state said that it was in.
  case entered
  /// A state said that it was out.
  case exited
  /// Somebody cancelled one visit, or all.
  case cancelled
  /// A state took longer than it was given.
  case deadline
  /// A step that was put off ran.
  case resumed
  /// A state that is not on the stage, or is no longer expected to, said that it was in.
  case strayEntered
  /// A state that is not on the stage, or is no longer expected to, said that it was out.
  case strayExited

  /// The signal's name, as rows give it.
  package var text: String {
    switch self {
    case .requested: "requested"
    case .entered: "entered"
    case .exited: "exited"
    case .cancelled: "cancelled"
    case .deadline: "deadline"
    case .resumed: "resumed"
    case .strayEntered: "stray entered"
    case .strayExited: "stray exited"
    }
  }

  /// Whether a right controller and right states can come to this pair.
  func fits(_ phase: Phase) -> Bool {
    switch self {
    case .requested, .cancelled, .resumed: true
    case .entered: phase == .entering
    case .exited: phase == .entered || phase == .exiting
    case .deadline: phase == .entering || phase == .exiting
    case .strayEntered, .strayExited: false
    }
  }

  /// What is told besides decisions; `nil` for what is none of a controller's inputs.
  init?(_ kind: EventKind, reason: UInt8) {
    switch kind {
    case .enqueued: self = .requested
    case .entered: self = .entered
    case .exited: self = .exited
    case .cancelled: self = .cancelled
    case .deadline: self = .deadline
    case .resumed: self = .resumed
    case .stray: self = reason == EventReason.strayEntered.code ? .strayEntered : .strayExited
    case .attached, .detached, .entering, .exiting, .discarded, .mark, .lost, .calling: return nil
    }
  }
}

extension Phase {
  /// The phase's name, as rows give it.
  package var text: String { "\(self)" }
}
