import Staty

/// The steps that controllers have deferred in a run, until they run.
struct DeferredSteps {
  /// A deferred step.
  struct Waiting {
    let id: Step.Deferred
    /// The event in whose handling it was deferred.
    let event: UInt64
    let delay: Int64
    /// When it runs on the clock that a test moves.
    let due: Int64
    let step: ReplayScheduler.Step
  }

  /// In the order in which they were deferred.
  private var steps: [Waiting] = []
  /// How many were deferred, by controller and moment.
  private var counts: [Step.Deferred: Int] = [:]

  var ids: [Step.Deferred] { steps.map(\.id) }

  /// Adds a step that a controller defers.
  ///
  /// - Parameters:
  ///   - event: the event in whose handling that happens.
  ///   - moment: the recorded moment that the event stands for.
  ///   - now: the time on the clock that a test moves.
  /// - Returns: the step's identity in every run of the scenario.
  mutating func add(
    _ step: ReplayScheduler.Step, for delay: Int64, of controller: Int32, in event: UInt64,
    _ moment: Moment?, at now: Int64
  ) -> Step.Deferred {
    var id = Step.Deferred(
      controller: controller, kind: moment?.kind, request: Int(moment?.visit ?? 0), number: 0)
    let count = counts[id, default: 0]
    counts[id] = count + 1
    id.number = count
    steps.append(
      Waiting(id: id, event: event, delay: delay, due: now.addingClamped(delay), step: step))
    return id
  }

  /// Removes a step, to run it.
  mutating func remove(_ id: Step.Deferred) -> ReplayScheduler.Step? {
    steps.firstIndex { $0.id == id }.map { steps.remove(at: $0).step }
  }

  /// The steps that can run now.
  var possible: [Step.Deferred] { steps.filter(canRun).map(\.id) }

  func canRun(_ id: Step.Deferred) -> Bool { steps.first { $0.id == id }.map(canRun) ?? false }

  /// The step with this number, counted over all steps.
  func id(numbered number: UInt32) -> Step.Deferred? {
    steps.first { $0.step.number == number }?.id
  }

  /// The step that is due first; of several, the one that was deferred first.
  var nextDue: Waiting? { steps.filter(\.step.isWaiting).min { $0.due < $1.due } }

  /// At one controller, a deferred step never runs before an earlier one with the same or a shorter
  /// delay, or before one with a shorter delay that was deferred in the same handling.
  private func canRun(_ step: Waiting) -> Bool {
    guard step.step.isWaiting else { return false }
    var isLater = false
    for other in steps {
      if other.id == step.id {
        isLater = true
      } else if other.step.isWaiting, other.id.controller == step.id.controller,
        isLater
          ? other.delay < step.delay && other.event == step.event : other.delay <= step.delay
      {
        return false
      }
    }
    return true
  }
}
