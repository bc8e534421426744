import Staty

/// The visits of a controller after an event: those on the stage and those that wait.
package struct ControllerOverview: Sendable {
  /// The visits on the stage, in the order in which they entered it.
  package let onStage: [OpenVisit]
  /// The visits that wait, in the order of their turns.
  package let waiting: [OpenVisit]
  /// The visit that was shown last and has exited, if none followed it.
  package let last: (visit: UInt32, state: Int32)?
  package let stage: StageState
  /// The highest visit number so far.
  let lastVisit: UInt32
  /// Whether it is a track that is known to show nothing.
  let isEmpty: Bool
  /// Whether no event is missing that could change this.
  let isCertain: Bool
}

/// Whether a controller lets any visit enter.
package struct StageState: Equatable, Sendable {
  /// Whether enters are held back.
  package let isWithholding: Bool
  /// Whether no visit enters any more.
  package let isTornDown: Bool
  /// When its recording ended, if it has.
  package let detached: Int64?
  /// Whether its recording has begun.
  package let hasBegun: Bool
}

extension ControllerVisits {
  var stage: StageState {
    StageState(
      isWithholding: isWithholding, isTornDown: isTornDown, detached: detached, hasBegun: hasBegun)
  }

  /// - Parameter isBehind: whether events were lost that the controller has not taken into account yet.
  func visit(_ number: UInt32, isBehind: Bool) -> OpenVisit? {
    let slot = open.slot(of: number)
    return slot < 0 ? nil : visit(at: slot, isBehind)
  }

  private func visit(at slot: Int32, _ isBehind: Bool) -> OpenVisit {
    var visit = open[slot]
    if isBehind { visit.past.insert(.lost) }
    return visit
  }

  func overview(isBehind: Bool) -> ControllerOverview {
    let slots = [open.standing, open.waiting, open.unsure].flatMap(open.slots)
    let visits = slots.map { visit(at: $0, isBehind) }
    let waiting = visits.filter { $0.progress == .waiting }
    let isByUrgency = discipline == .byUrgency
    return ControllerOverview(
      onStage: visits.filter { $0.progress != .waiting }.sorted { $0.came < $1.came },
      waiting: waiting.sorted {
        isByUrgency && $0.priority != $1.priority
          ? $0.priority > $1.priority : $0.visit < $1.visit
      },
      last: succession.lastShown, stage: stage, lastVisit: numbers.last,
      isEmpty: isTrack && visits.isEmpty
        && (succession.shown == 0 || !isUnheard && numbers.last == 0),
      isCertain: !isBehind && isCertain)
  }
}

extension OpenVisit {
  /// The number of the event with which it entered the stage.
  fileprivate var came: Int64 { told.seq != 0 ? told.seq : since.seq }
}
