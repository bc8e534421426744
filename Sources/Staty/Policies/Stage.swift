/// The place where one visit at a time is shown.
///
/// It knows who is on it and how far, and decides what a completion means; who comes next is
/// the line's business.
public struct Stage: Hashable, Sendable {
  /// The visit on the stage, or the last one that was.
  public internal(set) var current: Request?
  /// How far it is.
  public internal(set) var phase = Phase.empty
  /// Whether it is told to leave as soon as it is in, although nobody may wait.
  var leavesOnArrival = false
  /// Whether enters are held back until the target is there.
  var isWithholding = false
  /// Whether nothing enters any more.
  var isTornDown = false

  /// Whether the next visit could enter now.
  public var isFree: Bool {
    (phase == .empty || phase == .left) && !isWithholding
  }

  /// Whether a move is under way: somebody comes in, leaves, or is about to.
  public var isMoving: Bool {
    phase == .entering || phase == .exiting || leavesOnArrival
  }

  func isOn(_ visit: VisitNumber) -> Bool {
    current?.visit == visit && phase != .left
  }

  mutating func enter(_ request: Request, _ commands: inout CommandQueue) {
    current = request
    phase = .entering
    leavesOnArrival = false
    commands.append(.enter(request))
  }

  mutating func tellToLeave(_ commands: inout CommandQueue) {
    switch phase {
    case .entering: leavesOnArrival = true
    case .entered:
      phase = .exiting
      leavesOnArrival = false
      if let current { commands.append(.exit(current.visit)) }
    case .empty, .exiting, .left: break
    }
  }

  mutating func clear() {
    phase = .left
    leavesOnArrival = false
  }
}
