import Staty
package import StatyHistory

/// Holds the events of one session against the ordering rules, one event after the other.
///
/// It is a value: a copy is a place to come back to. Its memory follows the visits that are open,
/// not the events. It may be given anything; what makes no sense is ignored.
package struct SessionChecker: Sendable {
  private let session: Int64
  /// In microseconds, as every event is held against them.
  private let (patience, slowExit): (Int64, Int64)
  /// In the order in which they were added.
  private var models: [ControllerModel] = []
  private var recent = RecentEvents()
  private var found = Found()
  private var gaps = 0
  /// Whether numbers that are left out are taken for lost events.
  var noticesGaps = true
  /// The number that the next event has if none is missing; 0 before the first.
  private var due: Int64
  /// The places of the controllers by their numbers, from that of the first added one on.
  private var places: [Int32] = []
  private var firstID: Int32 = 0
  /// The places of those whose numbers are before it, or too far behind.
  private var farPlaces: [Int32: Int32] = [:]
  /// Whether the numbers of the controllers rise in the order in which they were added.
  private var isInOrder = true
  private let table = RuleTable.shared

  /// The highest number that it was given; 0 before the first.
  package private(set) var lastSeq: Int64 = 0

  /// How many events it was given.
  private(set) var count: Int64 = 0

  /// A checker at the beginning of a session.
  ///
  /// - Parameters:
  ///   - controllers: those of the session; more may be added as they come up.
  ///   - firstSeq: the number of the session's first event, if that is known; without it, events
  ///     that are missing at the beginning are not noticed.
  package init(
    session: Int64, controllers: [ControllerRecord] = [], firstSeq: Int64? = nil,
    options: CheckOptions = CheckOptions()
  ) {
    self.session = session
    (patience, slowExit) = (options.patience.inMicroseconds, options.slowExit.inMicroseconds)
    due = firstSeq ?? 0
    for controller in controllers { add(controller) }
  }

  /// Adds a controller, unless it is known.
  package mutating func add(_ controller: ControllerRecord) {
    if index(of: controller.id) < 0 { add(ControllerOpening(controller)) }
  }

  /// Takes in the names that the file has by now; routes are held against names.
  package mutating func learn(names: [Int32: String]) {
    for index in models.indices { models[index].learn(names) }
  }

  /// Whether a controller's opening or routes are to be held against names.
  var needsNames: Bool { models.contains(where: \.needsNames) }

  /// Takes in the next event, and its detail if it has one.
  ///
  /// Numbers that are left out are taken for lost events.
  package mutating func take(_ row: EventRow, _ detail: EventDetail? = nil) {
    take(
      row, origin: detail?.origin ?? 0, priority: detail?.priority ?? 0,
      isAnew: RouteTable.isAnew(detail?.answers ?? 0))
  }

  /// Takes in that events are missing here.
  package mutating func lose(_ loss: LossRecord) {
    gaps += 1
    due = max(due, loss.lastSeq &+ 1)
  }

  /// The findings that have become certain since this was asked last.
  package mutating func drain() -> [Finding] {
    guard !found.findings.isEmpty else { return [] }
    defer { found.findings.removeAll(keepingCapacity: true) }
    return found.findings.map(labelled)
  }

  /// What would have to be reported if the session ended here, beyond what is certain.
  ///
  /// - Parameter lastTime: the time of the session's last event.
  package func findingsAtEnd(lastTime: Int64) -> [Finding] {
    var findings: [Finding] = []
    for ending in endings(at: lastTime) {
      for rule in RuleTable.rules where rule.speaks(ending.fidelity) {
        rule.judge(ending, &findings)
      }
    }
    return findings.map(labelled).sorted()
  }
}

extension SessionChecker {
  mutating func add(_ opening: ControllerOpening) {
    var model = ControllerModel(opening)
    model.gaps = gaps
    if models.isEmpty { firstID = opening.id }
    if let last = models.last, last.id > opening.id { isInOrder = false }
    note(place: Int32(models.count), of: opening.id)
    models.append(model)
  }

  /// - Parameter isAnew: whether it asks for what may come where nothing is shown.
  mutating func take(_ row: EventRow, origin: UInt32, priority: Int32, isAnew: Bool = false) {
    count &+= 1
    if row.seq != due, due != 0, noticesGaps { gaps += 1 }
    due = row.seq &+ 1
    lastSeq = max(lastSeq, row.seq)
    guard let kind = EventKind(rawValue: row.kind) else { return }
    let cause = row.cause == 0 ? RecentEvents.Event() : recent.event(row.cause)
    recent.add(row)
    let index = index(of: row.controller)
    guard index >= 0 else { return }
    if models[index].gaps != gaps {
      // Where it stood is said with its first event; what was lost before that is no matter.
      if kind != .attached || models[index].hasBegun { models[index].lose() }
      models[index].gaps = gaps
    }
    var moment = models[index].take(
      row, kind, origin: origin, priority: priority, isAnew: isAnew, cause: cause)
    moment.slowExit = slowExit
    table.judge(moment, kind, &found)
  }

  /// The open visits of which something is known, as they would be at the end.
  func endings(at lastTime: Int64) -> [Ending] {
    var endings: [Ending] = []
    let models = isInOrder ? models : models.sorted { $0.id < $1.id }
    for model in models where model.gaps == gaps && !model.isTornDown {
      model.forEachEnding(at: lastTime, patience: patience) { endings.append($0) }
    }
    return endings
  }

  private func labelled(_ finding: Finding) -> Finding {
    var finding = finding
    finding.session = session
    return finding
  }

  /// The place of a controller; -1 if it is not one of the session's.
  @inline(__always)
  private func index(of id: Int32) -> Int {
    let offset = Int(id) - Int(firstID)
    if offset >= 0, offset < places.count { return Int(places[offset]) }
    return farPlaces.isEmpty ? -1 : Int(farPlaces[id] ?? -1)
  }

  /// How far apart the numbers of a session's controllers may be to be looked up in a list.
  private static let mostApart = 65_536

  private mutating func note(place: Int32, of id: Int32) {
    let offset = Int(id) - Int(firstID)
    guard offset >= 0, offset < Self.mostApart else { return farPlaces[id] = place }
    while places.count <= offset { places.append(-1) }
    places[offset] = place
  }
}

extension ControllerModel {
  /// Calls `body` with each open visit as it would be at the end.
  fileprivate func forEachEnding(
    at lastTime: Int64, patience: Int64, _ body: (Ending) -> Void
  ) {
    let current = open.standing.last
    let isIn = current >= 0 && open[current].phase == .entered
    open.forEach { visit in
      body(
        Ending(
          visit: visit, controller: id, discipline: discipline, fidelity: fidelity,
          isStageBusy: movingCount > 0, isStageKnown: isStageKnown, isWithholding: isWithholding,
          stageFree: stageFree, lastTopInput: lastTopInput,
          current: current >= 0 ? open[current].visit : 0, shown: isIn ? open[current].visit : 0,
          shownState: isIn ? open[current].state : 0,
          time: min(lastTime, detached ?? lastTime), patience: patience))
    }
  }
}
