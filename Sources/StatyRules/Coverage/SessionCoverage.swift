import Staty
package import StatyHistory

/// Follows the events of one session and keeps what they touch.
///
/// It knows where controllers stand by the model that the rules go by. Its memory follows the visits
/// that are open and the pairs that are touched, not the events.
package struct SessionCoverage: SessionTaking, Sendable {
  private var followed: [Int32: Followed] = [:]
  private var gaps = 0
  /// The number that the next event has if none is missing; 0 before the first.
  private var due: Int64

  /// A coverage of nothing yet.
  ///
  /// - Parameters:
  ///   - controllers: those of the session.
  ///   - firstSeq: the number of the session's first event, if that is known.
  package init(controllers: [ControllerRecord], firstSeq: Int64? = nil) {
    due = firstSeq ?? 0
    for record in controllers where record.cut?.standing != .over {
      let opening = ControllerOpening(record)
      followed[record.id] = Followed(
        controller: Coverage.Controller(name: record.name, policy: record.policy),
        model: ControllerModel(opening), opening: opening)
    }
  }

  /// Takes in the names that the file has by now.
  package mutating func learn(names: [Int32: String]) {
    for id in followed.keys { followed[id]?.model.learn(names) }
  }

  /// Takes in the next event; numbers that are left out are taken for lost events.
  package mutating func take(_ row: EventRow, _ detail: EventDetail? = nil) {
    if row.seq != due, due != 0 { gaps += 1 }
    due = row.seq &+ 1
    guard let kind = EventKind(rawValue: row.kind) else { return }
    // In place: a copy of the model would be made for every event.
    guard let place = followed.index(forKey: row.controller) else { return }
    followed.values[place].take(row, kind, gaps: gaps)
  }

  /// Takes in that events are missing here.
  package mutating func lose(_ loss: LossRecord) {
    gaps += 1
    due = max(due, loss.lastSeq &+ 1)
  }

  /// What was touched so far.
  ///
  /// - Parameter names: the names of the states by their numbers.
  package func coverage(names: [Int32: String]) -> Coverage {
    var coverage = Coverage()
    for one in followed.values {
      var touched = one.touched.named(names)
      touched.declare(one.opening)
      coverage.merge(touched, of: one.controller)
    }
    return coverage
  }
}

/// A controller that is followed.
private struct Followed: Sendable {
  var controller: Coverage.Controller
  var model: ControllerModel
  var opening: ControllerOpening
  var gaps = 0
  var touched = TouchedNumbers()

  mutating func take(_ row: EventRow, _ kind: EventKind, gaps: Int) {
    if row.seq < model.since { return }
    if self.gaps != gaps {
      if kind != .attached || model.hasBegun { model.lose() }
      self.gaps = gaps
    }
    touched.note(row, kind, model)
    _ = model.take(row, kind, origin: 0, priority: 0, cause: RecentEvents.Event())
  }
}

/// What was touched, by the numbers of the states' names in the file.
private struct TouchedNumbers: Sendable {
  private struct Move: Hashable {
    var from: Int32
    var to: Int32
  }

  private struct Pair: Hashable {
    var state: Int32
    var phase: Phase
    var signal: CoveredSignal
  }

  private var moves: [Move: Int64] = [:]
  private var pairs: [Pair: Int64] = [:]
  private var unplaced: Int64 = 0

  /// Takes in an event, with what was known just before.
  mutating func note(_ row: EventRow, _ kind: EventKind, _ model: ControllerModel) {
    let slot = row.visit == 0 ? -1 : model.open.slot(of: row.visit)
    let waits = slot >= 0 ? !model.open[slot].isOnStage : model.isSeenAgain(row.visit, kind)
    let comes = kind == .entering ? slot < 0 || waits : kind == .entered && waits
    if comes, model.shown >= 0 {
      moves[Move(from: model.shown, to: row.state), default: 0] &+= 1
    }
    // Of three kinds, that a state is in is what the controller decided.
    if kind == .entered, waits, model.fidelity == .threeKind { return }
    guard var signal = CoveredSignal(kind, reason: row.reason) else { return }
    if signal == .entered || signal == .exited || signal == .deadline {
      if slot >= 0, model.open[slot].isOnStage {
        let visit = model.open[slot]
        return note(visit.state == 0 ? row.state : visit.state, visit.stagePhase, signal)
      }
      if signal != .deadline { signal = signal == .entered ? .strayEntered : .strayExited }
    }
    guard let (state, phase) = model.stand else { return unplaced &+= 1 }
    note(state, phase, signal)
  }

  private mutating func note(_ state: Int32, _ phase: Phase, _ signal: CoveredSignal) {
    pairs[Pair(state: state, phase: phase, signal: signal), default: 0] &+= 1
  }

  func named(_ names: [Int32: String]) -> ControllerCoverage {
    var touched = ControllerCoverage()
    touched.unplaced = unplaced
    for (move, count) in moves {
      guard let to = names[move.to] else { continue }
      guard move.from == 0 || names[move.from] != nil else { continue }
      let start = names[move.from].map { ControllerCoverage.Start.state($0) } ?? .beginning
      touched.moves[.init(from: start, to: to), default: 0] &+= count
      touched.states.insert(to)
    }
    for (pair, count) in pairs {
      guard pair.state == 0 || names[pair.state] != nil else {
        touched.unplaced &+= count
        continue
      }
      let state = names[pair.state]
      touched.pairs[.init(state: state, phase: pair.phase, signal: pair.signal), default: 0] &+=
        count
      if let state { touched.states.insert(state) }
    }
    return touched
  }
}

extension ControllerModel {
  /// The current state and how far it is; `nil` if that is not known.
  fileprivate var stand: (state: Int32, phase: Phase)? {
    guard isStageKnown else { return nil }
    let current = open.standing.last
    if current >= 0 {
      let visit = open[current]
      return visit.state == 0 ? nil : (visit.state, visit.stagePhase)
    }
    if shown < 0 { return nil }
    return shown == 0 ? (0, .empty) : (shown, .left)
  }
}

extension VisitRecord {
  fileprivate var stagePhase: Staty.Phase {
    switch phase {
    case .waiting: .empty
    case .entering: .entering
    case .entered: .entered
    case .exiting: .exiting
    }
  }
}

extension ControllerCoverage {
  fileprivate mutating func declare(_ opening: ControllerOpening) {
    tellsMoves = opening.fidelity != .threeKind
    guard let declared = opening.moves else { return }
    routes = Set(
      declared.map { move in
        let start =
          move.isAnywhere
          ? Start.anywhere : move.from.map { .state($0) } ?? .beginning
        return Move(from: start, to: move.to)
      })
    states.formUnion(declared.flatMap { [$0.from, $0.to].compactMap(\.self) })
  }
}
