import Staty

/// Follows the visits of a session through its events, and alone decides the phase of each.
///
/// It is a value: a copy can be continued later. Its memory grows with the open visits, not with
/// the events. It accepts any events, and ignores what makes no sense.
///
/// An event goes through these hands: the `SessionFollowing` of a file or a reader gives it to the fold, the fold to
/// the `ControllerVisits` of its controller, and that changes an `OpenVisit` in one of its lists (`OpenVisits`).
/// What was known just before is the `VisitChange` that a `SessionJudge` gets; what has changed for good is a
/// `VisitRow`.
package struct VisitFold: Sendable {
  /// In the order in which they were added.
  private var controllers: [ControllerVisits] = []
  /// The number of gaps so far.
  private var gaps = 0
  /// Whether missing numbers are treated as lost events.
  package var noticesGaps = true
  /// The number of the next event if none is missing; 0 before the first.
  private var due: Int64
  /// The places of the controllers by their numbers, beginning with the number of the first one added.
  private var places: [Int32] = []
  private var firstID: Int32 = 0
  /// The places of controllers with numbers before it, or far behind.
  private var farPlaces: [Int32: Int32] = [:]
  /// Whether the numbers of the controllers rise in the order in which they were added.
  private var isInOrder = true
  private var rows: ChangedVisits
  /// The names that were added, for controllers that need them and are added later.
  private var names: [Int32: String] = [:]
  /// The last messages that the user sent, to any controller.
  private var users = UserMessages()
  /// The number of gaps that all controllers have taken into account.
  private var settled = 0
  /// The places of the controllers whose recording goes on under another number, and how many gaps there were.
  private var stopped: [Stop: (place: Int, gaps: Int)] = [:]

  /// Where the recording of a controller stops to go on under another number.
  private struct Stop: Hashable {
    let thread: UInt8
    let name: String
  }

  /// The change of the last event of a controller.
  ///
  /// It is kept here because it is large: returning it would cost as much as following an event.
  package private(set) var change = VisitChange()
  /// The highest number so far; 0 before the first.
  package private(set) var lastSeq: Int64 = 0

  /// A fold at the beginning of a session.
  ///
  /// - Parameters:
  ///   - firstSeq: the number of the session's first event, if that is known; without it, missing
  ///     events at the beginning are not noticed.
  ///   - keepsRows: whether rows of the visits will be taken.
  package init(firstSeq: Int64? = nil, keepsRows: Bool = false) {
    due = firstSeq ?? 0
    rows = ChangedVisits(isKept: keepsRows)
  }

  /// Adds a controller, unless it is known.
  package mutating func add(_ controller: ControllerRecord) {
    if place(of: controller.id) < 0 { add(ControllerOpening(controller)) }
  }

  package mutating func add(_ opening: ControllerOpening) {
    var controller = ControllerVisits(opening, place: controllers.count)
    controller.gaps = gaps
    controller.declarations.learn(names)
    if controller.declarations.needsNames { needsNames = true }
    if controllers.isEmpty { firstID = opening.id }
    if let last = controllers.last, last.id > opening.id { isInOrder = false }
    note(place: Int32(controllers.count), of: opening.id)
    controllers.append(controller)
  }

  /// Notes that visits of these controllers may exit by themselves, and those of no others.
  package mutating func note(exitingByThemselves ids: Set<Int32>) {
    for place in controllers.indices {
      controllers[place].habits.exitsByThemselves = ids.contains(controllers[place].id)
    }
  }

  /// Replaces what a controller has declared, such as its routes.
  package mutating func declare(_ opening: ControllerOpening) {
    let place = place(of: opening.id)
    guard place >= 0 else { return }
    controllers[place].declarations.declare(opening)
    controllers[place].declarations.learn(names)
    if controllers[place].declarations.needsNames { needsNames = true }
  }

  /// Adds names, which routes and transient states need.
  package mutating func learn(names: [Int32: String]) {
    if self.names.isEmpty { self.names = names } else { self.names.merge(names) { _, new in new } }
    for place in controllers.indices { controllers[place].declarations.learn(names) }
  }

  /// Whether a controller needs names, or one has.
  package private(set) var needsNames = false

  /// Takes the next event.
  ///
  /// Missing numbers are treated as lost events.
  ///
  /// - Returns: whether it belongs to a controller; then ``change`` is about it.
  package mutating func take(_ row: EventRow, _ detail: EventDetail?) -> Bool {
    take(row, detail.map { FoldedDetail($0) } ?? FoldedDetail())
  }

  package mutating func take(_ row: EventRow, _ detail: FoldedDetail = FoldedDetail()) -> Bool {
    if row.seq != due, due != 0, noticesGaps { gaps += 1 }
    due = row.seq &+ 1
    lastSeq = max(lastSeq, row.seq)
    guard let kind = EventKind(rawValue: row.kind) else { return false }
    let place = place(of: row.controller)
    guard place >= 0 else { return false }
    let hasLost = controllers[place].gaps != gaps
    if hasLost {
      // Its first event says where it was; earlier losses do not matter.
      if kind != .attached || controllers[place].hasBegun { controllers[place].lose(&rows) }
      controllers[place].gaps = gaps
    }
    var detail = detail
    switch kind {
    case .received: detail.isPassedOn = users.passesOn(row)
    case .attached: succeed(row, place)
    case .stood:
      guard let earlier = controllers[place].predecessor else { break }
      let age = controllers[earlier].passOn(row, &rows)
      if detail.age == 0 { detail.age = age }
    default: break
    }
    controllers[place].take(row, kind, detail, hasLost: hasLost, &change, &rows)
    if kind == .detached, controllers[place].continues {
      stopped[Stop(thread: row.thread, name: controllers[place].name)] = (place, gaps)
    }
    return true
  }

  /// Behind a loss, a recorder stops to record a controller and begins anew, with another number.
  private mutating func succeed(_ row: EventRow, _ place: Int) {
    if stopped.isEmpty { return }
    let name = controllers[place].name
    guard !name.isEmpty,
      let stop = stopped.removeValue(forKey: Stop(thread: row.thread, name: name)),
      // Otherwise the beginning that belongs to the end may be lost.
      stop.gaps == gaps, !controllers[place].hasBegun
    else { return }
    controllers[place].succeed(controllers[stop.place])
    controllers[stop.place].stop(&rows)
  }

  /// Notes that events are missing here.
  package mutating func lose(_ loss: LossRecord) {
    gaps += 1
    due = max(due, loss.lastSeq &+ 1)
  }
}

extension VisitFold {
  /// A fold at the beginning of a recorded session.
  package init(_ session: SessionRecord, _ controllers: [ControllerRecord]) {
    self.init(firstSeq: session.firstSeq)
    for controller in controllers { add(controller) }
  }

  /// An open visit; none if it is not open, or nothing is known of it.
  package func visit(_ number: UInt32, of controller: Int32) -> OpenVisit? {
    let place = place(of: controller)
    guard place >= 0, number != 0 else { return nil }
    return controllers[place].visit(number, isBehind: isBehind(place))
  }

  /// The visits of a controller; none if it is not one of the session's.
  package func overview(of controller: Int32) -> ControllerOverview? {
    let place = place(of: controller)
    return place < 0 ? nil : controllers[place].overview(isBehind: isBehind(place))
  }

  /// Whether a controller lets any visit enter; none if it is not one of the session's.
  package func stage(of controller: Int32) -> StageState? {
    let place = place(of: controller)
    return place < 0 ? nil : controllers[place].stage
  }

  /// How much it holds, counted in open visits: the most that a copy costs.
  package var weight: Int { controllers.reduce(0) { $0 + $1.weight } }

  /// Whether a recorded controller has more open visits than this, and all are known.
  func isCrowded(beyond most: Int) -> Bool {
    controllers.indices.contains { !isBehind($0) && controllers[$0].knownVisits > most }
  }

  /// Whether events were lost that the controller has not taken into account yet.
  private func isBehind(_ place: Int) -> Bool {
    controllers[place].gaps != gaps && controllers[place].detached == nil
  }
}

extension VisitFold {
  /// What would be known if the session ended here.
  ///
  /// - Parameters:
  ///   - endTime: the time up to which the session is known to have run.
  ///   - isCut: whether more would have happened.
  package func ending(at endTime: Int64, isCut: Bool) -> SessionEnding {
    let isWhole = controllers.allSatisfy { $0.gaps == gaps || $0.detached != nil }
    var ending = SessionEnding(time: endTime, isWhole: isWhole)
    let sorted = isInOrder ? controllers : controllers.sorted { $0.id < $1.id }
    for controller in sorted where !controller.isTornDown {
      if controller.continues {
        ending.remarks += controller.answers.waiting
      } else if controller.gaps == gaps || controller.detached != nil {
        controller.forEachEnding(at: endTime, isCut: isCut) { ending.visits.append($0) }
        ending.remarks += controller.answers.pending
      } else {
        ending.remarks += controller.answers.behindLoss.pending
      }
    }
    if gaps == 0 { ending.remarks += twins(at: endTime) }
    return ending
  }

  /// The second of two tracks of one name that were there at the same time.
  ///
  /// Three and more are rows of a list: each of them has a model of its own.
  private func twins(at end: Int64) -> [TrackRemark] {
    var alive: [String: [(first: EventRow, end: Int64)]] = [:]
    for controller in controllers {
      guard controller.isTrack, let first = controller.first else { continue }
      alive[controller.name, default: []].append((first, controller.detached ?? end))
    }
    return alive.values.compactMap { tracks in
      var found: TrackRemark?
      var others: [(first: EventRow, end: Int64)] = []
      for second in tracks {
        others.removeAll { $0.end <= second.first.time }
        if others.count > 1 { return nil }
        if let other = others.first {
          let lasted = min(other.end, second.end) &- second.first.time
          // A short one may be a screen that takes the place of another.
          if lasted > found?.lasted ?? .min {
            found = TrackRemark(
              .aliveTwice, second.first, question: .init(seq: other.first.seq), lasted: lasted)
          }
        }
        others.append(second)
      }
      return found
    }
  }

  /// The rows of the visits that have changed since the last call, in the order of their numbers.
  ///
  /// - Parameter onlyClosed: whether rows of open visits are kept for a later call.
  package mutating func takeRows(onlyClosed: Bool = false) -> [VisitRow] {
    if settled != gaps {
      settled = gaps
      for place in controllers.indices
      where controllers[place].gaps != gaps && controllers[place].hasBegun {
        controllers[place].lose(&rows)
        controllers[place].gaps = gaps
      }
    }
    var taken = rows.closed
    rows.closed.removeAll(keepingCapacity: true)
    if !onlyClosed {
      for (place, slot) in rows.open {
        if let row = controllers[place].takeRow(slot) { taken.append(row) }
      }
      rows.open.removeAll(keepingCapacity: true)
    }
    // Visits nearly always end in the order in which they began, and rows are large.
    let isInOrder = taken.indices.dropFirst().allSatisfy { taken[$0 - 1].seq < taken[$0].seq }
    return isInOrder ? taken : taken.sorted { $0.seq < $1.seq }
  }

  /// The place of a controller; -1 if it is not one of the session's.
  @inline(__always)
  private func place(of id: Int32) -> Int {
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

extension ControllerVisits {
  /// Calls `body` with each open visit as it would be at the end.
  fileprivate func forEachEnding(at endTime: Int64, isCut: Bool, _ body: (VisitEnding) -> Void) {
    let current = open.standing.last
    let hasEntered = current >= 0 && open[current].phase == .entered
    let time = min(endTime, detached ?? endTime)
    let mayExit =
      hasEntered
      && (open[current].past.contains(.awaitsUser)
        || habits.isHeld(since: open[current].entered.time, at: time))
    open.forEach { visit in
      body(
        VisitEnding(
          visit: visit, controller: id, place: place, discipline: discipline, fidelity: fidelity,
          isStageBusy: isStageBusy, isStageKnown: isStageKnown, isWithholding: isWithholding,
          isSettled: habits.isSettled, actsOutsideInputs: habits.actsOutsideInputs,
          mayPause: habits.mayPause(
            since: max(visit.asked.time, stageFree.time), at: time, isCut: isCut),
          waitsForExits: habits.waitsForExits || mayExit, stageFree: stageFree,
          current: current >= 0 ? open[current].visit : 0,
          shown: hasEntered ? open[current].visit : 0,
          shownState: hasEntered ? open[current].state : 0,
          wasToldEarly: hasEntered && open[current].past.contains(.dismissed),
          isTransient: declarations.isTransient(visit.state), isDetached: detached != nil,
          time: time))
    }
  }
}
