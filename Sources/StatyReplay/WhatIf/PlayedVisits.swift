import Staty
import StatyHistory

/// The visits of a what-if replay, each with its recorded counterpart.
struct PlayedVisits {
  struct Visit {
    /// Its number in the recording; `nil` if it is not there.
    let recorded: UInt32?
    let state: StateName
    fileprivate(set) var hasReportedEntered = false
    fileprivate var hasReportedExited = false
  }

  private var visits: [VisitKey: Visit] = [:]
  private var numbers: [VisitKey: UInt32] = [:]
  /// The recorded number of the visit that the next request of a controller becomes.
  private var expected: [Int32: UInt32] = [:]

  /// The visit with this number in the replay.
  subscript(controller: Int32, visit: UInt32) -> Visit? {
    visits[VisitKey(controller: controller, visit: visit)]
  }

  /// The number in the replay of a recorded visit.
  func number(_ recorded: UInt32, of controller: Int32) -> UInt32? {
    recorded == 0 ? nil : numbers[VisitKey(controller: controller, visit: recorded)]
  }

  /// Notes that the next request at this controller is this recorded one; 0 if it was not recorded.
  mutating func expect(_ recorded: UInt32, of controller: Int32) {
    expected[controller] = recorded
  }

  /// Whether the next request of a controller is known to be one that it was asked for.
  func isExpecting(of controller: Int32) -> Bool { expected[controller] != nil }

  /// Whether the expected request was made; it is not expected any longer.
  mutating func wasTaken(of controller: Int32) -> Bool {
    expected.removeValue(forKey: controller) == nil
  }

  /// Notes a request.
  ///
  /// - Parameter own: the visits that controllers requested by themselves in the recording.
  mutating func add(
    _ visit: UInt32, of controller: Int32, _ state: StateName,
    _ own: inout [Script.OwnRequest: [UInt32]]
  ) {
    var recorded: UInt32?
    if let awaited = expected.removeValue(forKey: controller) {
      recorded = awaited == 0 ? nil : awaited
    } else {
      let key = Script.OwnRequest(controller: controller, state: state)
      if own[key]?.isEmpty == false { recorded = own[key]?.removeFirst() }
    }
    put(Visit(recorded: recorded, state: state), visit, controller)
  }

  /// Notes a visit that was open when the recording of its controller began.
  mutating func restore(_ request: SnapshotRecord.Request, of controller: Int32) {
    let phase = request.phase.flatMap(Phase.init) ?? .empty
    var visit = Visit(recorded: request.visit, state: StateName(request.state))
    visit.hasReportedEntered = [.entered, .exiting, .exited].contains(phase)
    visit.hasReportedExited = phase == .exited
    put(visit, request.visit, controller)
  }

  private mutating func put(_ visit: Visit, _ number: UInt32, _ controller: Int32) {
    visits[VisitKey(controller: controller, visit: number)] = visit
    if let recorded = visit.recorded {
      numbers[VisitKey(controller: controller, visit: recorded)] = number
    }
  }

  /// Notes an event of a visit.
  mutating func follow(_ kind: EventKind, _ visit: UInt32, of controller: Int32) {
    let key = VisitKey(controller: controller, visit: visit)
    if kind == .entered { visits[key]?.hasReportedEntered = true }
    if kind == .exited { visits[key]?.hasReportedExited = true }
  }

  /// Whether the state has not reported this yet, and still can.
  func mayStillSay(_ completion: Completion, _ visit: UInt32, of controller: Int32) -> Bool {
    guard let visit = visits[VisitKey(controller: controller, visit: visit)] else { return false }
    return !visit.hasReportedExited && (completion == .exited || !visit.hasReportedEntered)
  }

  /// The visit as an assumption names it.
  func assumed(_ visit: UInt32, of controller: Int32) -> AssumedVisit {
    let known = self[controller, visit]
    return AssumedVisit(
      controller: controller, played: visit, recorded: known?.recorded,
      state: known?.state.description)
  }

  /// The recorded numbers, by controller and number in the replay.
  var recorded: [Int32: [UInt32: UInt32]] {
    visits.reduce(into: [:]) { all, entry in
      all[entry.key.controller, default: [:]][entry.key.visit] = entry.value.recorded
    }
  }
}
