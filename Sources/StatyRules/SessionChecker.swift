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
  private var fold: VisitFold
  /// By the places of the controllers.
  private var watches: [HandlingWatch] = []
  private var recent = RecentEvents()
  private var found = Found()
  private let table = RuleTable.shared

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
    fold = VisitFold(firstSeq: firstSeq)
    for controller in controllers { add(controller) }
  }

  /// The highest number that it was given; 0 before the first.
  package var lastSeq: Int64 { fold.lastSeq }

  /// Whether numbers that are left out are taken for lost events.
  var noticesGaps: Bool {
    get { fold.noticesGaps }
    set { fold.noticesGaps = newValue }
  }

  /// Adds a controller, unless it is known.
  package mutating func add(_ controller: ControllerRecord) { fold.add(controller) }

  mutating func add(_ opening: ControllerOpening) { fold.add(opening) }

  /// Takes in the names that the file has by now; routes are held against names.
  package mutating func learn(names: [Int32: String]) { fold.learn(names: names) }

  /// Whether a controller's routes are to be held against names.
  var needsNames: Bool { fold.needsNames }

  /// Takes in the next event, and its detail if it has one.
  ///
  /// Numbers that are left out are taken for lost events.
  package mutating func take(_ row: EventRow, _ detail: EventDetail? = nil) {
    take(
      row, origin: detail?.origin ?? 0, priority: detail?.priority ?? 0,
      isAnew: RouteTable.isAnew(detail?.answers ?? 0))
  }

  /// - Parameter isAnew: whether it asks for what may enter where nothing is shown.
  mutating func take(_ row: EventRow, origin: UInt32, priority: Int32, isAnew: Bool = false) {
    count &+= 1
    let cause = row.cause == 0 ? RecentEvents.Event() : recent.event(row.cause)
    recent.add(row)
    guard
      let change = fold.take(row, origin: origin, priority: priority, isAnew: isAnew),
      let kind = EventKind(rawValue: row.kind)
    else { return }
    var context = EventContext(cause: cause, slowExit: slowExit)
    if change.fidelity == .full {
      let place = change.place
      while watches.count <= place { watches.append(HandlingWatch()) }
      if change.hasLost { watches[place] = HandlingWatch() }
      context.intruder = watches[place].take(row, kind, cause: cause)
    }
    table.judge(change, kind, in: context, &found)
  }

  /// Takes in that events are missing here.
  package mutating func lose(_ loss: LossRecord) { fold.lose(loss) }

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
      let watch = ending.place < watches.count ? watches[ending.place] : HandlingWatch()
      let end = EndContext(lastTopInput: watch.lastTopInput, patience: patience)
      for rule in RuleTable.rules where rule.speaks(ending.fidelity) {
        rule.judge(ending, in: end, &findings)
      }
    }
    return findings.map(labelled).sorted()
  }

  /// The open visits of which it is known where they are, as they would be at the end.
  func endings(at lastTime: Int64) -> [VisitEnding] { fold.endings(at: lastTime) }

  private func labelled(_ finding: Finding) -> Finding {
    var finding = finding
    finding.session = session
    return finding
  }
}

extension SessionChecker: SessionFollower {}
