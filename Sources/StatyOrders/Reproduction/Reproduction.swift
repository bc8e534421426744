internal import COrders
internal import Staty
internal import StatyReplay

/// Looks for an order of plain async code in which its tracks do what was recorded.
///
/// An order is left as soon as something else happens. Of those that were left, the one that came
/// furthest is varied first.
@MainActor package struct Reproduction {
  package enum Verdict: Equatable, Sendable {
    /// Everything that was recorded has happened again.
    case reproduced
    /// No order leads there.
    case diverged
    /// None was found, and not all were run.
    case notFound
  }

  package private(set) var verdict = Verdict.notFound
  /// How much of the recording the closest order has reproduced.
  package private(set) var matched = 0
  /// Where the closest order that has done everything by its names shows something else; `nil` if none
  /// has.
  package private(set) var unlike: Int?
  /// What happened there instead; `nil` if nothing more did.
  package private(set) var instead: String?
  /// What was otherwise than with a patient user, in words.
  package private(set) var conditions: [String] = []
  /// How it ends, as a search names it.
  package private(set) var text = ""
  package private(set) var runs = 0
  package private(set) var doubts: [String] = []

  /// What is looked for: all that was recorded, or in the end its changes alone.
  package private(set) var recorded: RecordedTracks
  private var comparesChangesAlone = false
  private var options: WorldOptions
  private let make: @MainActor (World) -> WorldSubject
  private var (hasPoolWork, hasMergedHops, hasLeftTimers) = (false, false, false)
  private var deadline: ContinuousClock.Instant?
  /// The runs that came so far, by how far they came.
  private var left: [Int: [Node]] = [:]

  /// A run, and which of its decisions can be made otherwise.
  private struct Node {
    let plan: DeviationPlan
    let decisions: [Int]
    /// The decision and the way that come next, from the last decision to the first that is free.
    var decision: Int
    var way = 0

    init(_ plan: DeviationPlan, _ decisions: [Int]) {
      (self.plan, self.decisions, decision) = (plan, decisions, decisions.count - 1)
    }

    mutating func next() -> DeviationPlan? {
      while decision >= plan.firstFree {
        way += 1
        if way < decisions[decision] { return plan.and(way, at: decision) }
        (decision, way) = (decision - 1, 0)
      }
      return nil
    }
  }

  package init(
    _ recorded: RecordedTracks, _ options: WorldOptions,
    _ make: @escaping @MainActor (World) -> WorldSubject
  ) {
    (self.recorded, self.options, self.make) = (recorded, options, make)
  }

  /// Looks until it is found, nothing is left or a limit is reached.
  package mutating func run() {
    if let reason = Control.begin() {
      doubts = [reason]
      return
    }
    defer { Control.end() }
    deadline = options.time.map { ContinuousClock.now + $0 }
    var isAll = search()
    if isAll, !options.choosesHops, hasMergedHops {
      // What was merged may lead there.
      options.choosesHops = true
      left = [:]
      isAll = search()
    }
    // The fakes may answer something else than the server did.
    guard isAll, unlike == nil, searchForChanges() else { return }
    if let gap = recorded.gap {
      doubts.note("no order does what was recorded, but \(gap)")
    } else if hasLeftTimers {
      doubts.note(
        "no order does what was recorded, but what goes on at intervals was left after \(IdleLoops.mostTicks) times"
      )
    } else if hasPoolWork {
      doubts.note("no order does what was recorded, but code of several threads is not interleaved")
    } else {
      verdict = .diverged
    }
  }

  /// Looks for an order that changes the same: what is set without a change, as by a variable's `didSet`, may
  /// be set by other lines of code since.
  ///
  /// - Returns: whether all orders were run, and none does that.
  private mutating func searchForChanges() -> Bool {
    let exact = self
    (recorded, comparesChangesAlone) = (recorded.changes, true)
    (matched, left) = (0, [:])
    let isAll = search()
    // With other answers, or in more time, an order may be found.
    if verdict == .reproduced || !doubts.isEmpty || unlike != nil { return false }
    let runs = runs
    self = exact
    self.runs = runs
    return isAll
  }

  /// - Returns: whether all orders were run, and none does what was recorded.
  private mutating func search() -> Bool {
    var plan: DeviationPlan? = DeviationPlan()
    while let current = plan, runs == 0 || !isOver, doubts.isEmpty {
      let end = play(current)
      if end.isReproduced {
        found(end, current)
        return false
      }
      left[end.matched, default: []].append(Node(current, end.decisions))
      if end.matched > matched || runs == 1 { (matched, instead) = (end.matched, end.instead) }
      if end.isComplete, let place = end.unlike, place > unlike ?? -1 {
        unlike = place
      }
      plan = nextPlan()
    }
    return plan == nil && doubts.isEmpty
  }

  /// Whether a limit is reached.
  private var isOver: Bool {
    runs >= options.mostOrders || deadline.map { ContinuousClock.now >= $0 } ?? false
  }

  /// The next order: near to one that came furthest, the newest of those.
  private mutating func nextPlan() -> DeviationPlan? {
    while let furthest = left.keys.max() {
      while var node = left[furthest]?.popLast() {
        guard let plan = node.next() else { continue }
        left[furthest]?.append(node)
        return plan
      }
      left[furthest] = nil
    }
    return nil
  }

  /// Of the orders that differ in the last deviation, the one that is easiest to say.
  private mutating func easier(
    _ end: WorldEnd, _ plan: DeviationPlan
  ) -> (WorldEnd, DeviationPlan) {
    var (best, bestPlan) = (end, plan)
    guard let last = plan.turns.last, end.oddity > 0 else { return (end, plan) }
    let parent = plan.first(plan.turns.count - 1)
    let decisions = play(parent).decisions
    let first = parent.firstFree
    for decision in first..<max(first, min(last.decision + 1, decisions.count)) {
      for way in 1..<max(1, decisions[decision]) {
        if isOver { return (best, bestPlan) }
        let other = parent.and(way, at: decision)
        let run = play(other)
        if run.isReproduced, run.oddity < best.oddity { (best, bestPlan) = (run, other) }
      }
    }
    return (best, bestPlan)
  }

  private mutating func play(_ plan: DeviationPlan) -> WorldEnd {
    runs += 1
    var order = PlannedOrder(plan: plan)
    let log = TrackLog(expected: recorded, comparingChangesAlone: comparesChangesAlone)
    var untold: [String] = []
    orders_note_nameless()
    let end = WorldEnd(options, .none, &order, log: log) { [recorded, make] world in
      untold = world.makes(recorded, make) { input, call in
        world.user(
          input.called, due: { log.matched == input.place }, over: { log.matched > input.place },
          call.body)
      }
      if world.shown.isEmpty { world.showsTracks() }
    }
    for escape in end.escapes + untold { doubts.note(escape) }
    hasPoolWork = hasPoolWork || end.hasPoolWork
    hasMergedHops = hasMergedHops || end.hasMergedHops
    hasLeftTimers = hasLeftTimers || end.hasLeftTimers
    return end
  }

  /// Leaves out what the order does not need, and runs it once more.
  private mutating func found(_ end: WorldEnd, _ plan: DeviationPlan) {
    var (end, plan) = (end, plan)
    for at in plan.turns.indices.reversed() where at < plan.turns.count && !isOver {
      let less = plan.without(at)
      let other = play(less)
      if other.isReproduced { (end, plan) = (other, less) }
    }
    (end, plan) = easier(end, plan)
    matched = recorded.entries.count
    (conditions, text, verdict) = (end.conditions, end.text, .reproduced)
    if !play(plan).isReproduced { doubts.note("the same order did not happen twice") }
    if !doubts.isEmpty { verdict = .notFound }
  }
}

extension World {
  /// Makes the model of a recording, and lets the user do what was recorded.
  ///
  /// - Parameter user: lets the user do one thing.
  /// - Returns: why something of it cannot be done.
  @MainActor fileprivate func makes(
    _ recorded: RecordedTracks, _ make: @MainActor (World) -> WorldSubject,
    _ user: (RecordedTracks.Input, WorldSubject.Call) -> Void
  ) -> [String] {
    let subject = make(self)
    for one in subject.shown { shows(one) }
    var untold = recorded.ambiguous.map(\.description).sorted().map {
      "several tracks of the model receive '\($0)', and it is not known which call is meant: give the "
        + "messages names of their own"
    }
    if recorded.inputs.isEmpty, subject.hasCalls {
      untold.append(
        "no message was recorded of what the user did: put 'track.received(…)' around each call")
    }
    for input in recorded.inputs {
      if let call = subject.call(input) {
        user(input, call)
      } else {
        let values = input.payload == nil ? "" : ", or its values do not decode"
        untold.append(
          "the registry does not say which call belongs to the message '\(input.name)'\(values)")
      }
    }
    return untold
  }
}

extension RecordedTracks {
  /// Whether the model has sent itself in this run what counts as the user's, as the beginning of a poll.
  ///
  /// In other orders the user may come first, and then it would happen twice.
  fileprivate func isSent(_ input: Input, in run: WorldRun) -> Bool {
    guard run.story.deviations.isEmpty, let log = run.tracks else { return false }
    let isSame = { (entry: TrackLog.Entry) in
      entry.kind == .received && entry.source == input.track && entry.state == input.name
    }
    guard log.entries.count(where: isSame) >= entries[...input.place].count(where: isSame) else {
      return false
    }
    run.escaped(
      "the model sends itself '\(input.name)', which is recorded like a call of the user's")
    return true
  }
}

extension WorldSearch {
  /// A search for how a recording of plain async code can end.
  package init(
    of recorded: RecordedTracks, _ options: WorldOptions,
    _ make: @escaping @MainActor (World) -> WorldSubject
  ) {
    self.init(options, followsTracks: true) { world in
      let untold = world.makes(recorded, make) { input, call in
        world.user(
          input.called, when: call.condition, over: { recorded.isSent(input, in: world.run) },
          call.body)
      }
      if let gap = recorded.gap { world.run.escaped(gap) }
      for reason in untold { world.run.escaped(reason) }
      if world.shown.isEmpty { world.showsTracks() }
    }
  }
}
