/// The place that shows one visit at a time.
///
/// It knows the current visit and its phase. The ``WaitingLine`` decides which visit is next.
public struct Stage: Hashable, Sendable {
  /// The visit on the stage, or the last one.
  public internal(set) var current: Request?
  /// The phase of the current visit.
  public internal(set) var phase = Phase.empty
  /// Whether the visit is told to exit when it has entered, even without a pending request.
  var exitsOnceEntered = false
  /// Whether no visit enters, because there is no target yet.
  var isWithholding = false
  /// Whether no visit enters any more.
  var isTornDown = false

  /// Whether the next visit could enter now.
  public var isFree: Bool {
    (phase == .empty || phase == .exited) && !isWithholding
  }

  /// Whether a transition is in progress: the visit is entering, exiting, or will exit when it has
  /// entered.
  public var isMoving: Bool {
    phase == .entering || phase == .exiting || exitsOnceEntered
  }

  func isOn(_ visit: VisitNumber) -> Bool {
    current?.visit == visit && phase != .exited
  }

  mutating func enter(_ request: Request, _ commands: inout CommandQueue) {
    current = request
    phase = .entering
    exitsOnceEntered = false
    commands.append(.enter(request))
  }

  mutating func tellToExit(_ commands: inout CommandQueue) {
    switch phase {
    case .entering: exitsOnceEntered = true
    case .entered:
      phase = .exiting
      exitsOnceEntered = false
      if let current { commands.append(.exit(current.visit)) }
    case .empty, .exiting, .exited: break
    }
  }

  mutating func clear() {
    phase = .exited
    exitsOnceEntered = false
  }
}
