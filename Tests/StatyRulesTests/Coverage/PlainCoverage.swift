import Staty
import StatyHistory

@testable import StatyRules

/// What a recorded history touches, computed in the plainest way: every event is looked at with
/// lists of who is where, made of names and not of numbers.
struct PlainCoverage {
  private struct OnStage {
    let visit: UInt32
    let state: String
    var phase: Phase
    var leavesOnArrival = false
  }

  private let history: RecordedHistory
  private var waiting: Set<UInt32> = []
  private var stage: [OnStage] = []
  /// The state that came in last; none yet if it is nil inside.
  private var shown: String??
  private var isKnown = true
  /// Who was seen to be over since events were lost last.
  private var over: Set<UInt32> = []
  private(set) var touched = ControllerCoverage()

  init(_ history: RecordedHistory) {
    self.history = history
    shown = .some(nil)
    let opening = history.opening
    touched.tellsMoves = opening.fidelity != .threeKind
    for one in opening.standing where one.phase != .empty {
      shown = one.state
      guard one.phase != .left, let phase = one.phase else { continue }
      stage.append(OnStage(visit: one.visit, state: one.state, phase: phase))
    }
    waiting = Set(opening.waiting.map(\.visit))
    if let moves = opening.moves {
      touched.routes = Set(
        moves.map { .init(from: $0.isAnywhere ? .anywhere : Self.start($0.from), to: $0.to) })
      touched.states = Set(moves.flatMap { [$0.from, $0.to].compactMap(\.self) })
    }
    var due = history.firstSeq ?? history.rows.first?.seq ?? 0
    for row in history.rows {
      if row.seq != due, !(row.kind == EventKind.attached.rawValue && due == history.firstSeq) {
        forgetAll()
      }
      due = row.seq + 1
      take(row, EventKind(rawValue: row.kind)!)
    }
  }

  private static func start(_ state: String?) -> ControllerCoverage.Start {
    state.map { .state($0) } ?? .beginning
  }

  private mutating func forgetAll() {
    (waiting, stage, shown, isKnown, over) = ([], [], nil, false, [])
  }

  /// Whether a visit is somewhere that only what was lost would show.
  private func isOutOfSight(_ visit: UInt32) -> Bool {
    !waiting.contains(visit) && !over.contains(visit) && !stage.contains { $0.visit == visit }
  }

  private mutating func take(_ row: EventRow, _ kind: EventKind) {
    let state = history.names[row.state] ?? ""
    let place = stage.firstIndex { $0.visit == row.visit }
    let isPlain = history.opening.fidelity == .threeKind
    switch kind {
    case .enqueued:
      touch(.requested)
      waiting.insert(row.visit)
    case .entering: come(row.visit, state, .entering)
    case .entered where waiting.contains(row.visit) || isPlain && isOutOfSight(row.visit):
      if !isPlain { touch(.strayEntered) }
      come(row.visit, state, .entered)
    case .entered:
      touch(.entered, at: place)
      if let place {
        guard stage[place].phase == .entering else { return }
        stage[place].phase = stage[place].leavesOnArrival ? .exiting : .entered
      } else {
        isKnown = false
      }
    case .exiting:
      if let place {
        if stage[place].phase == .entered { stage[place].phase = .exiting }
        if stage[place].phase == .entering { stage[place].leavesOnArrival = true }
      } else if isOutOfSight(row.visit) {
        stage.append(OnStage(visit: row.visit, state: state, phase: .exiting))
      } else {
        isKnown = false
      }
    case .exited:
      touch(.exited, at: place)
      remove(row.visit)
    case .discarded: remove(row.visit)
    case .deadline:
      if place == nil { touch(.deadline) } else { touch(.deadline, at: place) }
      if let place, row.reason == EventReason.enteringForce.code { stage[place].phase = .entered }
    case .cancelled: touch(.cancelled)
    case .resumed: touch(.resumed)
    case .stray:
      touch(row.reason == EventReason.strayEntered.code ? .strayEntered : .strayExited)
    case .attached, .detached, .mark, .lost, .calling: break
    }
  }

  private mutating func come(_ visit: UInt32, _ state: String, _ phase: Phase) {
    if let before = shown {
      touched.moves[.init(from: Self.start(before), to: state), default: 0] += 1
      touched.states.insert(state)
    }
    shown = state
    isKnown = isOutOfSight(visit) || waiting.contains(visit)
    waiting.remove(visit)
    if isKnown { stage.append(OnStage(visit: visit, state: state, phase: phase)) }
  }

  private mutating func remove(_ visit: UInt32) {
    waiting.remove(visit)
    over.insert(visit)
    stage.removeAll { $0.visit == visit }
  }

  private mutating func touch(_ signal: CoveredSignal, at place: Int?) {
    guard let place else { return touch(signal == .entered ? .strayEntered : .strayExited) }
    add(stage[place].state, stage[place].phase, signal)
  }

  private mutating func touch(_ signal: CoveredSignal) {
    guard isKnown else { return touched.unplaced += 1 }
    if let current = stage.last { return add(current.state, current.phase, signal) }
    guard let shown else { return touched.unplaced += 1 }
    add(shown, shown == nil ? .empty : .left, signal)
  }

  private mutating func add(_ state: String?, _ phase: Phase, _ signal: CoveredSignal) {
    touched.pairs[.init(state: state, phase: phase, signal: signal), default: 0] += 1
    if let state { touched.states.insert(state) }
  }
}
