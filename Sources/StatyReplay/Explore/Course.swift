import Staty
import StatyHistory

/// How far the visit of a scenario's request has got.
struct Course {
  /// The number of its visit, once it has been asked for.
  var visit: UInt32?
  /// What has happened to it.
  var reached = SmallSet<EventKind>()
  /// What its state was really told, by what it says when it has done it.
  private(set) var told = SmallSet<Completion>()
  /// What its state has said.
  private(set) var said = SmallSet<Completion>()
  /// What its state may still say, as it was told to.
  private(set) var owed = SmallSet<Completion>()
  /// Of that, what it may also leave unsaid.
  private(set) var optional = SmallSet<Completion>()
  /// What it may say again.
  var repeats: Set<Completion>
  /// Whether it was told to exit when it was not in.
  private(set) var wasToldEarly = false
  /// The deadlines that have passed.
  var passed = SmallSet<Completion>()

  init(_ request: Scenario.Request) {
    repeats = request.repeats
  }

  /// Whether nothing is expected of it any more.
  var isOver: Bool { reached.contains(.exited) || reached.contains(.discarded) }

  /// Whether it was asked for and neither told to enter nor is over.
  var isWaiting: Bool { visit != nil && !reached.contains(.entering) && !isOver }

  /// Its state is told something.
  ///
  /// - Parameter isPolicy: whether its controller is one that never speaks in a state's place.
  /// - Returns: whether it answers before the call returns.
  mutating func beTold(
    _ completion: Completion, _ request: Scenario.Request, isPolicy: Bool
  ) -> Bool {
    let answer = answer(completion, request)
    // Whose deadline has passed is taken to be in.
    if completion == .exited, !isIn(request), !passed.contains(.entered) { wasToldEarly = true }
    told.insert(completion)
    guard maySay(completion) else { return false }
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

  /// Whether it is in, as far as its state knows.
  private func isIn(_ request: Scenario.Request) -> Bool {
    if said.contains(.entered) { return true }
    return told.contains(.entered)
      && (request.enters == .never || request.enters == .byController)
  }

  /// A state says each thing once, and nothing when it is out.
  private func maySay(_ completion: Completion) -> Bool {
    !said.contains(.exited) && !said.contains(completion)
  }

  /// Its state says something.
  mutating func say(_ completion: Completion) {
    said.insert(completion)
    owed.remove(completion)
    if completion == .exited { owed.removeAll() }
  }

  /// Whether it may leave by itself now.
  func mayLeave(_ request: Scenario.Request) -> Bool {
    request.leaves && isIn(request) && !told.contains(.exited) && maySay(.exited) && !isOver
  }

  /// Whether it may say something again now, or too late.
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

  /// Whether its state was told this and keeps silent about it, and not because of the controller.
  func isSilent(_ completion: Completion) -> Bool {
    told.contains(completion) && !said.contains(completion)
  }

  /// Whether its state keeps silent about what it was told in its turn: nobody but the state itself
  /// keeps it from answering.
  func isSilentInTurn(_ completion: Completion) -> Bool {
    guard isSilent(completion) else { return false }
    if completion == .exited { return !wasToldEarly }
    return !told.contains(.exited) && !said.contains(.exited)
  }
}
