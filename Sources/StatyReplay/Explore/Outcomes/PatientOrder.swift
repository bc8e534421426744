import Staty
import StatyHistory

/// Chooses what a patient user lives to see: everything settles before the next action, and what is
/// under way comes in the order in which it began.
///
/// A plan says where the order deviates from that. What the user did keeps its order.
struct PatientOrder: Chooser {
  /// The user's actions that are still to come, and everything else that was not under way.
  private var inputs: ArraySlice<Step>
  /// How many of them have had their turn.
  private var turns = 0
  /// What is under way, in the order in which it began.
  private var pending: [Step] = []
  /// What is late.
  private var held: [Held] = []
  /// The recorded steps; empty for a scenario that was written.
  private let recorded: Set<Step>
  private let plan: DeviationPlan
  /// How many ways there were at each decision so far.
  private(set) var ways: [Int] = []
  /// What was otherwise than usual.
  private(set) var deviations: [Deviation] = []
  /// How many deferred steps have run since the last action.
  private var deferredInARow = 0

  private struct Held {
    let step: Step
    /// After how many turns it comes.
    let turn: Int
  }

  /// A controller that defers a step in each step never comes to rest.
  private static let mostDeferred = 256

  init(_ scenario: Scenario, _ plan: DeviationPlan = DeviationPlan()) {
    inputs = scenario.inputs[...]
    recorded = Set(scenario.recordedOrder)
    self.plan = plan
  }

  mutating func next(in run: ScheduleRun) -> Step? {
    while true {
      note(run)
      guard let first = pending.first else { return atRest(run) }
      var ways: [Deviation?] = [nil]
      let input = nextInput(run)
      if pending.count + held.count > 1 { ways.append(.late(first, behind: nil)) }
      ways += inputs.map { .late(first, behind: $0) }
      if let input { ways.append(.hurried(input, before: first)) }
      ways += otherWays(first, run)
      switch decide(ways) {
      case .finishedOtherwise(let step): return step
      case .overdue: return deadline(of: first)
      case .hurried(let input, _): return act(input)
      case .late(_, let input):
        pending.removeFirst()
        let turns = input.map { inputs.firstIndex(of: $0)! - inputs.startIndex + 1 } ?? 0
        held.append(Held(step: first, turn: self.turns + turns))
      default:
        pending.removeFirst()
        return deferred(first, run)
      }
    }
  }

  /// Notes what has begun, and what cannot come any more.
  private mutating func note(_ run: ScheduleRun) {
    let possible = run.possible.filter { isUnderWay($0, run) }
    pending.removeAll { !possible.contains($0) }
    held.removeAll { !run.canTake($0.step) }
    pending += possible.filter { step in
      !pending.contains(step) && !held.contains { $0.step == step }
    }
  }

  /// Whether a possible step is under way: it follows from an earlier one, and will come.
  private func isUnderWay(_ step: Step, _ run: ScheduleRun) -> Bool {
    switch step {
    case .make(let id): !run.plan.isInput(id)
    case .complete(_, _, finished: false): recorded.contains(step)
    // If it was recorded without having finished, it comes like that.
    case .complete(let completion, let id, _)
    where recorded.contains(.complete(completion, id, finished: false)):
      false
    case .complete(let completion, let id, _):
      // What a state did not answer in its turn when it was recorded, it does not answer.
      !run.isOptional(step) || recorded.isEmpty || recorded.contains(step)
        || run.place(of: id).map { run.requests[$0].isUsuallyReported.contains(completion) }
          ?? false
        || run.plan.places[id].map { run.courses[$0].wasToldEarly } ?? false
    case .deferred: true
    case .bind, .exitByItself, .repeat, .deadline: false
    }
  }

  /// What comes when nothing is under way but what is late.
  private mutating func atRest(_ run: ScheduleRun) -> Step? {
    if let step = takeLate(run, held.filter { $0.turn <= turns }) { return step }
    // A state that does not answer exceeds its deadline before the user does anything else, as a rule.
    let late = held.map { deadline(of: $0.step) }
    let overdue = run.possible.first {
      if case .deadline = $0 { !late.contains($0) } else { false }
    }
    if let overdue {
      let input = inputs.first.flatMap { run.canTake($0) ? $0 : nil }
      guard let input, decide([nil, .hurried(input, before: overdue)]) != nil else {
        return overdue
      }
      return act(input)
    }
    if let input = nextInput(run) { return act(input) }
    return takeLate(run, held)
  }

  private mutating func takeLate(_ run: ScheduleRun, _ held: [Held]) -> Step? {
    guard let first = held.first?.step else { return nil }
    var step = first
    let overtaking: [Deviation?] = held.dropFirst().map { .overtaking($0.step, first) }
    if case .overtaking(let other, _) = decide([nil] + overtaking) { step = other }
    switch decide([nil] + otherWays(step, run)) {
    case .overdue: return deadline(of: step)
    case .finishedOtherwise(let other):
      self.held.removeAll { $0.step == step }
      return other
    default:
      self.held.removeAll { $0.step == step }
      return step
    }
  }

  /// What may come instead of a report.
  private func otherWays(_ report: Step, _ run: ScheduleRun) -> [Deviation?] {
    var ways: [Deviation?] = []
    if let other = report.otherwiseFinished, run.canTake(other) {
      ways.append(.finishedOtherwise(other))
    }
    if let overdue = deadline(of: report), run.canTake(overdue) { ways.append(.overdue(report)) }
    return ways
  }

  /// The step in which a state exceeds its deadline instead of reporting.
  private func deadline(of report: Step) -> Step? {
    if case .complete(let completion, let id, _) = report { .deadline(completion, id) } else { nil }
  }

  /// The user's next action.
  ///
  /// One that cannot come any more is left out, such as one that cancels a visit that is over.
  private mutating func nextInput(_ run: ScheduleRun) -> Step? {
    while let input = inputs.first {
      if run.canTake(input) { return input }
      let id = if case .make(let id) = input { id } else { 0 }
      if !run.isDone(id) {
        // What is under way may still make it possible.
        if !pending.isEmpty || !held.isEmpty { return nil }
        // What the same source does next can come.
        if id != 0 { run.made.insert(id) }
      }
      inputs.removeFirst()
      turns += 1
    }
    return nil
  }

  private mutating func act(_ input: Step) -> Step {
    inputs.removeFirst()
    turns += 1
    deferredInARow = 0
    return input
  }

  private mutating func deferred(_ step: Step, _ run: ScheduleRun) -> Step {
    guard case .deferred(let id) = step else { return step }
    deferredInARow += 1
    if deferredInARow > Self.mostDeferred { run.runsAway(id.controller) }
    return step
  }

  private mutating func decide(_ ways: [Deviation?]) -> Deviation? {
    guard ways.count > 1 else { return nil }
    let way = plan.way(at: self.ways.count)
    self.ways.append(ways.count)
    guard let deviation = ways[way < ways.count ? way : 0] else { return nil }
    deviations.append(deviation)
    return deviation
  }
}

extension Scenario {
  /// What the user and the platform do, in the order in which it was recorded or written.
  fileprivate var inputs: [Step] {
    let numbers = Set(inputNumbers)
    // Whether a step follows from no other.
    func isInput(_ step: Step) -> Bool {
      switch step {
      case .make(let id): numbers.contains(id)
      case .bind, .exitByItself, .repeat: true
      case .complete, .deferred, .deadline: false
      }
    }
    if !recordedOrder.isEmpty { return recordedOrder.filter(isInput) }
    let requested = requests.filter { $0.visit == nil }.map(\.id)
    let all = (requested + cancels.map(\.id) + messages.map(\.id)).sorted().map { Step.make($0) }
    let bound = controllers.filter(\.snapshot.isWithholding).map { Step.bind($0.id) }
    return bound + all.filter(isInput)
  }

  /// The sources of what the user and the platform do.
  var inputSources: [Int] {
    requests.filter { $0.visit == nil && $0.place == .anytime }.map(\.source)
      + cancels.filter { $0.place == .anytime }.map(\.source)
      + messages.filter { $0.origin == nil && $0.place == .anytime }.map(\.source)
  }

  private var inputNumbers: [Int] {
    requests.filter { $0.place == .anytime }.map(\.id)
      + cancels.filter { $0.place == .anytime }.map(\.id)
      + messages.filter { $0.origin == nil && $0.place == .anytime }.map(\.id)
  }
}
