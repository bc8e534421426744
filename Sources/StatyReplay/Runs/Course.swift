import Staty
import StatyHistory

/// The progress of one scenario request's visit.
struct Course {
  /// The number of its visit, once it has been asked for.
  var visit: UInt32?
  /// The name that its controller gave its state, which may differ from the requested one.
  var state: StateName?
  /// What has happened to it.
  var reached = SmallSet<EventKind>()
  /// What its state was really told, each by the completion that answers it.
  private(set) var told = SmallSet<Completion>()
  /// What its state has reported.
  private(set) var said = SmallSet<Completion>()
  /// What its state may still report, because it was told to.
  private(set) var owed = SmallSet<Completion>()
  /// The part of ``owed`` that it may also leave unreported.
  private(set) var optional = SmallSet<Completion>()
  /// What it may report again.
  var repeats: Set<Completion>
  /// Whether it was told to exit before it had entered.
  private(set) var wasToldEarly = false
  /// The deadlines that have passed.
  var passed = SmallSet<Completion>()

  init(_ request: Scenario.Request) {
    repeats = request.repeats
  }

  /// Whether nothing is expected of it any more.
  var isOver: Bool { reached.contains(.exited) || reached.contains(.discarded) }

  /// Whether it was requested, was not told to enter and is not over.
  var isWaiting: Bool { visit != nil && !reached.contains(.entering) && !isOver }

  /// Notes that its state is told something.
  ///
  /// - Parameter isPolicy: whether its controller is a policy, which never reports in a state's
  ///   place.
  /// - Returns: whether the state answers before the call returns.
  mutating func beTold(
    _ completion: Completion, _ request: Scenario.Request, isPolicy: Bool
  ) -> Bool {
    let answer = answer(completion, request)
    // A visit that missed its deadline to enter counts as entered.
    if completion == .exited, !isIn(request), !passed.contains(.entered) { wasToldEarly = true }
    told.insert(completion)
    guard mayReport(completion) else { return false }
    switch answer {
    case .atOnce: return true
    case .byController: return isPolicy
    case .later, .perhaps:
      owed.insert(completion)
      if answer == .perhaps { optional.insert(completion) }
      return false
    case .never: return false
    }
  }

  private func answer(_ completion: Completion, _ request: Scenario.Request) -> Scenario.Answer {
    if completion == .entered { return request.enters }
    return isIn(request) ? request.exits : request.exitsEarly
  }

  /// Whether it has entered, as its state knows it.
  private func isIn(_ request: Scenario.Request) -> Bool {
    if said.contains(.entered) { return true }
    return told.contains(.entered)
      && (request.enters == .never || request.enters == .byController)
  }

  /// A state reports each completion once, and nothing after it has exited.
  func mayReport(_ completion: Completion) -> Bool {
    !said.contains(.exited) && !said.contains(completion)
  }

  /// Notes an event of it.
  mutating func follow(_ kind: EventKind) {
    reached.insert(kind)
    if kind == .entered { complete(.entered) }
    if kind == .exited { complete(.exited) }
  }

  /// Notes that its state reports a completion.
  mutating func complete(_ completion: Completion) {
    said.insert(completion)
    owed.remove(completion)
    if completion == .exited { owed.removeAll() }
  }

  /// Whether it may exit by itself now.
  func mayExitByItself(_ request: Scenario.Request) -> Bool {
    request.exitsByItself && isIn(request) && !told.contains(.exited) && mayReport(.exited)
      && !isOver
  }

  /// Whether it may report a completion again now, or too late.
  func mayRepeat(_ completion: Completion) -> Bool {
    repeats.contains(completion) && (said.contains(completion) || said.contains(.exited))
  }

  /// Whether a deadline may pass now.
  func mayMiss(_ completion: Completion) -> Bool {
    let kind: EventKind = completion == .entered ? .entering : .exiting
    let done: EventKind = completion == .entered ? .entered : .exited
    return reached.contains(kind) && !reached.contains(done) && !isOver
      && !passed.contains(completion) && !(completion == .entered && reached.contains(.exiting))
  }

  /// Whether its limit to enter has passed, and its state has not reported since that it has.
  var hasMissedEntering: Bool { passed.contains(.entered) && !said.contains(.entered) }

  /// Whether its state was told this and does not answer, and the controller is not the reason.
  func isSilent(_ completion: Completion) -> Bool {
    told.contains(completion) && !said.contains(completion)
  }

  /// Whether its state does not answer something that it was told in its turn.
  func isSilentInTurn(_ completion: Completion) -> Bool {
    guard isSilent(completion) else { return false }
    if completion == .exited { return !wasToldEarly }
    return !told.contains(.exited) && !said.contains(.exited)
  }
}
