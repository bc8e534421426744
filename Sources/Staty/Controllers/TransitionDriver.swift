/// Carries out what a policy decides: tells it what happens, performs its commands in order,
/// and tells observers about both.
///
/// It knows no states, only visits; what it tells to enter and exit is behind ``StagePerformer``.
/// The live controllers stand on it, and a replay drives it with scripted states.
///
/// Order: the policy is told of a request or completion at once, wherever it is made. Its
/// commands are performed after it has returned, one after the other, never inside another
/// command nor while an event is on its way to observers.
package final class TransitionDriver {
  private let policyBox: PolicyBox
  /// The same, without counting a reference for each signal; the box is kept as long as this.
  private let uncountedBox: Unmanaged<PolicyBox>
  package let events: EventSource
  let mailbox: Mailbox

  // Unchecked: all of these are used in one isolation, and each access ends before anybody
  // else's code runs; a policy, which is handed `commands`, is a value that calls nobody.
  @exclusivity(unchecked) private var commands = CommandQueue()
  @exclusivity(unchecked) private var visits = VisitTable()
  @exclusivity(unchecked) private var lastVisit: UInt32 = 0
  @exclusivity(unchecked) private var isPerforming = false
  @exclusivity(unchecked) private var performedVisit: VisitNumber?
  @exclusivity(unchecked) private var announcement = Announcement.none
  private let watch: DeadlineWatch?
  private var keys = CoalescingKeys()
  /// Letters that were collected and not yet carried out.
  @exclusivity(unchecked) private var inbox: [Mailbox.Letter] = []
  private let performer: any StagePerformer

  /// An order that observers hear of before its state does.
  private enum Announcement {
    case none
    case isHeard(VisitNumber)
    /// Observers said meanwhile that the state has left: it keeps its slot for the order.
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
      leaving: ControllerSnapshot(policy: policy.name, discipline: policy.discipline))
  }

  package var policy: any TransitionPolicy { policyBox.policy }
}

/// What carries out a driver's commands on the real thing.
///
/// The driver keeps it alive, so it must not keep the driver.
package protocol StagePerformer: AnyObject {
  /// Takes hold of what states are shown on, unless that was done since the last `letGo`; `false`
  /// if it has gone.
  func hold() -> Bool
  /// Lets go of it: what was to be done is done.
  func letGo()
  /// Tells the state in this slot to come in; `false` if there is nothing to come in on.
  func enter(_ visit: Visit) -> Bool
  /// Tells the state in this slot to leave; `false` if there is nothing to leave.
  func exit(_ visit: Visit) -> Bool
  /// The visit in this slot is over; whatever is kept for it can go.
  func forget(_ slot: Int32)
}

// MARK: Signals

extension TransitionDriver {
  /// How a request is made.
  package struct Asking {
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

    package init(state: StateName, site: RequestSite) {
      self.state = state
      self.site = site
    }
  }

  /// The number of the visit that the next request becomes.
  package var nextVisit: VisitNumber { VisitNumber(lastVisit + 1) }

  /// Makes a request.
  ///
  /// `keep` gets the visit's slot before anything happens. Collect the mail before: what it sets
  /// off may make requests of its own.
  package func request(_ asking: Asking, keep: (Int32) -> Void) -> VisitNumber {
    let number = nextVisit
    lastVisit += 1
    let instance = asking.instance ?? number
    let slot = visits.insert(.init(visit: number, instance: instance, state: asking.state))
    keep(slot)
    let request = Request(
      visit: number, state: asking.state, priority: asking.priority,
      equality: asking.equality ?? CoalescingKeys.number(ofFirst: instance),
      answers: asking.answers, objection: asking.objection)
    tell(.requested(request), event: .enqueued, slot) {
      .request(
        RequestDetail(
          request: request, asked: asking.asked, origin: asking.origin ?? askingVisit,
          site: asking.site, hasPayload: asking.hasPayload))
    }
    return number
  }

  /// Takes in what a state says.
  func complete(_ completion: Completion, _ visit: Visit) {
    let number = events.draw()
    commands.cause = number.value
    let signal: Signal = completion == .entered ? .entered(visit.number) : .exited(visit.number)
    let fit = receive(signal)
    if fit == .fits { watch?.end(visit.number) }
    if events.isObserved {
      events.announce(
        TransitionEvent(
          number: number.value, inside: events.place, time: events.now,
          kind: fit == .stray ? .stray : completion == .entered ? .entered : .exited,
          visit: visit.number, state: visit.state, instance: visit.instance,
          detail: fit == .stray ? .completion(completion) : .none),
        number)
    }
    // A policy that believes a second exit must not cost another visit its slot.
    if fit == .fits, completion == .exited, visits.slot(of: visit.number) == visit.slot {
      end(visit)
    }
    performCommands(in: number)
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

  /// What states are shown on is there: those that waited for it can come in.
  package func resume() {
    tell(.resumed, event: .resumed, nil) { .none }
  }

  /// Carries out what other isolations have left in the mailbox.
  package func collectMail() {
    if !mailbox.hasMail, inbox.isEmpty { return }
    // One inbox for all calls: a letter's handling may collect again, and must not let newer ones
    // pass those that were taken out before.
    inbox += mailbox.takeLetters()
    while !inbox.isEmpty {
      let letter = inbox.removeFirst()
      complete(letter.completion, letter.visit.local)
    }
  }

  /// A visit took longer than it was given.
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

  /// Tells the policy, then the observers, and then does what the policy decided.
  private func tell(
    _ signal: Signal, event kind: TransitionEvent.Kind, _ slot: Int32?,
    _ detail: () -> TransitionEvent.Detail
  ) {
    let number = events.draw()
    commands.cause = number.value
    _ = receive(signal)
    announce(kind, slot, number, detail())
    performCommands(in: number)
  }
}

// MARK: Commands

extension TransitionDriver {
  /// Performs all commands, in the handling of an input.
  private func performCommands(in input: DrawnNumber) {
    if commands.isEmpty || isPerforming || events.isInDelivery { return }
    events.within(.handled, of: input) { performCommands() }
  }

  @inline(__always)
  private func performCommands() {
    isPerforming = true
    // Taken once: each look at it would count a reference.
    let performer = performer
    while let entry = commands.popFirstEntry() { perform(entry, performer) }
    isPerforming = false
    // Last, because it may be the end of the target, and with it of this driver.
    performer.letGo()
  }

  private func perform(_ entry: CommandQueue.Entry, _ performer: any StagePerformer) {
    switch entry.command {
    case .enter(let request):
      tellState(.entering, request.visit, cause: entry.cause, performer)
    case .exit(let visit): tellState(.exiting, visit, cause: entry.cause, performer)
    case .discard(let visit, let reason):
      guard let slot = visits.slot(of: visit) else { return }
      watch?.end(visit)
      announce(.discarded, slot, events.draw(), cause: entry.cause, .discard(reason))
      close(slot)
    }
  }

  private func tellState(
    _ kind: TransitionEvent.Kind, _ number: VisitNumber, cause: UInt64,
    _ performer: any StagePerformer
  ) {
    guard let slot = visits.slot(of: number) else { return }
    let outer = performedVisit
    performedVisit = number
    var isDone = performer.hold()
    if isDone {
      // Before observers hear of it: what they say for the state ends the watch.
      watch?.begin(number, kind) { [weak self] in self?.pass($0, $1, $2) }
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
    events.announce(event(kind, slot, drawn, cause: cause, .none), drawn)
    // Nobody can say of a state that it has left before it was told to come in: it was in, and is
    // told to leave all the same.
    let isOver = if case .isOver = announcement { true } else { false }
    if !isOver { announcement = .none }
    // Entered and left, and no closure between: that would count references to what it catches.
    let place = drawn.enter(.performed)
    let isDone = carryOut(kind, slot, performer)
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

  /// What states were shown on has gone: nothing can enter or leave any more.
  private func tearDownQuietly() {
    dropOrders()
    let number = events.draw()
    commands.cause = number.value
    _ = receive(.cancelled(.tearDown))
    announce(.cancelled, nil, number, .cancellation(.tearDown))
  }

  /// Nobody is told anything any more: what was decided and not yet done, and what was timed.
  private func dropOrders() {
    commands.dropOrdersToStates()
    watch?.endAll()
  }
}

// MARK: Visits

extension TransitionDriver {
  /// Goes on where another driver with this snapshot stood; before anything is asked.
  ///
  /// - Returns: the visits that are open, each ready to say that it is in or out.
  package func goOn(from snapshot: ControllerSnapshot) -> [Visit] {
    lastVisit = snapshot.lastVisit
    let open =
      snapshot.standing.standing.filter { $0.phase != .left && $0.phase != .empty }.map(\.request)
      + snapshot.standing.waiting
    return open.map { request in
      let instance = snapshot.instances[request.visit] ?? request.visit
      return handle(
        visits.insert(.init(visit: request.visit, instance: instance, state: request.state)))
    }
  }

  /// Whether commands are being performed, further up on the stack.
  var isAtWork: Bool { isPerforming }

  /// The slot of a visit that has neither left nor been discarded.
  package func openSlot(of visit: VisitNumber) -> Int32? {
    if case .isOver(visit) = announcement { nil } else { visits.slot(of: visit) }
  }

  package func isOpen(_ visit: VisitNumber) -> Bool { openSlot(of: visit) != nil }

  /// The visit whose `enter` or `exit` is running, unless an observer's code runs inside it.
  private var askingVisit: VisitNumber? { events.isInDelivery ? nil : performedVisit }

  private var snapshot: ControllerSnapshot {
    ControllerSnapshot(
      policy: type(of: policy).name, discipline: type(of: policy).discipline,
      standing: policy.snapshot,
      instances: Dictionary(
        uniqueKeysWithValues: visits.visits.map { ($0.visit, $0.instance) }),
      lastVisit: lastVisit)
  }

  /// The number that stands for a coalescing key.
  func equality(of key: AnyHashable) -> UInt32 { keys.number(of: key) }

  private func handle(_ slot: Int32) -> Visit {
    let record = visits[slot]
    return Visit(
      number: record.visit, slot: slot, instance: record.instance, state: record.state,
      mailbox: mailbox)
  }

  /// A visit has left.
  private func end(_ visit: Visit) {
    if case .isHeard(visit.number) = announcement {
      announcement = .isOver(visit.number)
    } else {
      close(visit.slot)
    }
  }

  private func close(_ slot: Int32) {
    performer.forget(slot)
    visits.remove(slot)
  }

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
