import Staty
import StatyHistory

/// The visits of one controller that are open, and which have ended: what has to be kept of a history
/// to draw it as it goes by.
///
/// How far a visit is after an event is said by ``LanePhase``, as for lanes; what is kept here is a few
/// bytes a visit, where a lane keeps all that happened to it.
struct FollowedVisits {
  /// A visit that has not ended.
  struct Open {
    var state: String
    var phase: LanePhase
    /// How urgent it is.
    var priority: Int32 = 0
    /// The number of the last event that said how far it is; 0 for where its controller stood.
    var heard: Int64 = 0
  }

  /// What an event comes to.
  enum Step: Equatable {
    /// The visit begins, in this phase.
    case begins(LanePhase)
    /// It goes on from one phase to the next.
    case goesOn(from: LanePhase, to: LanePhase)
    /// It ends, from this phase.
    case ends(from: LanePhase)
    /// It begins and ends at once.
    case passes(LanePhase)
    /// It is open, and stays as it was.
    case stays
    /// There is no such visit, or not any more.
    case unknown
  }

  private(set) var open: [UInt32: Open] = [:]
  /// Whether enters are held back, and whether there are any.
  private(set) var stage: StageState
  /// Every visit up to this one that is not open has ended.
  private var endedThrough: UInt32
  private var endedBeyond: Set<UInt32> = []

  /// The visits of a controller that stood there when its recording began.
  init(_ snapshot: SnapshotRecord?) {
    for (request, phase) in snapshot?.open ?? [] where open[request.visit] == nil {
      open[request.visit] = Open(
        state: request.state, phase: phase, priority: request.priority ?? 0)
    }
    endedThrough = snapshot?.lastVisit ?? 0
    stage = StageState(snapshot)
  }

  /// Takes in what an event says of the controller itself.
  mutating func hear(_ row: EventRow) {
    if row.kind == EventKind.detached.rawValue { detach() }
    stage.hear(row)
  }

  /// Takes in that recording of the controller ends: nobody is seen any more.
  mutating func detach() { open = [:] }

  /// Takes in an event with a visit.
  ///
  /// - Parameters:
  ///   - state: the name of the visit's state.
  ///   - priority: how urgent it is, if the event says so.
  mutating func take(_ row: EventRow, state: String, priority: Int32? = nil) -> Step {
    let visit = row.visit
    let known = open[visit]
    if known == nil, hasEnded(visit) { return .unknown }
    let before = known?.phase ?? LanePhase.before(row)
    guard let phase = LanePhase.after(row, before) else { return .unknown }
    if phase.isOver {
      open[visit] = nil
      end(visit)
      return known.map { .ends(from: $0.phase) } ?? .passes(before ?? .pending)
    }
    if known == nil { open[visit] = Open(state: state, phase: phase) }
    open[visit]?.phase = phase
    if let priority { open[visit]?.priority = priority }
    if LanePhase.isSaid(by: row) { open[visit]?.heard = row.seq }
    guard let known else { return .begins(phase) }
    return known.phase == phase ? .stays : .goesOn(from: known.phase, to: phase)
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
