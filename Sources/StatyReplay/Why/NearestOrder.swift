import Staty
package import StatyRules

/// An order in which something does not happen, and that differs from the recorded one in one thing
/// alone.
package struct NearestOrder {
  /// What is otherwise than recorded.
  package enum Change: Equatable {
    /// The first comes before the second.
    case earlier(Step, before: Step)
    /// The first comes only after the second.
    case later(Step, behind: Step)
    /// It comes when everything before it has settled.
    case patient(Step)
    /// It is done to the end, which it was not when it was recorded.
    case finished(Step)

    /// The change in a word.
    package var word: String {
      switch self {
      case .earlier: "earlier"
      case .later: "later"
      case .patient: "patient"
      case .finished: "finished"
      }
    }
  }

  package let change: Change
  /// The inputs to delay, in their order, and the event behind which they come then; `nil` if no delay
  /// brings the order about.
  ///
  /// There is no particular event if they come when everything has settled. If one comes later, so does what the user did after it: the user's order stays.
  package let delay: (seqs: [Int64], behind: Int64?)?
  /// The report that is done to the end then; `nil` if none is.
  package let finished: Int64?
  /// The scenario that the steps are of.
  package let scenario: Scenario
  /// The rules that are broken in it.
  package let broken: Set<RuleCode>

  /// Whether no rule at all is broken in it.
  package var isClean: Bool { broken.isEmpty }
}

/// The search for the nearest order in which something does not happen, the nearest to what is asked
/// about first: something is done to the end, an answer or a report comes earlier, the user waits, or
/// the user does something earlier or later.
///
/// Each order is run to its end. What the user did when everything had settled still comes then,
/// unless that is what changes.
struct NearestOrderSearch {
  private let plan: ScenarioPlan
  private let steps: Schedule
  private let seqs: [Step: Int64]
  /// The place of the step in which it happened.
  private let guilty: Int
  private let deadline: ContinuousClock.Instant
  private let happens: (ScheduleRun) -> Bool
  /// Whether it is gone as soon as the states that never reported do: then none may report for that
  /// reason alone.
  private var isSilence = false
  /// What the user did when everything had settled.
  private var unhurried: Set<Step> = []

  /// How far something is moved at most, and how far from the guilty step.
  private static let (farthest, widest) = (32, 8)

  /// - Parameter seq: the number of the event in which it happened.
  init(
    _ order: RecordedOrder, guilty seq: Int64, registry: ControllerRegistry,
    until deadline: ContinuousClock.Instant, happens: @escaping (ScheduleRun) -> Bool
  ) throws {
    plan = try ScenarioPlan(order.scenario.knowingQuestions(registry), registry)
    // A request inside of another step is no step of its own.
    steps = plan.scenario.recordedOrder.filter { [plan] step in
      guard case .make(let id) = step else { return true }
      return plan.cue(id)?.isInside != true
    }
    seqs = order.seqs
    guilty = steps.lastIndex { [seqs] in seqs[$0] ?? .max <= seq } ?? 0
    (self.deadline, self.happens) = (deadline, happens)
  }

  /// Searches until an order is found in which no rule is broken; otherwise the first in which at
  /// least this does not happen.
  mutating func run() throws -> (NearestOrder?, Why.Missing?) {
    guard try happens(recorded()) else { return (nil, .notReproduced) }
    isSilence = try !happens(played([steps], isSettling: true))
    var second: NearestOrder?
    for change in changes {
      if ContinuousClock.now >= deadline { return (second, second == nil ? .time : nil) }
      let parts = isSilence ? change.parts() : change.parts().flatMap { paced($0, change.change) }
      let run = try played(parts, isSettling: !isSilence)
      guard !happens(run), isSo(change.change, in: run) else { continue }
      // What was not reported when it was recorded may come as soon as it can, or after everything else.
      var broken = run.brokenRules
      if broken.isEmpty, !isSilence, change.change.isWaiting {
        broken = try played(parts, isSettling: false).brokenRules
      }
      let nearest = nearest(change.change, broken)
      if nearest.isClean { return (nearest, nil) }
      second = second ?? nearest
    }
    return (second, second == nil ? .everyOrder : nil)
  }

  /// A run of the recorded order; it shows what the user did when everything had settled.
  private mutating func recorded() throws -> ScheduleRun {
    let run = try ScheduleRun(plan)
    run.mostEvents = .max
    var chooser = ListedOrder(steps)
    // A report that never came is nothing to wait for.
    let came = Set(steps)
    // To look at what is under way takes long, and far away nothing is moved.
    let reach = Self.farthest + Self.widest
    let near = Set(steps.dropFirst(max(0, guilty - reach)).prefix(2 * reach + 1))
    while !run.isGivenUp, let step = chooser.next(in: run) {
      if near.contains(step), isInput(step),
        run.possible.allSatisfy({ isInput($0) || !came.contains($0) })
      {
        unhurried.insert(step)
      }
      run.takePossible(step)
    }
    run.finish()
    return run
  }

  /// The parts of an order between which everything settles.
  private func paced(_ order: Schedule, _ change: NearestOrder.Change) -> [Schedule] {
    var parts: [Schedule] = [[]]
    for step in order {
      if unhurried.contains(step), !change.moves(step) { parts.append([]) }
      parts[parts.count - 1].append(step)
    }
    return parts
  }

  /// A run of parts of an order; what is under way settles behind each but the last.
  ///
  /// - Parameter isSettling: whether it settles behind the last one, too, as a state has to that enters
  ///   only in this order.
  private func played(_ parts: [Schedule], isSettling: Bool = false) throws -> ScheduleRun {
    let run = try ScheduleRun(plan)
    run.mostEvents = .max
    var listed = Set(parts.joined())
    for (place, part) in parts.enumerated() {
      let isLast = place + 1 == parts.count
      // What is listed in a later part comes there, or when this one has settled.
      var chooser = ListedOrder(
        part, settlingAllBut: isSettling || !isLast ? listed : nil, isBeginning: !isLast)
      run.play(&chooser)
      listed.subtract(part)
    }
    run.finish()
    return run
  }

  /// Whether a run has the change that was meant: some step may not have been possible.
  private func isSo(_ change: NearestOrder.Change, in run: ScheduleRun) -> Bool {
    func place(_ step: Step) -> Int? {
      run.schedule.firstIndex { $0 == step || $0.isExit(ofSame: step) }
    }
    switch change {
    case .earlier(let moved, let before):
      guard let new = place(moved), let old = place(before) else { return false }
      return new < old
    case .later(let moved, let behind):
      guard let new = place(moved), let old = place(behind) else { return false }
      return new > old
    case .patient(let step), .finished(let step): return place(step) != nil
    }
  }

  private func nearest(_ change: NearestOrder.Change, _ broken: Set<RuleCode>) -> NearestOrder {
    let (late, behind): ([Step], Step?) =
      switch change {
      case .finished: ([], nil)
      case .earlier(let moved, let before): ([before] + inputs(after: before, until: moved), moved)
      case .later(let moved, let behind): ([moved], behind)
      case .patient(let step): ([step] + inputs(after: step, until: nil), nil)
      }
    let known = late.compactMap { seqs[$0] }
    let other = behind.flatMap { seqs[$0] }
    let isKnown = known.count == late.count && (behind == nil || other != nil)
    let finished =
      if case .finished(let step) = change { step.otherwiseFinished.flatMap { seqs[$0] } } else {
        Int64?.none
      }
    return NearestOrder(
      change: change, delay: isKnown && !known.isEmpty ? (known, other) : nil, finished: finished,
      scenario: plan.scenario, broken: broken)
  }

  /// What the user and the platform did between two steps, or until the end.
  private func inputs(after first: Step, until last: Step?) -> [Step] {
    guard isInput(first), let begin = steps.firstIndex(of: first) else { return [] }
    return steps[(begin + 1)...].prefix { $0 != last }.filter(isInput)
  }
}

// MARK: What is tried

extension NearestOrderSearch {
  private struct Attempt {
    let change: NearestOrder.Change
    /// Made when it is tried: an order may be long.
    let parts: () -> [Schedule]
  }

  /// First what is near, then what is far away.
  ///
  /// What answers, reports and runs later comes earlier, the user waits, or does things in another
  /// order.
  private var changes: [Attempt] {
    var known: Set<[Int]> = []
    var attempts = finished
    for (farthest, widest) in [(3, 1), (Self.farthest, Self.widest)] {
      attempts += earlier(farthest, widest, &known) { !isInput($0) }
      attempts += patient(widest, &known)
      attempts += later(farthest, &known)
      attempts += earlier(farthest, widest, &known, isInput)
    }
    return attempts
  }

  /// What was not done to the end before the guilty step is.
  private var finished: [Attempt] {
    steps.indices.prefix(guilty + 1).reversed().compactMap { place in
      guard case .complete(_, _, finished: false) = steps[place],
        let other = steps[place].otherwiseFinished
      else { return nil }
      return Attempt(change: .finished(other)) { [steps] in
        var order = steps
        order[place] = other
        return [order]
      }
    }
  }

  private func earlier(
    _ farthest: Int, _ widest: Int, _ known: inout Set<[Int]>, _ isMeant: (Step) -> Bool
  ) -> [Attempt] {
    var attempts: [Attempt] = []
    for way in 1...farthest {
      for offset in [0] + (1...widest).flatMap({ [-$0, $0] }) {
        // The guilty step itself comes earlier, or what came later comes before it.
        for from in [guilty + offset, guilty + offset + way] {
          let to = from - way
          guard steps.indices.contains(from), steps.indices.contains(to), isMeant(steps[from]),
            known.insert([from, to]).inserted
          else { continue }
          attempts.append(
            Attempt(change: .earlier(steps[from], before: steps[to]), parts: moving(from, to)))
        }
      }
    }
    return attempts
  }

  /// The user waits before the guilty step, or before one next to it.
  private func patient(_ widest: Int, _ known: inout Set<[Int]>) -> [Attempt] {
    let places = [0] + (1...widest).flatMap { [-$0, $0] }
    return places.map { guilty + $0 }.filter { place in
      place > 0 && place < steps.count && isInput(steps[place])
        && known.insert([place]).inserted
    }.map { place in
      Attempt(change: .patient(steps[place])) { [steps] in
        [Array(steps[..<place]), Array(steps[place...])]
      }
    }
  }

  private func later(_ farthest: Int, _ known: inout Set<[Int]>) -> [Attempt] {
    guard steps.indices.contains(guilty), isInput(steps[guilty]) else { return [] }
    return steps.indices.dropFirst(guilty + 1).prefix(farthest).filter {
      known.insert([guilty, $0]).inserted
    }.map { place in
      Attempt(
        change: .later(steps[guilty], behind: steps[place]), parts: moving(guilty, place))
    }
  }

  private func moving(_ from: Int, _ to: Int) -> () -> [Schedule] {
    { [steps] in
      var order = steps
      order.insert(order.remove(at: from), at: to)
      return [order]
    }
  }

  private func isInput(_ step: Step) -> Bool { plan.isInput(step) }
}

extension ScheduleRun {
  fileprivate var brokenRules: Set<RuleCode> { Set(findings.filter(\.isSought).map(\.code)) }
}

extension Step {
  /// Whether the state of the same request reports its exit, which it was told before it could exit by itself.
  fileprivate func isExit(ofSame other: Step) -> Bool {
    guard case .complete(.exited, let id, _) = self, case .exitByItself(id) = other else {
      return false
    }
    return true
  }
}

extension NearestOrder.Change {
  /// Whether something comes later than it did.
  fileprivate var isWaiting: Bool {
    switch self {
    case .patient, .later: true
    case .earlier, .finished: false
    }
  }

  /// Whether a step comes at another place.
  fileprivate func moves(_ step: Step) -> Bool {
    switch self {
    case .earlier(let moved, before: let other): step == moved || step == other
    case .later(let moved, behind: _): step == moved
    case .patient, .finished: false
    }
  }
}
