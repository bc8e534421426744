import Staty
package import StatyHistory

/// Follows the visits of a session, event by event: who waits, who is on the stage, and how far.
///
/// It is a value: a copy is a place to come back to. Its memory follows the visits that are open.
/// It may be given anything; what makes no sense is drawn as it is said.
package struct LaneFold: Sendable {
  private var controllers: [Int32: ControllerLanes] = [:]
  /// How many gaps there were.
  private var gaps = 0

  /// A fold at the beginning of a session.
  ///
  /// - Parameter names: the names of the states by their numbers.
  package init(_ records: [ControllerRecord], names: [Int32: String]) {
    let numbers = Dictionary(names.map { ($0.value, $0.key) }) { min($0, $1) }
    for record in records {
      controllers[record.id] = ControllerLanes(record) { numbers[$0] ?? 0 }
    }
  }

  /// Takes in the next event.
  ///
  /// - Returns: the visit, if nothing is expected of it any more. What happens to it later is given
  ///   out by itself.
  package mutating func take(_ row: EventRow, _ detail: EventDetail? = nil) -> VisitLane? {
    guard row.controller != 0 else { return nil }
    return controllers[row.controller, default: ControllerLanes()].take(row, detail, gaps)
  }

  /// Takes in that events are missing here.
  package mutating func lose() {
    gaps += 1
    for id in controllers.keys { controllers[id]?.lose() }
  }

  /// The visits that are not over, by controller and number.
  package var open: [VisitLane] {
    controllers.values.flatMap(\.open.values).sorted { $0.key < $1.key }
  }

  /// How much it holds, in controllers, visits and their steps: what a copy of it costs at most.
  package var weight: Int {
    controllers.values.reduce(0) { weight, lanes in
      lanes.open.values.reduce(weight + 1) { $0 + 1 + $1.steps.count }
    }
  }

  /// Where a controller stands; none if it is not known.
  package func standing(of controller: Int32) -> Standing? {
    controllers[controller].map(Standing.init)
  }

  /// When recording of a controller ended, if it has.
  ///
  /// Asked of each of many visits, for which a whole standing would be too much.
  package func detached(of controller: Int32) -> Int64? { controllers[controller]?.detached }

  /// Whether events are missing since the visit's last one, while its controller was recorded.
  package func isUncertain(_ lane: VisitLane) -> Bool {
    lane.gaps < controllers[lane.key.controller]?.gapsAtEnd ?? gaps
  }

  /// Where a controller stands.
  package struct Standing: Sendable {
    /// Who is on the stage, in the order in which they came.
    package let onStage: [VisitLane]
    /// Who waits, in the order in which they were asked for; the most urgent first.
    package let waiting: [VisitLane]
    /// The last one that was in and is out.
    package let left: VisitLane?
    private let stage: StageState
    /// Whether enters are held back.
    package var isWithholding: Bool { stage.isWithholding }
    /// Whether nothing enters any more.
    package var isTornDown: Bool { stage.isTornDown }
    /// When its recording ended, if it has.
    package let detached: Int64?
    /// Whether its recording has begun.
    package let hasBegun: Bool

    fileprivate init(_ lanes: ControllerLanes) {
      let open = lanes.open.values.sorted { $0.key < $1.key }
      onStage = open.filter { $0.phase?.isOnStage ?? false }.sorted { $0.came < $1.came }
      let waiting = open.filter { $0.phase == .pending }
      self.waiting =
        lanes.isByUrgency
        ? waiting.sorted { ($1.priority, $0.key.visit) < ($0.priority, $1.key.visit) } : waiting
      left = lanes.left
      stage = lanes.stage
      detached = lanes.detached
      hasBegun = lanes.hasBegun
    }
  }
}

extension VisitLane {
  /// The number of the event with which it came onto the stage.
  fileprivate var came: Int64 { steps.first { $0.phase?.isOnStage ?? false }?.seq ?? 0 }
}

/// The visits of one controller.
private struct ControllerLanes: Sendable {
  var open: [UInt32: VisitLane] = [:]
  var left: VisitLane?
  var stage = StageState(nil)
  var detached: Int64?
  /// How many gaps there were when its recording ended.
  var gapsAtEnd: Int?
  var hasBegun = false
  let isByUrgency: Bool
  private var lastVisit: UInt32 = 0
  /// Of the visits up to this one that are not open, nothing is known.
  private var unknownThrough: UInt32 = 0
  private var opening: [(visit: UInt32, state: Int32, priority: Int32, phase: LanePhase)] = []
  private let id: Int32

  /// A controller of which nothing is known.
  init() {
    (id, isByUrgency) = (0, false)
    unknownThrough = .max
  }

  init(_ record: ControllerRecord, number: (String) -> Int32) {
    id = record.id
    isByUrgency = record.policy == "priority"
    guard let snapshot = SnapshotRecord(record.snapshot) else { return }
    stage = StageState(snapshot)
    lastVisit = snapshot.lastVisit
    opening = snapshot.open.map { request, phase in
      (request.visit, number(request.state), request.priority ?? 0, phase)
    }
  }

  mutating func take(_ row: EventRow, _ detail: EventDetail?, _ gaps: Int) -> VisitLane? {
    guard let kind = EventKind(rawValue: row.kind) else { return nil }
    switch kind {
    case .attached: begin(at: row.seq, time: row.time, gaps)
    case .detached:
      detached = row.time
      gapsAtEnd = gaps
      for visit in open.keys { open[visit]?.detach(row) }
    default: break
    }
    stage.hear(row)
    hasBegun = true
    guard row.visit != 0 else { return nil }
    let key = VisitLane.Key(controller: row.controller, visit: row.visit)
    let isGone = row.visit <= lastVisit && row.visit > unknownThrough
    lastVisit = max(lastVisit, row.visit)
    if kind == .enqueued, unknownThrough == .max { unknownThrough = row.visit - 1 }
    var lane =
      open.removeValue(forKey: row.visit) ?? VisitLane(key, state: row.state, isOver: isGone)
    lane.take(row)
    lane.gaps = gaps
    if let detail, kind == .enqueued {
      (lane.origin, lane.priority) = (detail.origin, detail.priority)
    }
    guard let phase = lane.phase, !phase.isOver else {
      if lane.wasIn { left = lane }
      return lane
    }
    open[row.visit] = lane
    return nil
  }

  mutating func lose() {
    unknownThrough = .max
  }

  private mutating func begin(at seq: Int64, time: Int64, _ gaps: Int) {
    hasBegun = true
    for one in opening where open[one.visit] == nil {
      let key = VisitLane.Key(controller: id, visit: one.visit)
      var lane = VisitLane(key, state: one.state, one.phase, since: seq, time: time)
      (lane.priority, lane.gaps) = (one.priority, gaps)
      open[one.visit] = lane
    }
    opening = []
  }
}
