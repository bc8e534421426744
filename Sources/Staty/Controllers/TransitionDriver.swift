/// Runs a policy: sends it signals, performs its commands in order, and tells observers about both.
///
/// The driver knows visits, not states; a ``StagePerformer`` tells states to enter and exit. The
/// live controllers use it, and a replay uses it with scripted states.
///
/// Order: a request or completion reaches the policy at once, from wherever it is made. The
/// policy's commands are performed after it has returned, one after the other. They are not
/// performed inside another command, and not while an event is being delivered to observers.
package final class TransitionDriver {
  private let policyBox: PolicyBox
  /// The same box without reference counting, which every signal would cost.
  ///
  /// `policyBox` keeps it alive.
  private let uncountedBox: Unmanaged<PolicyBox>
  package let events: EventSource
  let mailbox: Mailbox

  // Unchecked: all of these are used in one isolation, and each access ends before other code runs.
  // A policy gets `commands`, but it is a value that calls no other code.
  @exclusivity(unchecked) private var commands = CommandQueue()
  @exclusivity(unchecked) private var visits = SlotTable<OpenVisit>()
  @exclusivity(unchecked) private var objects = StateObjects()
  /// The slot that ended last while commands are performed; the visits in these slots form a list.
  @exclusivity(unchecked) private var ended = OpenVisit.none
  @exclusivity(unchecked) private var lastVisit: UInt32 = 0
  @exclusivity(unchecked) private var isPerforming = false
  @exclusivity(unchecked) private var performedVisit: VisitNumber?
  @exclusivity(unchecked) private var announcement = Announcement.none
  /// Whether the target was released, which has ended the controller.
  @exclusivity(unchecked) private(set) var hasLostTarget = false
  private let watch: DeadlineWatch?
  private var keys = CoalescingKeys()
  /// Letters that were collected and not handled yet.
  @exclusivity(unchecked) private var inbox: [Mailbox.Letter] = []
  private let performer: any StagePerformer

  /// What the driver knows about a visit that has neither exited nor been discarded.
  private struct OpenVisit: Slotted {
    let visit: VisitNumber
    let instance: VisitNumber
    let state: StateName
    /// The slot of the state object, if there is one.
    let object: Int32
    /// The number of its coalescing key; even if it has none.
    var key: UInt32 = 0
    /// The slot that ended before, when the visit has ended.
    var endedBefore = Self.open

    /// Stands for a visit that has not ended.
    static let open: Int32 = -2
    /// The slot of no visit.
    static let none: Int32 = -1

    var number: UInt { UInt(visit.rawValue) }
  }

  /// A command that observers are being told of, before its state is.
  private enum Announcement {
    case none
    case isHeard(VisitNumber)
    /// An observer reported meanwhile that the state has exited: the visit keeps its slot for the
    /// command.
    case isOver(VisitNumber)
  }

  package init(
    policy: some TransitionPolicy, performer: any StagePerformer, isolation: (any Actor)?,
    watch: DeadlineWatch? = nil
  ) {
    self.performer = performer
    self.watch = watch
    policyBox = TypedPolicyBox(policy)
    uncountedBox = .passUnretained(policyBox)
    mailbox = Mailbox(
      bell: isolation.map { .actor(Mailbox.WeakActor(actor: $0)) } ?? .none)
    events = EventSource()
    events.takeSnapshot = { [unowned self] in snapshot }
    events.forgetNumbers = { [unowned self] in commands.forgetCauses() }
    mailbox.connect(self)
  }

  deinit {
    mailbox.disconnect()
    let policy = type(of: policy)
    events.outliveController(
      keeping: ControllerSnapshot(policy: policy.name, discipline: policy.discipline))
  }

  package var policy: any TransitionPolicy { policyBox.policy }
}

/// Carries out a driver's commands on states.
///
/// The driver holds it strongly, so it must not hold the driver strongly.
package protocol StagePerformer: AnyObject {
  /// Retains the target until `letGo`, unless it is already retained; `false` if it was released.
  func hold() -> Bool
  /// Releases the target, because all commands are performed.
  func letGo()
  /// Tells the state in this slot to enter; `false` if there is no target.
  func enter(_ visit: Visit) -> Bool
  /// Tells the state in this slot to exit; `false` if there is no target.
  func exit(_ visit: Visit) -> Bool
  /// Whether the state in this slot, told to exit, may take as long as the user takes.
  func awaitsUser(_ slot: Int32) -> Bool
  /// The visit in this slot has ended; release what was kept for it.
  ///
  /// Not called while a state is being told something, so a state that is told needs no reference.
  func forget(_ slot: Int32)
}

extension StagePerformer {
  package func awaitsUser(_ slot: Int32) -> Bool { false }
}

// MARK: Signals

extension TransitionDriver {
  /// The parts of a request.
  package struct RequestParts {
    package var state: StateName
    /// The first visit with the same state object; `nil` if this is the first.
    package var instance: VisitNumber?
    package var priority: Int32 = 0
    package var equality: UInt32?
    package var answers: UInt64 = 0
    package var objection: Objection?
    package var asked: StateName?
    package var origin: VisitNumber?
    package var site: RequestSite
    package var hasPayload = false
    /// The slot of the state object, if there is one.
    fileprivate var object = StateObjects.none

    package init(state: StateName, site: RequestSite) {
      self.state = state
      self.site = site
    }
  }

  /// The number of the next request's visit.
  package var nextVisit: VisitNumber { VisitNumber(lastVisit + 1) }

  /// Registers the state object of the next request; call it directly before ``open(_:)``.
  ///
  /// If another controller uses the object, the request gets an objection.
  @inline(__always)
  func claim(_ object: AnyObject, for parts: inout RequestParts) {
    if let use = objects.begin(object, nextVisit) {
      parts.object = use.slot
      parts.instance = use.instance
    } else {
      refuse(&parts)
    }
  }

  @inline(never)
  private func refuse(_ parts: inout RequestParts) {
    assertionFailure(
      """
      The state '\(parts.state)' asked for at \(parts.site) is in use by another controller. \
      Give each controller a state object of its own.
      """)
    parts.objection = .inUseElsewhere
  }

  /// Makes a request, for which nothing has to be kept.
  package func request(_ parts: RequestParts) -> VisitNumber {
    request(parts, in: open(parts))
  }

  /// Begins the visit of a request.
  ///
  /// Keep what belongs to it in its slot, then make the request. Collect the mail before, because
  /// handling it may lead to other requests.
  @inline(__always)
  func open(_ parts: RequestParts) -> Int32 {
    events.prepareForInput()
    let number = nextVisit
    lastVisit += 1
    return visits.insert(
      OpenVisit(
        visit: number, instance: parts.instance ?? number, state: parts.state,
        object: parts.object, key: parts.equality ?? 0))
  }

  /// Makes the request of a visit that was just begun.
  func request(_ parts: RequestParts, in slot: Int32) -> VisitNumber {
    let (number, instance) = (visits[slot].visit, visits[slot].instance)
    let request = Request(
      visit: number, state: parts.state, priority: parts.priority,
      equality: parts.equality ?? CoalescingKeys.number(ofFirst: instance),
      answers: parts.answers, objection: parts.objection)
    let event = events.draw()
    commands.cause = event.value
    _ = receive(.requested(request))
    if events.isObserved {
      events.announce(
        RequestDetail(
          request: request, asked: parts.asked, origin: parts.origin ?? askingVisit,
          site: parts.site, hasPayload: parts.hasPayload),
        event, instance: instance)
    }
    performCommands(in: event)
    return number
  }

  /// Handles a completion that a state reports.
  func complete(_ completion: Completion, _ visit: Visit) {
    events.prepareForInput()
    let number = events.draw()
    commands.cause = number.value
    let signal: Signal = completion == .entered ? .entered(visit.number) : .exited(visit.number)
    let fit = receive(signal)
    if fit == .fits { watch?.end(visit.number) } else { endLate(completion, visit.number) }
    if events.isObserved {
      if fit == .stray {
        announceStray(completion, visit, number)
      } else {
        events.announce(
          completion == .entered ? .entered : .exited, number, visit: visit.number,
          state: visit.state, instance: visit.instance)
      }
    }
    // If a policy accepts a second exit, the visit has ended, and another one may have the slot by now.
    if fit == .fits, completion == .exited, visits[visit.slot].visit == visit.number,
      visits[visit.slot].endedBefore == OpenVisit.open
    {
      end(visit)
    }
    performCommands(in: number)
  }

  /// What its user has to close has entered too late: from now on there is no limit.
  @inline(never)
  private func endLate(_ completion: Completion, _ visit: VisitNumber) {
    guard completion == .entered, let watch, watch.isForced(visit), let slot = openSlot(of: visit),
      performer.awaitsUser(slot)
    else { return }
    watch.end(visit)
  }

  @inline(never)
  private func announceStray(_ completion: Completion, _ visit: Visit, _ number: DrawnNumber) {
    events.announce(
      TransitionEvent(
        number: number.value, inside: events.place, time: events.now, kind: .stray,
        visit: visit.number, state: visit.state, instance: visit.instance,
        detail: .completion(completion)),
      number)
  }

  package func cancel(_ cancellation: Cancellation) {
    collectMail()
    var slot: Int32?
    if case .visit(let visit) = cancellation {
      slot = openSlot(of: visit)
      if slot == nil { return }
    }
    if cancellation == .tearDown { dropOrders() }
    tell(.cancelled(cancellation), event: .cancelled, slot) { .cancellation(cancellation) }
  }

  /// There is a target now: pending states can enter.
  package func resume() {
    tell(.resumed, event: .resumed, nil) { .none }
  }

  /// Handles the completions that other isolations have put into the mailbox.
  @inline(__always)
  package func collectMail() {
    if mailbox.hasMail || !inbox.isEmpty { handleMail() }
  }

  @inline(never)
  private func handleMail() {
    // One inbox for all calls: handling a letter may collect again, and newer letters must not
    // overtake older ones.
    inbox += mailbox.takeLetters()
    while !inbox.isEmpty {
      let letter = inbox.removeFirst()
      complete(letter.completion, letter.visit.local)
    }
  }

  /// A visit exceeded its time limit.
  package func pass(
    _ visit: VisitNumber, _ awaited: Completion, _ recovery: DeadlineRecovery
  ) {
    guard let slot = openSlot(of: visit) else { return }
    tell(.deadline(visit, awaited, recovery), event: .deadline, slot) {
      .deadline(awaited, recovery)
    }
  }

  private func receive(_ signal: Signal) -> Fit {
    uncountedBox._withUnsafeGuaranteedRef { $0.receive(signal, &commands) }
  }

  /// Sends a signal to the policy, tells the observers, and then performs the policy's commands.
  private func tell(
    _ signal: Signal, event kind: TransitionEvent.Kind, _ slot: Int32?,
    _ detail: () -> TransitionEvent.Detail
  ) {
    events.prepareForInput()
    let number = events.draw()
    commands.cause = number.value
    _ = receive(signal)
    announce(kind, slot, number, detail())
    performCommands(in: number)
  }
}

// MARK: Commands

extension TransitionDriver {
  /// Performs all commands, as part of the handling of an input.
  @inline(__always)
  private func performCommands(in input: DrawnNumber) {
    if commands.isEmpty || isPerforming || events.isInDelivery { return }
    performPending(in: input)
  }

  @inline(never)
  private func performPending(in input: DrawnNumber) {
    events.within(.handled, of: input) { performPending() }
  }

  @inline(__always)
  private func performPending() {
    isPerforming = true
    // Read once, because each read counts a reference.
    let performer = performer
    while let entry = commands.popFirstEntry() {
      perform(entry, performer)
      forgetEnded(performer)
    }
    isPerforming = false
    // Last, because this may release the target, and with it this driver.
    performer.letGo()
  }

  private func perform(_ entry: CommandQueue.Entry, _ performer: any StagePerformer) {
    switch entry.command {
    case .enter(let request):
      tellState(.entering, request.visit, cause: entry.cause, performer)
    case .exit(let visit): tellState(.exiting, visit, cause: entry.cause, performer)
    case .discard(let visit, let reason):
      guard let slot = slot(of: visit) else { return }
      watch?.end(visit)
      announce(.discarded, slot, events.draw(), cause: entry.cause, .discard(reason))
      close(slot)
    }
  }

  private func tellState(
    _ kind: TransitionEvent.Kind, _ number: VisitNumber, cause: UInt64,
    _ performer: any StagePerformer
  ) {
    guard let slot = slot(of: number) else { return }
    let outer = performedVisit
    performedVisit = number
    var isDone = performer.hold()
    if isDone {
      // Before observers are told: they may report for the state, which ends the watch.
      // A user may take as long as they like for what they see.
      if let watch, kind == .entering || !performer.awaitsUser(slot) || watch.isForced(number) {
        watch.begin(number, kind) { [weak self] in self?.pass($0, $1, $2) }
      }
      isDone =
        events.isObserved
        ? tellObserved(kind, number, slot, cause: cause, performer)
        : carryOut(kind, slot, performer)
    }
    performedVisit = outer
    if !isDone { tearDownQuietly() }
  }

  private func tellObserved(
    _ kind: TransitionEvent.Kind, _ number: VisitNumber, _ slot: Int32, cause: UInt64,
    _ performer: any StagePerformer
  ) -> Bool {
    let drawn = events.draw()
    announcement = .isHeard(number)
    if kind == .exiting, performer.awaitsUser(slot) {
      events.announce(event(kind, slot, drawn, cause: cause, .awaitsUser), drawn)
    } else {
      events.announce(
        kind, drawn, cause: cause, visit: number, state: visits[slot].state,
        instance: visits[slot].instance)
    }
    // An observer may have reported the exit already. This can only be a state that had entered. It
    // is still told to exit.
    let isOver = if case .isOver = announcement { true } else { false }
    if !isOver { announcement = .none }
    // No closure here: it would count references to what it captures.
    let place = drawn.enter(.performed)
    // An observer may have released the controller.
    let isDone = performer.hold() && carryOut(kind, slot, performer)
    place.leave()
    if isOver {
      announcement = .none
      close(slot)
    }
    return isDone
  }

  @inline(__always)
  private func carryOut(
    _ kind: TransitionEvent.Kind, _ slot: Int32, _ performer: any StagePerformer
  ) -> Bool {
    kind == .entering ? performer.enter(handle(slot)) : performer.exit(handle(slot))
  }

  /// The target was released: no state can enter or exit any more.
  private func tearDownQuietly() {
    hasLostTarget = true
    dropOrders()
    let number = events.draw()
    commands.cause = number.value
    _ = receive(.cancelled(.tearDown))
    announce(.cancelled, nil, number, .cancellation(.tearDown))
  }

  /// Drops the commands to states that were not performed yet, and all deadlines.
  private func dropOrders() {
    commands.dropOrdersToStates()
    watch?.endAll()
  }
}

// MARK: Visits

extension TransitionDriver {
  /// Continues from the snapshot of another driver.
  ///
  /// Call it before any request.
  ///
  /// - Returns: the open visits, which can report that they have entered or exited.
  package func goOn(from snapshot: ControllerSnapshot) -> [Visit] {
    lastVisit = snapshot.lastVisit
    let open =
      snapshot.standing.standing.filter { $0.phase != .exited && $0.phase != .empty }.map(\.request)
      + snapshot.standing.waiting
    return open.map { request in
      let instance = snapshot.instances[request.visit] ?? request.visit
      return handle(
        visits.insert(
          OpenVisit(
            visit: request.visit, instance: instance, state: request.state,
            object: StateObjects.none)))
    }
  }

  /// Whether commands are being performed by a caller further up the stack.
  var isAtWork: Bool { isPerforming }

  /// The slot of a visit that has neither exited nor been discarded.
  package func openSlot(of visit: VisitNumber) -> Int32? {
    if case .isOver(visit) = announcement { nil } else { slot(of: visit) }
  }

  package func isOpen(_ visit: VisitNumber) -> Bool { openSlot(of: visit) != nil }

  /// The visit of the `enter` or `exit` that is running; `nil` while an observer runs inside it.
  private var askingVisit: VisitNumber? { events.isInDelivery ? nil : performedVisit }

  private var snapshot: ControllerSnapshot {
    var standing = policy.snapshot
    for place in standing.standing.indices {
      let visit = standing.standing[place].request.visit
      if let slot = slot(of: visit), performer.awaitsUser(slot) {
        standing.standing[place].request.answers |= RouteTable.awaitsUser
      }
    }
    return ControllerSnapshot(
      policy: type(of: policy).name, discipline: type(of: policy).discipline,
      standing: standing,
      instances: Dictionary(
        uniqueKeysWithValues: visits.slots.map { (visits[$0].visit, visits[$0].instance) }),
      lastVisit: lastVisit)
  }

  /// The number that represents a coalescing key.
  func equality(of key: AnyHashable) -> UInt32 { keys.number(of: key) }

  private func handle(_ slot: Int32) -> Visit {
    let record = visits[slot]
    return Visit(
      number: record.visit, slot: slot, instance: record.instance, state: record.state,
      mailbox: mailbox)
  }

  /// A visit has exited.
  private func end(_ visit: Visit) {
    if case .isHeard(visit.number) = announcement {
      announcement = .isOver(visit.number)
    } else {
      close(visit.slot)
    }
  }

  private func close(_ slot: Int32) {
    visits.hide(slot)
    objects.end(visits[slot].object)
    if visits[slot].key & 1 == 1 {
      // Released here, and not while the keys are changed.
      let key = keys.end(visits[slot].key)
      withExtendedLifetime(key) {}
    }
    visits[slot].endedBefore = ended
    ended = slot
    // A state that is being told something may be the one that has ended.
    if !isPerforming { forgetEnded(performer) }
  }

  /// Frees the slots of the visits that have ended.
  @inline(__always)
  private func forgetEnded(_ performer: any StagePerformer) {
    while ended != OpenVisit.none {
      let slot = ended
      ended = visits[slot].endedBefore
      // Before the slot is free, because a state that is released may make a request.
      performer.forget(slot)
      visits.vacate(slot)
    }
  }

  @inline(__always)
  private func slot(of visit: VisitNumber) -> Int32? { visits.slot(of: UInt(visit.rawValue)) }

  private func announce(
    _ kind: TransitionEvent.Kind, _ slot: Int32?, _ number: DrawnNumber, cause: UInt64 = 0,
    _ detail: @autoclosure () -> TransitionEvent.Detail
  ) {
    guard events.isObserved else { return }
    events.announce(event(kind, slot, number, cause: cause, detail()), number)
  }

  private func event(
    _ kind: TransitionEvent.Kind, _ slot: Int32?, _ number: DrawnNumber, cause: UInt64,
    _ detail: TransitionEvent.Detail
  ) -> TransitionEvent {
    let record = slot.map { visits[$0] }
    return TransitionEvent(
      number: number.value, inside: events.place, cause: cause, time: events.now, kind: kind,
      visit: record?.visit, state: record?.state, instance: record?.instance, detail: detail)
  }
}
