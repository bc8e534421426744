import Foundation
public import Staty
import StatyHistory

/// Watches a running controller and reports an ordering rule as soon as it is broken.
///
/// ```swift
/// let monitor = OrderingMonitor(of: controller, as: "checkout", then: .trap(.error))
/// ```
///
/// It uses the same rules as a check of a recording, but for `overlapping-handling`, as it is used in
/// the controller's isolation and does not see other threads, for `mirror`, which needs two tracks,
/// and for answers that come behind a message of the user's: whether they are late is known at the
/// end. For visits that wait too long, read ``stuck``. The controller retains the monitor; ``stop()`` ends it.
public final class OrderingMonitor: TransitionObserver {
  /// What the monitor does when a rule is broken.
  public enum Reaction {
    /// Calls a closure.
    case call((LiveFinding) -> Void)
    /// Writes a line to standard error.
    case log
    /// Stops the process if the rule has at least this severity. Otherwise writes a line to
    /// standard error.
    case trap(Severity)
  }

  /// A finding at a running controller.
  public struct LiveFinding: Hashable, Sendable, CustomStringConvertible {
    /// The code of the rule.
    public let code: RuleCode
    /// The name of the controller.
    public let controller: String
    /// The visit of the event; `nil` if it has none.
    public let visit: VisitNumber?
    /// The number of the event that breaks the rule.
    public let event: UInt64
    /// What went wrong, in one sentence.
    public let detail: String

    /// The severity of the finding.
    public let severity: Severity

    /// The finding in one line.
    public var description: String {
      "\(controller): \(severity.rawValue): \(code.rawValue): \(detail)"
    }
  }

  private let controller: String
  private let reaction: Reaction
  private let options: CheckOptions
  private let now: () -> UInt64
  // Weak, because the source retains the monitor.
  private weak let source: EventSource?
  private var checker: SessionChecker
  private var names: [Int32: String] = [:]
  /// The number of the last event.
  private var last: UInt64 = 0
  /// What is added to the numbers of events: a recorder that begins or ends numbers them anew.
  private var base: UInt64 = 0

  /// Starts to monitor a controller or a probe.
  ///
  /// - Parameters:
  ///   - recordable: the controller or probe.
  ///   - name: the name of the controller in reports.
  ///   - options: the time limits.
  ///   - now: the time in nanoseconds, for ``stuck``; by default the clock of the events.
  ///   - reaction: what to do when a rule is broken.
  public init(
    of recordable: some Recordable, as name: String, options: CheckOptions = CheckOptions(),
    now: (() -> UInt64)? = nil, then reaction: Reaction = .log
  ) {
    controller = name
    self.reaction = reaction
    self.options = options
    self.now = now ?? { EventSource.clock }
    source = recordable.events
    checker = SessionChecker(session: 0, options: options)
    begin(recordable.events.snapshot)
    recordable.events.add(self)
  }

  /// Stops monitoring.
  public func stop() {
    source?.remove(self)
  }

  public func observe(_ event: borrowing TransitionEvent) {
    if event.number <= last { base &+= last }
    last = event.number
    let base = base
    var row = EventRow(
      seq: Int64(bitPattern: base &+ event.number), time: microseconds(event.time),
      kind: event.kind,
      reason: EventReason(event.detail, of: event.kind)?.code ?? 0, controller: 1,
      visit: event.visit?.rawValue ?? 0)
    row.set(event, numbered: { Int64(bitPattern: base &+ $0) })
    if let state = event.state { row.state = learn(state) }
    var detail = FoldedDetail()
    detail.instance = event.instance?.rawValue ?? 0
    switch event.detail {
    case .request(let request):
      detail.origin = request.origin?.rawValue ?? 0
      detail.priority = request.request.priority
      detail.set(answers: request.request.answers)
    case .awaitsUser: detail.awaitsUser = true
    case .showing(let fingerprint): detail.fingerprint = fingerprint
    case .message(_, let part): detail.part = part.map(learn) ?? 0
    default: break
    }
    checker.take(row, detail)
    for finding in checker.drain() where finding.severity != .note { react(to: finding) }
  }
}

extension OrderingMonitor {
  /// A visit that waits too long.
  public struct Stuck: Hashable, Sendable, CustomStringConvertible {
    /// What the visit waits for.
    public enum Waiting: Hashable, Sendable {
      /// Its own state, which has not reported that it has entered.
      case toEnter
      /// Its own state, which has not reported that it has exited.
      case toExit
      /// Another visit, which is entering, has entered or is exiting.
      case behind(VisitNumber)
      /// A target.
      case forTarget
      /// The controller, although the visit could enter.
      case forController
    }

    /// The visit.
    public let visit: VisitNumber
    /// The name of the visit's state, if it is known.
    public let state: String?
    /// What the visit waits for.
    public let waiting: Waiting
    /// The time since which it waits, in nanoseconds of the monitor's clock.
    public let since: UInt64

    /// The problem, in one sentence.
    public var description: String {
      let subject = "Visit \(visit)\(state.map { " (\($0))" } ?? "") waits "
      return switch waiting {
      case .toEnter: subject + "for its state to enter."
      case .toExit: subject + "for its state to exit."
      case .behind(let other): subject + "behind \(other)."
      case .forTarget: subject + "for a target."
      case .forController: subject + "for the controller, though nothing is in its way."
      }
    }
  }

  /// The visits that have waited longer than ``CheckOptions/patience``; shown visits first.
  public var stuck: [Stuck] {
    let time = microseconds(now())
    return checker.endings(at: time).compactMap { ending in
      let visit = ending.visit
      let (waiting, since): (Stuck.Waiting, OpenVisit.Point) =
        switch visit.phase {
        case .entering: (.toEnter, visit.told)
        case .exiting: (.toExit, visit.dismissed)
        case .entered: (.forController, .init(seq: 0, time: time))
        case .waiting: (waiting(ending), visit.asked)
        }
      guard time &- since.time >= options.patience.inMicroseconds else { return nil }
      return Stuck(
        visit: VisitNumber(visit.visit), state: names[visit.state], waiting: waiting,
        since: UInt64(max(0, since.time)) * 1_000)
    }
  }

  private func waiting(_ ending: VisitEnding) -> Stuck.Waiting {
    if ending.isWithholding { return .forTarget }
    if ending.current != 0 { return .behind(VisitNumber(ending.current)) }
    return .forController
  }
}

extension OrderingMonitor {
  /// Begins with the visits that are open now.
  ///
  /// Their times count from now.
  private func begin(_ snapshot: ControllerSnapshot) {
    // Other controllers that are recorded together with this one use numbers too.
    checker.noticesGaps = false
    checker.add(ControllerOpening(snapshot, id: 1))
    let time = microseconds(now())
    checker.take(EventRow(seq: 0, time: time, kind: .attached, controller: 1))
    for stood in snapshot.standing.stood {
      let row = EventRow(
        seq: 0, time: time, kind: .stood, reason: stood.reason.code, controller: 1,
        visit: stood.request.visit.rawValue, state: learn(stood.request.state))
      var detail = FoldedDetail()
      detail.priority = stood.request.priority
      detail.instance = snapshot.instances[stood.request.visit]?.rawValue ?? 0
      detail.set(answers: stood.request.answers)
      checker.take(row, detail)
    }
  }

  /// The number that represents a state's name.
  private func learn(_ state: StateName) -> Int32 {
    let number = Int32(truncatingIfNeeded: state.id) &+ 1
    if names[number] == nil {
      names[number] = state.description
      checker.learn(names: names)
    }
    return number
  }

  private func microseconds(_ nanoseconds: UInt64) -> Int64 { Int64(nanoseconds / 1_000) }

  private func react(to finding: Finding) {
    let seq = UInt64(bitPattern: finding.seq)
    let live = LiveFinding(
      code: finding.code, controller: controller,
      visit: finding.visit == 0 ? nil : VisitNumber(finding.visit),
      event: seq > base ? seq &- base : seq, detail: finding.detail { [names] in names[$0] },
      severity: finding.severity)
    switch reaction {
    case .call(let body): body(live)
    case .log: log(live)
    case .trap(let least):
      if least != .error || live.severity == .error { fatalError("\(live)") }
      log(live)
    }
  }

  private func log(_ live: LiveFinding) {
    // The other `write` traps when the pipe is closed.
    try? FileHandle.standardError.write(contentsOf: Data("\(live)\n".utf8))
  }
}
