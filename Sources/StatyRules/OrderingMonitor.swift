import Foundation
public import Staty
import StatyHistory

/// Watches a controller and speaks up the moment it breaks an ordering rule.
///
/// ```swift
/// let monitor = OrderingMonitor(of: controller, as: "checkout", then: .trap(.error))
/// ```
///
/// It judges by the same rules as a check of a recording, but for what a thread did in between:
/// it lives where the controller lives and is told nothing of other threads. What only time shows
/// is asked for with ``stuck``. The controller keeps it alive; ``stop()`` ends it.
public final class OrderingMonitor: TransitionObserver {
  /// What to do about a broken rule.
  public enum Reaction {
    /// Calls this.
    case call((Violation) -> Void)
    /// Writes a line to standard error.
    case log
    /// Stops the process if it is at least as bad as this, and writes a line if it is not.
    case trap(Severity)
  }

  /// A rule that was broken.
  public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The rule.
    public let code: RuleCode
    /// The name that the monitor gives the controller.
    public let controller: String
    /// The visit of the guilty event; `nil` if it has none.
    public let visit: VisitNumber?
    /// The number of the guilty event.
    public let event: UInt64
    /// What went wrong, in one sentence.
    public let detail: String

    /// How bad it is.
    public var severity: Severity { code.severity }

    /// One line with everything.
    public var description: String {
      "\(controller): \(severity.rawValue): \(code.rawValue): \(detail)"
    }
  }

  private let controller: String
  private let reaction: Reaction
  private let options: CheckOptions
  private let now: () -> UInt64
  // The source holds the monitor; the monitor is used while it does.
  private weak let source: EventSource?
  private var checker: SessionChecker
  private var names: [Int32: String] = [:]

  /// A monitor of a controller or a probe, from now on.
  ///
  /// - Parameters:
  ///   - name: what the controller is called in what the monitor says.
  ///   - reaction: what is done about a broken rule.
  ///   - now: nanoseconds of the clock that measures patience; by default that of the events.
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
    // Others that are recorded together with this one draw numbers too.
    checker.noticesGaps = false
    let snapshot = recordable.events.snapshot
    checker.add(ControllerOpening(snapshot, id: 1))
    begin(snapshot.standing)
    recordable.events.add(self)
  }

  /// Ends the watch.
  public func stop() {
    source?.remove(self)
  }

  public func observe(_ event: borrowing TransitionEvent) {
    var row = EventRow(
      seq: Int64(bitPattern: event.number), time: microseconds(event.time), kind: event.kind,
      reason: EventReason(event.detail)?.code ?? 0, controller: 1,
      visit: event.visit?.rawValue ?? 0)
    row.set(event, numbered: { Int64(bitPattern: $0) })
    if let state = event.state { row.state = learn(state) }
    var origin: UInt32 = 0
    var priority: Int32 = 0
    var isAnew = false
    if case .request(let request) = event.detail {
      origin = request.origin?.rawValue ?? 0
      priority = request.request.priority
      isAnew = RouteTable.isAnew(request.request.answers)
    }
    checker.take(
      row, origin: origin, priority: priority, isAnew: isAnew,
      instance: event.instance?.rawValue ?? 0)
    for finding in checker.drain() { react(to: finding) }
  }
}

extension OrderingMonitor {
  /// A visit that does not get on.
  public struct Stuck: Hashable, Sendable, CustomStringConvertible {
    /// What a visit waits for.
    public enum Waiting: Hashable, Sendable {
      /// Its own state, to say that it is in.
      case toArrive
      /// Its own state, to say that it is out.
      case toLeave
      /// Another visit, which is coming in, is in, or is leaving.
      case behind(VisitNumber)
      /// What it is to be shown on.
      case forTarget
      /// The controller, for nothing is in its way.
      case forController
    }

    /// The visit.
    public let visit: VisitNumber
    /// The name of its state, if that is known.
    public let state: String?
    /// What it waits for.
    public let waiting: Waiting
    /// Since when, in nanoseconds of the monitor's clock.
    public let since: UInt64

    /// What is the matter, in one sentence.
    public var description: String {
      let subject = "Visit \(visit)\(state.map { " (\($0))" } ?? "") waits "
      return switch waiting {
      case .toArrive: subject + "for its state to say that it is in."
      case .toLeave: subject + "for its state to say that it is out."
      case .behind(let other): subject + "behind \(other)."
      case .forTarget: subject + "for what it is to be shown on."
      case .forController: subject + "for the controller, though nothing is in its way."
      }
    }
  }

  /// The visits that have waited longer than the options' patience, those on the stage first.
  public var stuck: [Stuck] {
    let time = microseconds(now())
    return checker.endings(at: time).compactMap { ending in
      let visit = ending.visit
      let (waiting, since): (Stuck.Waiting, OpenVisit.Point) =
        switch visit.phase {
        case .entering: (.toArrive, visit.told)
        case .exiting: (.toLeave, visit.dismissed)
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
  /// What was under way counts from now.
  private func begin(_ standing: PolicySnapshot) {
    let time = microseconds(now())
    checker.take(
      EventRow(seq: 0, time: time, kind: .attached, controller: 1), origin: 0, priority: 0)
    for stood in standing.stood {
      let row = EventRow(
        seq: 0, time: time, kind: .stood, reason: stood.reason.code, controller: 1,
        visit: stood.request.visit.rawValue, state: learn(stood.request.state))
      checker.take(row, origin: 0, priority: stood.request.priority)
    }
  }

  /// The number that stands for a state's name.
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
    let violation = Violation(
      code: finding.code, controller: controller,
      visit: finding.visit == 0 ? nil : VisitNumber(finding.visit),
      event: UInt64(bitPattern: finding.seq), detail: finding.detail { [names] in names[$0] })
    switch reaction {
    case .call(let body): body(violation)
    case .log: log(violation)
    case .trap(let least):
      if least == .warning || violation.severity == .error { fatalError("\(violation)") }
      log(violation)
    }
  }

  private func log(_ violation: Violation) {
    // The other `write` raises when the pipe is closed.
    try? FileHandle.standardError.write(contentsOf: Data("\(violation)\n".utf8))
  }
}
