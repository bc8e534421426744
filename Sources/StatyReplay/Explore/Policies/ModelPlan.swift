import Staty
import StatyHistory

/// A scenario of one controller that is a policy, with everything that no step changes.
///
/// Every request and every cancellation has a slot. A visit has the number of its request's slot,
/// whichever requests were made before, so that states that differ only in finished visits are
/// equal.
struct ModelPlan {
  /// Which slots are requests and not cancellations.
  private(set) var isRequest = SlotSet()
  private(set) var count = 0
  /// What the policy is told, by slot.
  private(set) var requests: [Request] = []
  private(set) var cancels: [Scenario.Cancel.Extent?] = []
  /// The numbers in the scenario, by slot.
  private(set) var ids: [Int] = []
  /// The slot that has to be made before, by slot; -1 if none.
  private(set) var before: [Int8] = []
  /// The slot of the visit that is cancelled, by slot; -1 if none.
  private(set) var target: [Int8] = []
  /// The bit of the moment that has to have happened, by slot; -1 if none.
  private(set) var anchor: [Int8] = []
  /// The bits of the moments that others come after, by slot and kind.
  private var anchorBits: [Int8] = []
  /// What happens inside of the moments of a slot and kind.
  private(set) var inside: [Int: (before: [Int], after: [Int])] = [:]
  /// By kind of moment, the slots that something happens inside of.
  private(set) var hasInside: [SlotSet] = Array(repeating: SlotSet(), count: Self.kinds)
  /// By kind of moment, the slots that something comes after.
  private var hasAnchor: [SlotSet] = Array(repeating: SlotSet(), count: Self.kinds)
  /// For each slot, the slot of the state that makes the request; -1 if none.
  private(set) var origin: [Int8] = []
  /// The slots that happen only inside of something.
  private(set) var nested = SlotSet()

  private(set) var entersAtOnce = SlotSet()
  private(set) var entersLater = SlotSet()
  private(set) var entersPerhaps = SlotSet()
  private(set) var entersNever = SlotSet()
  private(set) var exitsAtOnce = SlotSet()
  private(set) var exitsLater = SlotSet()
  private(set) var exitsPerhaps = SlotSet()
  private(set) var earlyAtOnce = SlotSet()
  private(set) var earlyLater = SlotSet()
  private(set) var earlyPerhaps = SlotSet()
  private(set) var exitsByItself = SlotSet()
  private(set) var awaitsUser = SlotSet()
  private(set) var repeatsEntered = SlotSet()
  private(set) var repeatsExited = SlotSet()

  let deadlineEntering: DeadlineRecovery?
  let deadlineExiting: DeadlineRecovery?
  let isWithholding: Bool
  let discipline: Discipline
  /// The declared moves between states, by the slots' states; `nil` if none are declared.
  private(set) var moves: UndeclaredMoves?
  /// Whether it counts when a state does not answer what it was told in its turn.
  var countsSilence = true
  /// Whether visits are also numbered in the order of their requests: a policy that is not ours may
  /// look at that order.
  let isRanked: Bool
  /// The slots of the visits that are open at the beginning.
  private(set) var standing: [(slot: Int, phase: Phase)] = []
  let controller: Int32

  static let kinds = EventKind.allCases.count + 1
  private static let rankBits: UInt32 = 8

  /// `nil` if the scenario has more than one controller, or more requests than there are slots.
  init?(_ plan: ScenarioPlan, isRanked: Bool) {
    let scenario = plan.scenario
    guard scenario.controllers.count == 1, scenario.messages.isEmpty,
      scenario.requests.count + scenario.cancels.count <= SlotSet.most
    else { return nil }
    let controller = scenario.controllers[0]
    self.isRanked = isRanked
    self.controller = controller.id
    deadlineEntering = controller.deadlineEntering
    deadlineExiting = controller.deadlineExiting
    isWithholding = controller.snapshot.isWithholding
    discipline = plan.parts[0].discipline
    addSlots(plan)
    if let routes = controller.snapshot.routes {
      moves = UndeclaredMoves(routes, requests.map(\.state.description), controller.snapshot)
    }
    guard addAnchors(plan) else { return nil }
    all = SlotSet(0..<count)
    hasOptions =
      !(exitsByItself | repeatsEntered | repeatsExited).isEmpty || deadlineEntering != nil
      || deadlineExiting != nil
  }

  /// The slot of a visit.
  @inline(__always) func slot(of visit: VisitNumber) -> Int {
    Int(visit.rawValue & (1 << Self.rankBits - 1)) - 1
  }

  /// The number of a slot's visit.
  @inline(__always) func visit(_ slot: Int, rank: UInt8) -> VisitNumber {
    VisitNumber(UInt32(rank) << Self.rankBits | UInt32(slot + 1))
  }

  /// The bit of a moment that others come after; -1 if none do.
  @inline(__always) func anchorBit(_ slot: Int, _ kind: EventKind) -> Int {
    guard hasAnchor[Int(kind.rawValue)].contains(slot) else { return -1 }
    return Int(anchorBits[slot * Self.kinds + Int(kind.rawValue)])
  }

  /// Every slot.
  private(set) var all = SlotSet()
  /// Whether any optional step or deadline can happen.
  private(set) var hasOptions = false

  /// What happens inside of this moment.
  func inside(_ slot: Int, _ kind: EventKind) -> (before: [Int], after: [Int]) {
    inside[slot * Self.kinds + Int(kind.rawValue)] ?? ([], [])
  }
}

// MARK: Making

extension ModelPlan {
  private mutating func addSlots(_ plan: ScenarioPlan) {
    let scenario = plan.scenario
    for cue in plan.cues {
      add(cue.id, scenario)
      before.append(Int8(cue.before.flatMap(slot) ?? -1))
      if cue.isInside { nested.insert(count - 1) }
    }
    for one in scenario.requests where one.visit != nil {
      add(one.id, scenario)
      before.append(-1)
      let phase = phase(of: one, scenario)
      standing.append((count - 1, phase))
    }
    for slot in 0..<count {
      let request = scenario.request(numbered: ids[slot])
      origin.append(Int8(request?.origin.flatMap(self.slot) ?? -1))
      target.append(Int8(cancels[slot]?.request.flatMap(self.slot) ?? -1))
    }
  }

  private func phase(of request: Scenario.Request, _ scenario: Scenario) -> Phase {
    let standing = scenario.controllers[0].snapshot.standing
    return standing.first { $0.visit == request.visit }?.phase.flatMap(Phase.init) ?? .empty
  }

  /// The slot of what has this number in the scenario.
  func slot(_ id: Int) -> Int? { ids.firstIndex(of: id) }

  private mutating func add(_ id: Int, _ scenario: Scenario) {
    let slot = count
    count += 1
    ids.append(id)
    guard let asked = scenario.request(numbered: id) else {
      cancels.append(scenario.cancels.first { $0.id == id }?.extent)
      requests.append(Request(visit: VisitNumber(0), state: "?"))
      return
    }
    cancels.append(nil)
    isRequest.insert(slot)
    requests.append(
      Request(
        visit: VisitNumber(UInt32(slot + 1)), state: asked.state, priority: asked.priority,
        equality: Self.equality(asked, scenario), answers: asked.answers,
        objection: asked.objection))
    addAnswers(asked, slot)
  }

  /// Objects are distinguished by the numbers of their first requests.
  private static func equality(_ request: Scenario.Request, _ scenario: Scenario) -> UInt32 {
    if let equality = request.equality { return equality }
    let first = request.instance.flatMap(scenario.request) ?? request
    guard let visit = first.visit else { return 1 << 31 | UInt32(first.id) << 1 }
    let snapshot = scenario.controllers[0].snapshot
    let known = (snapshot.standing + snapshot.waiting).first { $0.visit == visit }
    return known?.equality ?? (known?.instance ?? visit) << 1
  }

  private mutating func addAnswers(_ request: Scenario.Request, _ slot: Int) {
    switch request.enters {
    case .atOnce, .byController: entersAtOnce.insert(slot)
    case .later: entersLater.insert(slot)
    case .perhaps: entersPerhaps.insert(slot)
    case .never: entersNever.insert(slot)
    }
    switch request.exits {
    case .atOnce, .byController: exitsAtOnce.insert(slot)
    case .later: exitsLater.insert(slot)
    case .perhaps: exitsPerhaps.insert(slot)
    case .never: break
    }
    switch request.exitsEarly {
    case .atOnce, .byController: earlyAtOnce.insert(slot)
    case .later: earlyLater.insert(slot)
    case .perhaps: earlyPerhaps.insert(slot)
    case .never: break
    }
    if request.exitsByItself { exitsByItself.insert(slot) }
    if request.awaitsUser { awaitsUser.insert(slot) }
    if request.repeats.contains(.entered) { repeatsEntered.insert(slot) }
    if request.repeats.contains(.exited) { repeatsExited.insert(slot) }
  }

  /// - Returns: `false` if the scenario waits for more moments than there are bits.
  private mutating func addAnchors(_ plan: ScenarioPlan) -> Bool {
    anchorBits = Array(repeating: -1, count: count * Self.kinds)
    var next = 0
    for cue in plan.cues {
      guard let moment = cue.moment, let slot = slot(moment.request) else {
        anchor.append(cue.moment == nil ? -1 : -2)
        continue
      }
      let kind = Int(moment.kind.rawValue)
      if cue.isInside {
        anchor.append(-1)
        hasInside[kind].insert(slot)
        continue
      }
      if anchorBits[slot * Self.kinds + kind] < 0 {
        guard next < SlotSet.most else { return false }
        anchorBits[slot * Self.kinds + kind] = Int8(next)
        hasAnchor[kind].insert(slot)
        next += 1
      }
      anchor.append(anchorBits[slot * Self.kinds + kind])
    }
    anchor += Array(repeating: -1, count: count - anchor.count)
    for (moment, cues) in plan.inside {
      guard let slot = slot(moment.request) else { continue }
      inside[slot * Self.kinds + Int(moment.kind.rawValue)] = (
        slots(cues.before), slots(cues.after)
      )
    }
    return true
  }
}

extension ModelPlan {
  private func slots(_ steps: [Step]) -> [Int] {
    steps.compactMap { if case .make(let id) = $0 { slot(id) } else { nil } }
  }

  /// The policy at the beginning, with its visits numbered by slot.
  func snapshot(_ scenario: Scenario) -> PolicySnapshot {
    var snapshot = PolicySnapshot(scenario.controllers[0].snapshot)
    for place in snapshot.standing.indices { renumber(&snapshot.standing[place].request, scenario) }
    for place in snapshot.waiting.indices { renumber(&snapshot.waiting[place], scenario) }
    return snapshot
  }

  private func renumber(_ request: inout Request, _ scenario: Scenario) {
    let visit = request.visit.rawValue
    guard let known = scenario.requests.first(where: { $0.visit == visit }),
      let slot = slot(known.id)
    else {
      // A visit that has exited and that no request names.
      request.visit = VisitNumber(0)
      return
    }
    request.visit = VisitNumber(UInt32(slot + 1))
  }
}
