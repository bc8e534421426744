import Staty
package import StatyHistory

/// Holds the events of one session against the ordering rules, one event after the other.
///
/// It is a value: a copy is a place to come back to. Its memory follows the visits that are open,
/// not the events. It may be given anything; what makes no sense is ignored.
package struct SessionChecker: SessionFollower, Sendable {
  private var fold: VisitFold
  private var judge: RuleJudge

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
    fold = VisitFold(firstSeq: firstSeq)
    judge = RuleJudge(session: session, options: options)
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
    judge(row, fold.take(row, detail))
  }

  /// - Parameters:
  ///   - isAnew: whether it asks for what may enter where nothing is shown.
  ///   - instance: the first visit of the same object, if that is another; 0 if not.
  mutating func take(
    _ row: EventRow, origin: UInt32, priority: Int32, isAnew: Bool = false, instance: UInt32 = 0
  ) {
    judge(
      row,
      fold.take(row, origin: origin, priority: priority, isAnew: isAnew, instance: instance))
  }

  private mutating func judge(_ row: EventRow, _ isOfController: Bool) {
    if isOfController { judge.take(fold.change) } else { judge.pass(row) }
  }

  /// Takes in that events are missing here.
  package mutating func lose(_ loss: LossRecord) { fold.lose(loss) }

  /// The findings that have become certain since this was asked last.
  package mutating func drain() -> [Finding] { judge.drain() }

  /// What would have to be reported if the session ended here, beyond what is certain.
  ///
  /// - Parameter lastTime: the time of the session's last event.
  package func findingsAtEnd(lastTime: Int64) -> [Finding] {
    judge.findings(at: endings(at: lastTime))
  }

  /// The open visits of which it is known where they are, as they would be at the end.
  func endings(at lastTime: Int64) -> [VisitEnding] { fold.endings(at: lastTime) }
}
