import Staty
package import StatyHistory

/// Checks the events of one session against the ordering rules, one event after the other.
///
/// It is a value, so a copy is a snapshot. Its memory depends on the number of open visits, not of
/// events. Events that make no sense are ignored.
package struct SessionChecker: SessionFollower, Sendable {
  private var fold: VisitFold
  private var judge: RuleJudge

  /// Creates a checker for a session.
  ///
  /// - Parameters:
  ///   - session: the session.
  ///   - controllers: the session's controllers. More can be added later.
  ///   - firstSeq: the number of the session's first event, if it is known. Without it, missing
  ///     events at the beginning are not noticed.
  ///   - options: the time limits.
  package init(
    session: Int64, controllers: [ControllerRecord] = [], firstSeq: Int64? = nil,
    options: CheckOptions = CheckOptions()
  ) {
    fold = VisitFold(firstSeq: firstSeq)
    judge = RuleJudge(session: session, options: options)
    for controller in controllers { add(controller) }
  }

  /// The highest event number so far; 0 before the first.
  package var lastSeq: Int64 { fold.lastSeq }

  /// Whether missing numbers count as lost events.
  var noticesGaps: Bool {
    get { fold.noticesGaps }
    set { fold.noticesGaps = newValue }
  }

  /// Adds a controller, unless it is known.
  package mutating func add(_ controller: ControllerRecord) { fold.add(controller) }

  mutating func add(_ opening: ControllerOpening) { fold.add(opening) }

  /// Notes that visits of these controllers may exit by themselves, and those of no others.
  package mutating func note(exitingByThemselves controllers: Set<Int32>) {
    fold.note(exitingByThemselves: controllers)
  }

  /// Replaces what a controller has declared, such as its routes.
  package mutating func declare(_ opening: ControllerOpening) { fold.declare(opening) }

  /// Sets the names that the file has so far; routes are compared with names.
  package mutating func learn(names: [Int32: String]) { fold.learn(names: names) }

  /// Checks the next event, with its detail if it has one.
  ///
  /// Missing numbers count as lost events.
  package mutating func take(_ row: EventRow, _ detail: EventDetail? = nil) {
    judge(row, fold.take(row, detail))
  }

  mutating func take(_ row: EventRow, _ detail: FoldedDetail) {
    judge(row, fold.take(row, detail))
  }

  private mutating func judge(_ row: EventRow, _ isOfController: Bool) {
    if isOfController { judge.take(fold.change) } else { judge.pass(row) }
  }

  /// Notes that events are missing here.
  package mutating func lose(_ loss: LossRecord) { fold.lose(loss) }

  /// Returns the findings that have become certain since the last call.
  package mutating func drain() -> [Finding] { judge.drain() }

  /// Returns further findings that hold if the session ends here.
  ///
  /// - Parameters:
  ///   - endTime: the time up to which the session is known to have run.
  ///   - isCut: whether more would have happened.
  package func findingsAtEnd(endTime: Int64, isCut: Bool) -> [Finding] {
    judge.findings(at: fold.ending(at: endTime, isCut: isCut))
  }

  /// The controllers to which something has happened that a rule could judge.
  package var judged: Set<Int32> { judge.judged }

  /// The tracks whose mirror could not be judged, or not to the end, if the session ends here.
  package func mirrorObstacles(endTime: Int64) -> [(track: Int32, obstacle: MirrorWatch.Obstacle)] {
    judge.mirrorObstacles(at: endTime)
  }

  /// The open visits with a known phase, as they are if the session ends here.
  func endings(at endTime: Int64) -> [VisitEnding] { fold.ending(at: endTime, isCut: false).visits }
}
