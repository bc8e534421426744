/// The visits of a controller that knows only its state objects.
///
/// What the controller says of an object is taken for one of the object's visits: the oldest for
/// which it makes sense, so that a controller that handles an object wrongly shows just that.
struct ProbedVisits {
  struct Visit {
    let number: VisitNumber
    let state: StateName
    let instance: VisitNumber
    let priority: Int32
    let payload: StatePayload?
    var phase = Phase.empty
  }

  /// The visits of one object: those that are open, and the last that ended.
  fileprivate struct Uses {
    let hold: AddressHold
    let instance: VisitNumber
    var open: [Visit] = []
    var ended: Visit?
    /// Whether that one was discarded.
    var isDiscarded = false
  }

  private static let mostEnded = 256
  private var uses: [ObjectIdentifier: Uses] = [:]
  private var ended: [ObjectIdentifier] = []
  private var newest: Visit?
  private(set) var lastVisit: UInt32 = 0

  /// The next visit is numbered as if there had been so many before.
  mutating func goOn(after visit: UInt32) {
    lastVisit = max(lastVisit, visit)
  }

  /// A new visit of an object, waiting.
  mutating func add(
    _ object: AnyObject, named name: StateName, priority: Int32 = 0,
    payload: StatePayload? = nil
  ) -> Visit {
    // The last number of all is used again: a snapshot may claim anything, and nobody counts so far.
    if lastVisit < .max { lastVisit += 1 }
    let number = VisitNumber(lastVisit)
    let key = ObjectIdentifier(object)
    forgetIfOver(key)
    // In place: an object asked for again and again has a long list.
    let instance = uses[key]?.instance ?? number
    let visit = Visit(
      number: number, state: name, instance: instance, priority: priority, payload: payload)
    if uses[key] == nil { uses[key] = Uses(hold: AddressHold(object), instance: instance) }
    uses[key]?.open.append(visit)
    newest = visit
    return visit
  }

  /// The visit of an object that is on the screen, or the one that will be next.
  func current(of object: AnyObject) -> Visit? {
    guard let use = uses[ObjectIdentifier(object)] else { return nil }
    return use.open.first { $0.phase != .empty } ?? use.open.first ?? use.ended
  }

  /// The visit that is told to enter or exit.
  mutating func tell(_ order: ControllerProbe.Order, _ object: AnyObject) -> Visit {
    forgetIfOver(ObjectIdentifier(object))
    return switch order {
    case .enter: change(object, from: [.empty, .entering, .entered, .exiting], to: .entering)
    case .exit: change(object, from: [.entered, .entering, .empty, .exiting], to: .exiting)
    }
  }

  /// The visit that a completion is about, and whether it fits.
  mutating func complete(
    _ completion: Completion, _ object: AnyObject, isThreeKind: Bool
  ) -> (Visit, Fit) {
    let fitting: [Phase] =
      switch completion {
      case .entered: isThreeKind ? [.empty] : [.entering]
      case .exited: [.exiting, .entered, .entering]
      }
    let key = ObjectIdentifier(object)
    forgetIfOver(key)
    guard let place = uses[key]?.place(inPhase: fitting) else {
      return (current(of: object) ?? unasked(object, thatSays: completion), .stray)
    }
    if completion == .exited { return (end(key, place), .fits) }
    uses[key]!.open[place].phase = .entered
    return (uses[key]!.open[place], .fits)
  }

  /// What an object says of which nobody knew is stray; where it stands is known from then on.
  private mutating func unasked(_ object: AnyObject, thatSays completion: Completion) -> Visit {
    let key = ObjectIdentifier(object)
    _ = addUnasked(object)
    if completion == .exited { return end(key, 0) }
    uses[key]!.open[0].phase = .entered
    return uses[key]!.open[0]
  }

  /// Ends the visit of an object that will not be shown: the newest that waits, else the oldest.
  mutating func discard(_ object: AnyObject) -> Visit? {
    let key = ObjectIdentifier(object)
    forgetIfOver(key)
    guard let use = uses[key], !use.open.isEmpty else { return nil }
    let visit = end(key, use.open.lastIndex { $0.phase == .empty } ?? 0)
    uses[key]?.isDiscarded = true
    return visit
  }

  private mutating func change(
    _ object: AnyObject, from phases: [Phase], to phase: Phase
  ) -> Visit {
    let key = ObjectIdentifier(object)
    if uses[key] == nil { _ = addUnasked(object) }
    if phase == .entering { comeBack(key) }
    guard let place = uses[key]!.place(inPhase: phases) else { return uses[key]!.ended! }
    uses[key]!.open[place].phase = phase
    return uses[key]!.open[place]
  }

  /// An object without an open visit is told to enter: if its last was discarded, it is that one which the
  /// controller has kept.
  private mutating func comeBack(_ key: ObjectIdentifier) {
    guard let use = uses[key], use.open.isEmpty, use.isDiscarded, var visit = use.ended else {
      return
    }
    visit.phase = .empty
    uses[key]?.open.append(visit)
    uses[key]?.isDiscarded = false
  }

  /// A visit that nobody was seen to ask for, because the probe came later.
  private mutating func addUnasked(_ object: AnyObject) -> Visit {
    add(object, named: StateName(of: type(of: object)))
  }

  private mutating func end(_ key: ObjectIdentifier, _ place: Int) -> Visit {
    var visit = uses[key]!.open.remove(at: place)
    visit.phase = .left
    uses[key]?.ended = visit
    uses[key]?.isDiscarded = false
    if uses[key]?.open.isEmpty == true {
      ended.append(key)
      if ended.count > Self.mostEnded { forget(ended.removeFirst()) }
    }
    return visit
  }

  /// Forgets an object that has gone, if another one may have its address by now.
  ///
  /// One whose visits are open was let go too early; what has its address is taken for it.
  private mutating func forgetIfOver(_ key: ObjectIdentifier) {
    // Elsewhere none is, and each look costs the thread that records.
    #if canImport(ObjectiveC)
      if uses[key]?.hold.isOver == true, uses[key]?.open.isEmpty == true { uses[key] = nil }
    #endif
  }

  /// Forgets an object that ended long ago, unless it has been used again.
  private mutating func forget(_ key: ObjectIdentifier) {
    if uses[key]?.open.isEmpty == true, !ended.contains(key) { uses[key] = nil }
  }
}

extension ProbedVisits.Uses {
  /// The first open visit in the first of these phases that any is in.
  fileprivate func place(inPhase phases: [Phase]) -> Int? {
    for phase in phases {
      if let place = open.firstIndex(where: { $0.phase == phase }) { return place }
    }
    return nil
  }
}

extension ProbedVisits {
  private var open: [Visit] { uses.values.flatMap(\.open).sorted { $0.number < $1.number } }

  func payload(of visit: VisitNumber) -> StatePayload? {
    // Mostly it is the newest that is asked about, while it is told to observers.
    if let newest, newest.number == visit { return newest.payload }
    return self.visit(visit)?.payload
  }

  /// The open visit with this number.
  func visit(_ number: VisitNumber) -> Visit? { open.first { $0.number == number } }

  var instances: [VisitNumber: VisitNumber] {
    Dictionary(uniqueKeysWithValues: open.map { ($0.number, $0.instance) })
  }

  var standing: PolicySnapshot {
    var snapshot = PolicySnapshot()
    for visit in open {
      let request = Request(
        visit: visit.number, state: visit.state, priority: visit.priority,
        equality: visit.instance.rawValue << 1)
      if visit.phase == .empty {
        snapshot.waiting.append(request)
      } else {
        snapshot.standing.append(.init(request: request, phase: visit.phase))
      }
    }
    return snapshot
  }
}
