/// The visits of a controller that reports only state objects.
///
/// Each report about an object is assigned to one of the object's visits that the report fits: the
/// oldest, the most urgent or the topmost one, as the discipline says. So a controller that handles an
/// object wrongly gets recorded as it behaves.
struct ProbedVisits {
  struct Visit {
    let number: VisitNumber
    let state: StateName
    let instance: VisitNumber
    let priority: Int32
    let payload: StatePayload?
    let answers: UInt64
    var phase = Phase.empty
  }

  /// The visits of one object: the open ones, and the last one that ended.
  fileprivate struct Uses {
    let hold: AddressHold
    let type: ObjectIdentifier
    let instance: VisitNumber
    var open: [Visit] = []
    var ended: Visit?
    /// Whether `ended` was discarded.
    var isDiscarded = false
  }

  // The phases that a report fits, the best first. Constants, because each list would be allocated.
  private static let enterable: [Phase] = [.empty, .entering, .entered, .exiting]
  private static let exitable: [Phase] = [.entered, .entering, .empty, .exiting]
  private static let pending: [Phase] = [.empty]
  private static let entering: [Phase] = [.entering]
  private static let exiting: [Phase] = [.exiting, .entered, .entering]

  private static let mostEnded = 256
  private let discipline: Discipline
  private var uses: [ObjectIdentifier: Uses] = [:]
  private var ended: [ObjectIdentifier] = []
  private var newest: Visit?
  private(set) var lastVisit: UInt32 = 0

  init(_ discipline: Discipline) { self.discipline = discipline }

  /// Continues the numbering of visits after a number.
  mutating func goOn(after visit: UInt32) {
    lastVisit = max(lastVisit, visit)
  }

  private mutating func nextNumber() -> VisitNumber {
    // The highest number is used repeatedly. Only a wrong snapshot leads to it.
    if lastVisit < .max { lastVisit += 1 }
    return VisitNumber(lastVisit)
  }

  /// Adds a pending visit of an object.
  mutating func add(
    _ object: AnyObject, named name: StateName, priority: Int32 = 0,
    payload: StatePayload? = nil, answers: UInt64 = 0
  ) -> Visit {
    let number = nextNumber()
    let key = ObjectIdentifier(object)
    forgetIfOver(key)
    // Changed in place, because an object that is requested often has a long list.
    let instance = uses[key]?.instance ?? number
    let visit = Visit(
      number: number, state: name, instance: instance, priority: priority, payload: payload,
      answers: answers)
    if uses[key] == nil {
      uses[key] = Uses(
        hold: AddressHold(object), type: ObjectIdentifier(type(of: object)), instance: instance)
    }
    uses[key]?.open.append(visit)
    newest = visit
    return visit
  }

  /// The visit of an object that is shown, or the next pending one.
  func current(of object: AnyObject) -> Visit? {
    guard let use = uses[ObjectIdentifier(object)] else { return nil }
    return use.open.first { $0.phase != .empty } ?? use.open.first ?? use.ended
  }

  /// The visit that is told to enter or to exit.
  mutating func tell(_ order: ControllerProbe.Order, _ object: AnyObject) -> Visit {
    forgetIfOver(ObjectIdentifier(object))
    return switch order {
    case .enter: change(object, from: Self.enterable, to: .entering)
    case .exit:
      change(object, from: Self.exitable, to: .exiting, isNewest: discipline == .stack)
    }
  }

  /// The visit that a completion is about, and whether it was expected.
  mutating func complete(
    _ completion: Completion, _ object: AnyObject, isThreeKind: Bool
  ) -> (Visit, Fit) {
    let fitting =
      switch completion {
      case .entered: isThreeKind ? Self.pending : Self.entering
      case .exited: Self.exiting
      }
    let key = ObjectIdentifier(object)
    // An object in its `deinit` counts as released, and is still the one that is meant.
    let isOther = uses[key].map { $0.type != ObjectIdentifier(type(of: object)) } ?? false
    if completion == .entered || isOther { forgetIfOver(key) }
    let isTop = completion == .exited && discipline == .stack
    guard let place = uses[key]?.place(inPhase: fitting, isNewest: isTop) else {
      return (current(of: object) ?? unasked(object, thatSays: completion), .stray)
    }
    if completion == .exited { return (end(key, place), .fits) }
    uses[key]!.open[place].phase = .entered
    return (uses[key]!.open[place], .fits)
  }

  /// A completion of an unknown object is stray.
  ///
  /// If the object has entered, its phase is known from then on. One that has exited may be in its
  /// `deinit`, where nothing may refer to it weakly, so it is not kept.
  private mutating func unasked(_ object: AnyObject, thatSays completion: Completion) -> Visit {
    if completion == .exited {
      let number = nextNumber()
      return Visit(
        number: number, state: StateName(of: type(of: object)), instance: number, priority: 0,
        payload: nil, answers: 0, phase: .exited)
    }
    let key = ObjectIdentifier(object)
    _ = addUnasked(object)
    uses[key]!.open[0].phase = .entered
    return uses[key]!.open[0]
  }

  /// Ends the visit of an object that is discarded for a reason.
  mutating func discard(_ object: AnyObject, _ reason: DiscardReason) -> Visit? {
    let key = ObjectIdentifier(object)
    forgetIfOver(key)
    guard let use = uses[key], !use.open.isEmpty else { return nil }
    let visit = end(key, use.discardable(reason) ?? 0)
    uses[key]?.isDiscarded = true
    return visit
  }

  private mutating func change(
    _ object: AnyObject, from phases: [Phase], to phase: Phase, isNewest: Bool = false
  ) -> Visit {
    let key = ObjectIdentifier(object)
    if uses[key] == nil { _ = addUnasked(object) }
    if phase == .entering { comeBack(key) }
    let urgent = phase == .entering && discipline == .byUrgency ? uses[key]!.mostUrgent : nil
    guard let place = urgent ?? uses[key]!.place(inPhase: phases, isNewest: isNewest) else {
      return uses[key]!.ended!
    }
    uses[key]!.open[place].phase = phase
    return uses[key]!.open[place]
  }

  /// Opens a discarded visit again, if its object is told to enter and has no open visit: the
  /// controller has kept it.
  private mutating func comeBack(_ key: ObjectIdentifier) {
    guard let use = uses[key], use.open.isEmpty, use.isDiscarded, var visit = use.ended else {
      return
    }
    visit.phase = .empty
    uses[key]?.open.append(visit)
    uses[key]?.isDiscarded = false
  }

  /// Adds a visit without a known request, because the probe was added later.
  private mutating func addUnasked(_ object: AnyObject) -> Visit {
    add(object, named: StateName(of: type(of: object)))
  }

  private mutating func end(_ key: ObjectIdentifier, _ place: Int) -> Visit {
    var visit = uses[key]!.open.remove(at: place)
    visit.phase = .exited
    uses[key]?.ended = visit
    uses[key]?.isDiscarded = false
    if uses[key]?.open.isEmpty == true {
      ended.append(key)
      if ended.count > Self.mostEnded { forget(ended.removeFirst()) }
    }
    return visit
  }

  /// Forgets a released object, if another one may have its address by now.
  ///
  /// An object with open visits was released too early; a new object at its address is taken for
  /// it.
  private mutating func forgetIfOver(_ key: ObjectIdentifier) {
    // On other platforms an address is never reused here, and each check costs the recording
    // thread.
    #if canImport(ObjectiveC)
      if uses[key]?.hold.isOver == true, uses[key]?.open.isEmpty == true { uses[key] = nil }
    #endif
  }

  /// Forgets an object that ended long ago, unless it was used again.
  private mutating func forget(_ key: ObjectIdentifier) {
    if uses[key]?.open.isEmpty == true, !ended.contains(key) { uses[key] = nil }
  }
}

extension ProbedVisits.Uses {
  /// The first open visit in the first of these phases that has one, or the last one in it.
  fileprivate func place(inPhase phases: [Phase], isNewest: Bool) -> Int? {
    for phase in phases {
      let place =
        isNewest
        ? open.lastIndex { $0.phase == phase } : open.firstIndex { $0.phase == phase }
      if let place { return place }
    }
    return nil
  }

  /// The most urgent pending visit, the first of equals.
  fileprivate var mostUrgent: Int? {
    open.indices.filter { open[$0].phase == .empty }
      .max { (open[$0].priority, $1) < (open[$1].priority, $0) }
  }

  /// The visit that is discarded for a reason.
  fileprivate func discardable(_ reason: DiscardReason) -> Int? {
    switch reason {
    // What takes too long was told to do something.
    case .timedOut: open.firstIndex { $0.phase != .empty }
    // A newer one took its place, or it was cancelled, as `current(of:)` names it.
    case .replaced, .cancelled: open.firstIndex { $0.phase == .empty }
    // The newest was not taken.
    case .rejected, .coalesced, .tornDown: open.lastIndex { $0.phase == .empty }
    }
  }
}

extension ProbedVisits {
  private var open: [Visit] { uses.values.flatMap(\.open).sorted { $0.number < $1.number } }

  func payload(of visit: VisitNumber) -> StatePayload? {
    // Usually this is the newest visit, while observers are told of it.
    if let newest, newest.number == visit { return newest.payload }
    return self.visit(visit)?.payload
  }

  /// The open visit with this number.
  func visit(_ number: VisitNumber) -> Visit? { open.first { $0.number == number } }

  var instances: [VisitNumber: VisitNumber] {
    // The highest number may be used repeatedly.
    Dictionary(open.map { ($0.number, $0.instance) }) { first, _ in first }
  }

  var standing: PolicySnapshot {
    var snapshot = PolicySnapshot()
    for visit in open {
      let request = Request(
        visit: visit.number, state: visit.state, priority: visit.priority,
        equality: visit.instance.rawValue << 1, answers: visit.answers)
      if visit.phase == .empty {
        snapshot.waiting.append(request)
      } else {
        snapshot.standing.append(.init(request: request, phase: visit.phase))
      }
    }
    return snapshot
  }
}
