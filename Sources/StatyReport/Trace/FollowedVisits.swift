import Staty
import StatyHistory

/// The visits of one controller that are open, and which have ended: what has to be kept of a history
/// to draw it as it goes by.
struct FollowedVisits {
  /// How far an open visit is.
  enum Phase: UInt8 {
    case waiting, entering, entered, exiting
  }

  /// A visit that has not ended.
  struct Open {
    var state: String
    var phase: Phase
    /// The number of the last event that said how far it is; 0 for where its controller stood.
    var heard: Int64 = 0
  }

  /// What an event comes to.
  enum Step: Equatable {
    /// The visit begins, in this phase.
    case begins(Phase)
    /// It goes on from one phase to the next.
    case goesOn(from: Phase, to: Phase)
    /// It ends, from this phase.
    case ends(from: Phase)
    /// It begins and ends at once.
    case passes(Phase)
    /// It is open, and stays as it was.
    case stays
    /// There is no such visit, or not any more.
    case unknown
  }

  private(set) var open: [UInt32: Open] = [:]
  /// Whether enters are held back.
  private(set) var isWithholding = false
  /// Whether nothing enters any more.
  private(set) var isTornDown = false
  /// Every visit up to this one that is not open has ended.
  private var endedThrough: UInt32
  private var endedBeyond: Set<UInt32> = []

  /// The visits of a controller that stood there when its recording began.
  init(_ snapshot: SnapshotRecord?) {
    for request in snapshot?.waiting ?? [] {
      open[request.visit] = Open(state: request.state, phase: .waiting)
    }
    for request in snapshot?.standing ?? [] {
      // Who has left stands there as the last one, and is not on the stage any more.
      guard let phase = Self.phase(request.phase) else { continue }
      open[request.visit] = Open(state: request.state, phase: phase)
    }
    endedThrough = snapshot?.lastVisit ?? 0
    (isWithholding, isTornDown) = (snapshot?.isWithholding ?? false, snapshot?.isTornDown ?? false)
  }

  /// Takes in what an event says of the controller itself.
  mutating func hear(_ kind: EventKind, reason: UInt8) {
    switch kind {
    case .detached: detach()
    case .resumed, .entering, .entered: isWithholding = false
    case .cancelled where reason == EventReason.cancelledTearDown.code: isTornDown = true
    default: break
    }
  }

  private static func phase(_ number: UInt8?) -> Phase? {
    switch number.flatMap(Staty.Phase.init(rawValue:)) {
    case .entering: .entering
    case .entered: .entered
    case .exiting: .exiting
    default: nil
    }
  }

  /// Takes in that recording of the controller ends: nobody is seen any more.
  mutating func detach() { open = [:] }

  /// Takes in an event with a visit.
  ///
  /// - Parameter state: the name of the visit's state.
  mutating func take(_ kind: EventKind, _ visit: UInt32, state: String, at seq: Int64) -> Step {
    guard let phase = Self.phase(after: kind) else { return open[visit] == nil ? .unknown : .stays }
    defer { open[visit]?.heard = seq }
    guard let known = open[visit] else {
      guard !hasEnded(visit) else { return .unknown }
      if let phase {
        open[visit] = Open(state: state, phase: phase)
        return .begins(phase)
      }
      end(visit)
      return .passes(kind == .exited ? .exiting : .waiting)
    }
    guard let phase else {
      open[visit] = nil
      end(visit)
      return .ends(from: known.phase)
    }
    // Nobody comes back to an earlier phase; who says so again says nothing new.
    guard phase.rawValue > known.phase.rawValue else { return .stays }
    open[visit]?.phase = phase
    return .goesOn(from: known.phase, to: phase)
  }

  /// The phase after an event of this kind, none after the visit's end; `nil` if it is about no phase.
  private static func phase(after kind: EventKind) -> Phase?? {
    switch kind {
    case .enqueued: .some(.waiting)
    case .entering: .some(.entering)
    case .entered: .some(.entered)
    case .exiting: .some(.exiting)
    case .exited, .discarded: .some(nil)
    default: nil
    }
  }

  private func hasEnded(_ visit: UInt32) -> Bool {
    visit <= endedThrough || endedBeyond.contains(visit)
  }

  private mutating func end(_ visit: UInt32) {
    if visit > endedThrough { endedBeyond.insert(visit) }
    // Visits are numbered in the order in which they are asked for, so that this stays small.
    while open[endedThrough &+ 1] != nil || endedBeyond.remove(endedThrough &+ 1) != nil {
      endedThrough &+= 1
    }
  }
}
