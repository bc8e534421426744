/// Reports the events of your own controller class, so that it can be recorded and replayed.
///
/// Call the probe where your class is told something, and where it tells a state something. Each
/// closure brackets the work, so that events that happen inside are recorded as caused by it.
///
/// ```swift
/// func transit(to state: State) {
///   probe.requested(state) { … }
/// }
///
/// private func show(_ state: State) {
///   probe.telling(.enter, state) { state.enter(on: view) }
/// }
///
/// func didExit(_ state: State) {
///   probe.completed(.exited, state) { … }
/// }
/// ```
///
/// If your class can report less, pass a ``Fidelity``: `ordered` without brackets, `threeKind` with
/// requests and completions only.
public final class ControllerProbe: Recordable {
  /// The source of the probe's events.
  ///
  /// Add observers here.
  public let events = EventSource()

  private let kind: StateName
  private let discipline: Discipline
  private let fidelity: Fidelity
  private let time: () -> UInt64
  // Unchecked: all of these are used in one isolation, and no access lasts while other code runs.
  @exclusivity(unchecked) private var visits = ProbedVisits()
  @exclusivity(unchecked) private var performed: [VisitNumber] = []
  @exclusivity(unchecked) private var lastStep: UInt32 = 0
  /// The payloads of messages, by their events, until observers were told of them.
  @exclusivity(unchecked) private var messages: [UInt64: StatePayload] = [:]
  /// The replay that runs this controller, if there is one.
  @exclusivity(unchecked) package var follower: (any ProbeFollower)?

  /// Creates a probe for a controller class.
  ///
  /// - Parameters:
  ///   - kind: the name that a replay uses to find the class.
  ///   - discipline: the order in which states enter, and whether several are shown at once. The
  ///     ordering rules check this.
  ///   - fidelity: which events the class reports.
  public convenience init(
    _ kind: StateName, discipline: Discipline = .inOrder, fidelity: Fidelity = .full
  ) {
    self.init(kind, discipline: discipline, fidelity: fidelity) { EventSource.clock }
  }

  /// Creates a probe for a controller class that runs on another clock, such as the clock of a test.
  ///
  /// The times of events begin at the current time and advance with that clock.
  ///
  /// - Parameters:
  ///   - kind: the name that a replay uses to find the class.
  ///   - discipline: the order in which states enter, and whether several are shown at once.
  ///   - fidelity: which events the class reports.
  ///   - elapsed: returns the time on the clock, such as `{ clock.now }` with a ``ManualClock``.
  public convenience init(
    _ kind: StateName, discipline: Discipline = .inOrder, fidelity: Fidelity = .full,
    elapsed: @escaping () -> Duration
  ) {
    self.init(
      kind, discipline: discipline, fidelity: fidelity, time: EventSource.time(after: elapsed))
  }

  /// Creates a probe with a function for the times of events.
  package init(
    _ kind: StateName, discipline: Discipline = .inOrder, fidelity: Fidelity,
    time: @escaping () -> UInt64
  ) {
    self.kind = kind
    self.discipline = discipline
    self.fidelity = fidelity
    self.time = time
    events.takeSnapshot = { [unowned self] in snapshot }
    events.findPayload = { [unowned self] in visits.payload(of: $0) }
    events.findMessage = { [unowned self] in messages[$0] }
  }

  deinit {
    events.outliveController(
      keeping: ControllerSnapshot(policy: kind, discipline: discipline, fidelity: fidelity))
  }

  private var snapshot: ControllerSnapshot {
    ControllerSnapshot(
      policy: kind, discipline: discipline, fidelity: fidelity, standing: visits.standing,
      instances: visits.instances, lastVisit: visits.lastVisit)
  }

  /// Continues the numbering of visits after a number.
  package func goOn(after visit: UInt32) {
    visits.goOn(after: visit)
  }
}

// MARK: What the controller is told

extension ControllerProbe {
  /// Reports a request for a state.
  ///
  /// The body handles it, and gets the number of the request's visit.
  ///
  /// - Parameters:
  ///   - state: the requested state.
  ///   - name: the name of the state; by default the name of its type.
  ///   - origin: the state that makes the request. Inside `telling` you can omit it.
  ///   - asked: the contextual destination that was requested, such as `previous`, if there is one.
  ///   - priority: the urgency; larger is more urgent.
  ///   - payload: what is recorded of the state with its name.
  ///   - file: the file of the call site, with `line`. To record the place that calls your
  ///     controller, give your method the parameters `file: StaticString = #fileID, line: UInt =
  ///     #line` and pass them on. A search for other orders keeps the order of requests from one
  ///     call site.
  ///   - line: the line of the call site.
  ///   - body: handles the request.
  /// - Returns: the number of the request's visit.
  @discardableResult
  public func requested(
    _ state: AnyObject, named name: StateName? = nil, by origin: AnyObject? = nil,
    asked: StateName? = nil, priority: Int32 = 0, payload: StatePayload? = nil,
    file: StaticString? = nil, line: UInt? = nil,
    _ body: (VisitNumber) -> Void
  ) -> VisitNumber {
    let visit = visits.add(
      state, named: name ?? follower?.requestedName ?? StateName(of: type(of: state)),
      priority: priority, payload: payload)
    let request = Request(
      visit: visit.number, state: visit.state, priority: priority,
      equality: visit.instance.rawValue << 1)
    let asking = origin.flatMap { visits.current(of: $0)?.number } ?? performed.last
    announce(
      .enqueued, visit, about: state,
      .request(
        RequestDetail(
          request: request, asked: asked, origin: asking,
          site: file.map { RequestSite(file: $0, line: line ?? 0) },
          hasPayload: payload != nil))
    ) { body(visit.number) }
    return visit.number
  }

  /// Reports a request for a state.
  ///
  /// The body handles it.
  ///
  /// The parameters are those of the form that passes the visit's number to the body.
  @discardableResult
  public func requested(
    _ state: AnyObject, named name: StateName? = nil, by origin: AnyObject? = nil,
    asked: StateName? = nil, priority: Int32 = 0, payload: StatePayload? = nil,
    file: StaticString? = nil, line: UInt? = nil,
    _ body: () -> Void = {}
  ) -> VisitNumber {
    requested(
      state, named: name, by: origin, asked: asked, priority: priority, payload: payload,
      file: file,
      line: line
    ) { (_: VisitNumber) in body() }
  }

  /// Reports that a state has entered or exited.
  ///
  /// The body handles it.
  ///
  /// An unexpected completion, such as a second exit, is recorded as `stray`.
  public func completed(_ completion: Completion, _ state: AnyObject, _ body: () -> Void = {}) {
    let (visit, fit) = visits.complete(completion, state, isThreeKind: fidelity == .threeKind)
    if fit == .stray {
      announce(.stray, visit, about: state, .completion(completion), body)
    } else {
      announce(
        completion == .entered ? .entered : .exited, visit, about: state, .none, body)
    }
  }

  /// Reports a message, such as a tap, a response or a timer.
  ///
  /// The body handles it.
  ///
  /// The name of the enumeration's case is recorded, or the name of the type. The values are
  /// recorded only for a ``RecordedMessage``.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - origin: the message that this one answers; by default the message that the current task
  ///     was started in.
  ///   - body: handles the message.
  /// - Returns: the result of the body.
  @discardableResult @_disfavoredOverload
  public func received<Message, Result>(
    _ message: Message, answering origin: MessageOrigin? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    guard events.isObserved else { return try body() }
    return try receive(StateName(ofCase: message), StatePayload(of: message), origin, body)
  }

  /// Reports a message that has only a name.
  ///
  /// The body handles it.
  ///
  /// - Parameters:
  ///   - name: the name, from a limited set.
  ///   - origin: the message that this one answers; by default the message that the current task
  ///     was started in.
  ///   - body: handles the message.
  /// - Returns: the result of the body.
  @discardableResult
  public func received<Result>(
    _ name: StaticString, answering origin: MessageOrigin? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    guard events.isObserved else { return try body() }
    return try receive(StateName(stringLiteral: name), nil, origin, body)
  }

  private func receive<Result>(
    _ name: StateName, _ payload: StatePayload?, _ origin: MessageOrigin?,
    _ body: () throws -> Result
  ) rethrows -> Result {
    // Outside a delivery, observers have been told of all earlier messages.
    if !messages.isEmpty, !events.isInDelivery { messages = [:] }
    let number = events.draw()
    let cause = (origin ?? .current)?.number(beside: number) ?? 0
    let isRecorded =
      payload == nil && follower == nil
      && events.record(
        .received, number, cause: cause, at: time(), visit: VisitNumber(0), state: name,
        instance: VisitNumber(0))
    return try MessageOrigin.$current.withValue(MessageOrigin(number)) {
      if isRecorded { return try events.within(.handled, of: number, body) }
      if let payload { messages[number.value] = payload }
      let event = TransitionEvent(
        number: number.value, inside: events.place, cause: cause, time: time(), kind: .received,
        state: name, detail: .message(hasPayload: payload != nil))
      return try bracket(event, number, .handled, body)
    }
  }

  /// Reports a cancellation of one visit, of all visits or of the controller.
  ///
  /// The body handles it.
  public func cancelled(_ cancellation: Cancellation, _ body: () -> Void = {}) {
    var visit: ProbedVisits.Visit?
    if case .visit(let number) = cancellation { visit = visits.visit(number) }
    announce(.cancelled, visit, about: nil, .cancellation(cancellation), body)
  }

  /// Reports that a state's visit is cancelled.
  ///
  /// The body handles it.
  ///
  /// This is the visit that is shown or, if none is shown, the next pending one.
  ///
  /// ```swift
  /// func cancel(_ state: State) {
  ///   probe.cancelled(state) {
  ///     waiting.removeAll { $0 === state }
  ///     probe.discarded(state, .cancelled)
  ///   }
  /// }
  /// ```
  public func cancelled(_ state: AnyObject, _ body: () -> Void = {}) {
    // A state that was never requested has no visit to cancel.
    guard let visit = visits.current(of: state) else { return body() }
    announce(.cancelled, visit, about: state, .cancellation(.visit(visit.number)), body)
  }

  /// Reports that a state exceeded its time limit.
  ///
  /// The body handles it.
  ///
  /// Report it in a deferred step:
  ///
  /// ```swift
  /// let step = probe.deferred { [self] in
  ///   guard state === current, isEntering else { return }
  ///   probe.missed(.entered, state, recovery: .skip) { … }
  /// }
  /// timer.schedule(after: .seconds(2), step)
  /// ```
  ///
  /// - Parameters:
  ///   - awaited: the completion that is late.
  ///   - state: the state.
  ///   - recovery: what the controller does: continue to wait, continue as if the state had
  ///     completed, or discard the visit.
  ///   - body: handles the deadline.
  public func missed(
    _ awaited: Completion, _ state: AnyObject, recovery: DeadlineRecovery, _ body: () -> Void = {}
  ) {
    announce(
      .deadline, visits.current(of: state), about: state, .deadline(awaited, recovery), body)
  }

  /// Reports a step that runs later, for example on the main queue.
  ///
  /// Call it where you defer the step, and run the returned closure instead of the step. In a class
  /// on the main actor:
  ///
  /// ```swift
  /// let step = probe.deferred { … }
  /// DispatchQueue.main.async { step() }
  /// ```
  public func deferred(_ body: @escaping () -> Void) -> () -> Void {
    let cause = events.current
    if lastStep < .max { lastStep += 1 }
    let step = lastStep
    follower?.deferred(step)
    return { [self] in
      let number = events.draw()
      let event = TransitionEvent(
        number: number.value, inside: events.place,
        cause: cause.isDrawn(with: number) ? cause.value : 0, time: time(), kind: .resumed,
        detail: .step(step))
      handle(event, number, about: nil, body)
    }
  }
}

// MARK: What the controller decides

extension ControllerProbe {
  /// An order to a state.
  public enum Order: Sendable {
    /// Enter.
    case enter
    /// Exit.
    case exit
  }

  /// Reports that the controller tells a state to enter or to exit.
  ///
  /// The body tells the state.
  public func telling(_ order: Order, _ state: AnyObject, _ body: () -> Void) {
    telling(order, state, because: 0, body)
  }

  /// The same, with the number of the event that it was decided for.
  package func telling(
    _ order: Order, _ state: AnyObject, because cause: UInt64, _ body: () -> Void
  ) {
    let visit = visits.tell(order, state)
    let number = events.draw()
    let event = event(
      order == .enter ? .entering : .exiting, visit, number, cause: cause, .none)
    let isWanted = announce(event, number, about: state)
    performed.append(visit.number)
    events.within(.performed, of: number) { follow(event, isWanted, body) }
    performed.removeLast()
  }

  /// Reports that the controller will not show a state, or no longer waits for its completion.
  public func discarded(_ state: AnyObject, _ reason: DiscardReason) {
    discarded(state, reason, because: 0)
  }

  /// The same, with the number of the event that it was decided for.
  package func discarded(_ state: AnyObject, _ reason: DiscardReason, because cause: UInt64) {
    guard let visit = visits.discard(state) else { return }
    announce(.discarded, visit, about: state, cause: cause, .discard(reason)) {}
  }

  /// Reports that the controller calls other code, such as its delegate.
  ///
  /// The body makes the call.
  ///
  /// Put only the call into the body. A request that happens inside is then recorded as made by the
  /// delegate, not by the controller.
  ///
  /// ```swift
  /// let isWanted = probe.calling("shouldShow") { delegate.shouldShow(state) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the call, from a limited set.
  ///   - body: makes the call.
  /// - Returns: the result of the body.
  public func calling<Result>(
    _ name: StateName, _ body: () throws -> Result
  ) rethrows -> Result {
    let number = events.draw()
    let event = TransitionEvent(
      number: number.value, inside: events.place, time: time(), kind: .calling, state: name)
    return try bracket(event, number, .called, body)
  }

  /// Reports that a track's value changed.
  func moved(
    _ visit: VisitNumber, _ state: StateName, _ instance: VisitNumber? = nil,
    _ change: StackChange? = nil
  ) {
    let number = events.draw()
    if change == nil, follower == nil,
      events.record(
        .moved, number, at: time(), visit: visit, state: state,
        instance: instance ?? VisitNumber(0))
    {
      return
    }
    let event = TransitionEvent(
      number: number.value, inside: events.place, time: time(), kind: .moved, visit: visit,
      state: state, instance: instance, detail: change.map { .change($0) } ?? .none)
    _ = announce(event, number, about: nil)
    follower?.finished(event)
  }
}

extension ControllerProbe {
  private func announce(
    _ kind: TransitionEvent.Kind, _ visit: ProbedVisits.Visit?, about object: AnyObject?,
    cause: UInt64 = 0, _ detail: TransitionEvent.Detail, _ body: () -> Void
  ) {
    let number = events.draw()
    handle(event(kind, visit, number, cause: cause, detail), number, about: object, body)
  }

  /// Tells observers of an input, and runs its handling as a part of it.
  private func handle(
    _ event: TransitionEvent, _ number: DrawnNumber, about object: AnyObject?, _ body: () -> Void
  ) {
    let isWanted = announce(event, number, about: object)
    events.within(.handled, of: number) { follow(event, isWanted, body) }
  }

  /// - Returns: whether the body of the event should run.
  private func announce(
    _ event: TransitionEvent, _ number: DrawnNumber, about object: AnyObject?
  ) -> Bool {
    let isWanted = follower?.made(event, about: object) ?? true
    events.announce(event, number)
    return isWanted
  }

  /// Tells observers of a call, and always makes it, because its result is needed.
  private func bracket<Result>(
    _ event: TransitionEvent, _ number: DrawnNumber, _ part: EventPlace.Part,
    _ body: () throws -> Result
  ) rethrows -> Result {
    _ = announce(event, number, about: nil)
    return try events.within(part, of: number) {
      defer { follower?.finished(event) }
      return try body()
    }
  }

  private func follow(_ event: TransitionEvent, _ isWanted: Bool, _ body: () -> Void) {
    if isWanted { body() }
    follower?.finished(event)
  }

  private func event(
    _ kind: TransitionEvent.Kind, _ visit: ProbedVisits.Visit?, _ number: DrawnNumber,
    cause: UInt64, _ detail: TransitionEvent.Detail
  ) -> TransitionEvent {
    TransitionEvent(
      number: number.value, inside: events.place, cause: cause, time: time(), kind: kind,
      visit: visit?.number, state: visit?.state, instance: visit?.instance, detail: detail)
  }
}
