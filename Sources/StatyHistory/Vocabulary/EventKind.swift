/// What an event says happened, as the file numbers it.
///
/// The numbers are part of the file format: one that has been given is never given to another kind.
public enum EventKind: UInt8, Hashable, Sendable, CaseIterable {
  /// Recording of a controller begins; its snapshot stands with the controller.
  case attached = 1
  /// Recording of a controller ends.
  case detached = 2
  /// A request was made.
  case enqueued = 3
  /// The controller told a state to come in.
  case entering = 4
  /// A state says that it is in.
  case entered = 5
  /// The controller told a state to leave.
  case exiting = 6
  /// A state says that it is out.
  case exited = 7
  /// The controller will not show the state, or no longer waits for it.
  case discarded = 8
  /// A completion came that fits nothing.
  case stray = 9
  /// Somebody cancelled one visit, all of them, or tore the controller down.
  case cancelled = 10
  /// A state took longer than it was given.
  case deadline = 11
  /// A step that the controller had put off ran.
  case resumed = 12
  /// A note of the app's own.
  case mark = 13
  /// Events are missing here.
  case lost = 14

  /// The kind's name, as the view `history` gives it.
  public var text: String {
    switch self {
    case .attached: "attached"
    case .detached: "detached"
    case .enqueued: "enqueued"
    case .entering: "entering"
    case .entered: "entered"
    case .exiting: "exiting"
    case .exited: "exited"
    case .discarded: "discarded"
    case .stray: "stray"
    case .cancelled: "cancelled"
    case .deadline: "deadline"
    case .resumed: "resumed"
    case .mark: "mark"
    case .lost: "lost"
    }
  }

  /// The kind with this name.
  public init?(text: String) {
    guard let kind = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = kind
  }
}
