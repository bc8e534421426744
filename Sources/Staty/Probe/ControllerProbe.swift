import CStaty

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
///
/// You can call a probe from several threads: what it keeps of its events is changed by one of them
/// at a time. It protects nothing of your class, and no call waits while a closure runs. If two
/// threads are in your class at once, a replay cannot always tell what it did for which of them;
/// calls inside the class's own lock are replayed exactly.
public final class ControllerProbe: Recordable {
  /// The source of the probe's events.
  ///
  /// Add observers here.
  public let events: EventSource

  private let kind: StateName
  private let discipline: Discipline
  private let fidelity: Fidelity
  private let time: () -> UInt64
  // Unchecked: all of these are used while no other thread uses the source of the events, and no
  // access lasts while other code runs.
  @exclusivity(unchecked) private var visits: ProbedVisits
  /// The visits that are told something now, and by which thread.
  @exclusivity(unchecked) private var performed: [(visit: VisitNumber, thread: UInt)] = []
  @exclusivity(unchecked) private var lastStep: UInt32 = 0
  /// Whether a replayed controller has asked other code for something.
  @exclusivity(unchecked) package private(set) var hasAsked = false
  /// How many messages have a body that has not ended.
  @exclusivity(unchecked) private var flows = 0
  /// Whether it has been told a message: a task that this began may change something.
  @exclusivity(unchecked) private var hasReceived = false
  /// Whether a message's body goes on later.
  var isHandling: Bool { flows > 0 }
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
  ///
  /// - Parameter isShared: whether several threads use the probe.
  package init(
    _ kind: StateName, discipline: Discipline = .inOrder, fidelity: Fidelity,
    isShared: Bool = true, time: @escaping () -> UInt64
  ) {
    events = EventSource(isShared: isShared)
    self.kind = kind
    self.discipline = discipline
    visits = ProbedVisits(discipline)
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
    events.exclusively { visits.goOn(after: visit) }
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
  ///   - awaitsUser: whether it exits only when the user closes it, as an alert does: what waits behind it may wait
  ///     for any time.
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
    awaitsUser: Bool = false, file: StaticString? = nil, line: UInt? = nil,
    _ body: (VisitNumber) -> Void
  ) -> VisitNumber {
    let name = name ?? follower?.requestedName ?? StateName(of: type(of: state))
    let made = announce(about: state) { number in
      let visit = visits.add(
        state, named: name, priority: priority, payload: payload,
        answers: awaitsUser ? RouteTable.awaitsUser : 0)
      let request = Request(
        visit: visit.number, state: visit.state, priority: priority,
        equality: visit.instance.rawValue << 1, answers: visit.answers)
      return event(
        .enqueued, visit, number,
        .request(
          RequestDetail(
            request: request, asked: asked,
            origin: origin.flatMap { visits.current(of: $0)?.number } ?? performedVisit,
            site: file.map { RequestSite(file: $0, line: line ?? 0) },
            hasPayload: payload != nil)))
    }
    let visit = made.event.visit!
    follow(made, .handled) { body(visit) }
    return visit
  }

  /// The visit that the calling thread is telling something.
  private var performedVisit: VisitNumber? {
    let thread = staty_thread_number()
    return performed.last { $0.thread == thread }?.visit
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
    awaitsUser: Bool = false, file: StaticString? = nil, line: UInt? = nil,
    _ body: () -> Void = {}
  ) -> VisitNumber {
    requested(
      state, named: name, by: origin, asked: asked, priority: priority, payload: payload,
      awaitsUser: awaitsUser, file: file, line: line
    ) { (_: VisitNumber) in body() }
  }

  /// Reports that a state has entered or exited.
  ///
  /// The body handles it.
  ///
  /// An unexpected completion, such as a second exit, is recorded as `stray`.
  ///
  /// - Parameters:
  ///   - completion: what the state reports.
  ///   - state: the state.
  ///   - finished: whether it was done to the end, if your class is told, as by the completion of an
  ///     animation. A search for other orders then also tries what it does if it was not.
  ///   - body: handles it.
  public func completed(
    _ completion: Completion, _ state: AnyObject, finished: Bool? = nil, _ body: () -> Void = {}
  ) {
    let made = announce(about: state) { number in
      let (visit, fit) = visits.complete(completion, state, isThreeKind: fidelity == .threeKind)
      return if fit == .stray {
        event(.stray, visit, number, .completion(completion, finished: finished))
      } else {
        event(
          completion == .entered ? .entered : .exited, visit, number,
          finished.map { .finished($0) } ?? .none)
      }
    }
    follow(made, .handled, body)
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
    return try receive(StateName(ofCase: message), StatePayload(of: message), origin, nil, body)
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
    return try receive(StateName(stringLiteral: name), nil, origin, nil, body)
  }

  /// - Parameter part: the part of the model that the message is about, if it is not the whole.
  func receive<Result>(
    _ name: StateName, _ payload: StatePayload?, _ origin: MessageOrigin?, _ part: StateName?,
    _ body: () throws -> Result
  ) rethrows -> Result {
    let quickly: DrawnNumber? = events.exclusively {
      hasReceived = true
      // Outside a delivery, observers have been told of all earlier messages.
      if !messages.isEmpty, !events.isInDelivery { messages = [:] }
      guard payload == nil, part == nil, follower == nil, events.isRecordedOnly else {
        return nil
      }
      let number = events.draw()
      _ = events.record(
        .received, number, cause: cause(origin, beside: number), at: time(),
        visit: VisitNumber(0), state: name, instance: VisitNumber(0))
      return number
    }
    if let number = quickly {
      return try MessageOrigin.$current.withValue(MessageOrigin(number)) {
        try events.within(.handled, of: number, body)
      }
    }
    let made = announce(about: nil) { number in
      if let payload { messages[number.value] = payload }
      return TransitionEvent(
        number: number.value, inside: events.place, cause: cause(origin, beside: number),
        time: time(), kind: .received, state: name,
        detail: .message(hasPayload: payload != nil, part: part))
    }
    return try MessageOrigin.$current.withValue(MessageOrigin(made.number)) {
      try bracket(made, .handled, body)
    }
  }

  /// Reports a message whose body goes on later.
  ///
  /// - Returns: the message, as the origin of what the body causes.
  func began(
    _ name: StateName, _ payload: StatePayload?, _ origin: MessageOrigin?, _ part: StateName?
  ) -> MessageOrigin? {
    flows += 1
    return receive(name, payload, origin, part) { .current }
  }

  /// The body of a message has ended.
  func ended() { flows -= 1 }

  private func cause(_ origin: MessageOrigin?, beside number: DrawnNumber) -> UInt64 {
    (origin ?? .current)?.number(beside: number) ?? 0
  }

  /// Reports a cancellation of one visit, of all visits or of the controller.
  ///
  /// The body handles it.
  public func cancelled(_ cancellation: Cancellation, _ body: () -> Void = {}) {
    let made = announce(about: nil) { number in
      var visit: ProbedVisits.Visit?
      if case .visit(let number) = cancellation { visit = visits.visit(number) }
      return event(.cancelled, visit, number, .cancellation(cancellation))
    }
    follow(made, .handled, body)
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
  ///     guard let place = waiting.firstIndex(where: { $0 === state }) else { return }
  ///     waiting.remove(at: place)
  ///     probe.discarded(state, .cancelled)
  ///   }
  /// }
  /// ```
  public func cancelled(_ state: AnyObject, _ body: () -> Void = {}) {
    // A state that was never requested has no visit to cancel.
    guard let visit = events.exclusively({ visits.current(of: state) }) else { return body() }
    let made = announce(about: state) {
      event(.cancelled, visit, $0, .cancellation(.visit(visit.number)))
    }
    follow(made, .handled, body)
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
    let made = announce(about: state) {
      event(.deadline, visits.current(of: state), $0, .deadline(awaited, recovery))
    }
    follow(made, .handled, body)
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
    let (cause, step) = events.exclusively {
      if lastStep < .max { lastStep += 1 }
      return (events.current, lastStep)
    }
    follower?.deferred(step)
    return { [self] in
      let made = announce(about: nil) { number in
        TransitionEvent(
          number: number.value, inside: events.place,
          cause: cause.isDrawn(with: number) ? cause.value : 0, time: time(), kind: .resumed,
          detail: .step(step))
      }
      follow(made, .handled, body)
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
    let thread = staty_thread_number()
    let made = announce(about: state) { number in
      let visit = visits.tell(order, state)
      performed.append((visit.number, thread))
      return event(order == .enter ? .entering : .exiting, visit, number, cause: cause, .none)
    }
    follow(made, .performed, body)
    events.exclusively { _ = performed.remove(at: performed.lastIndex { $0.thread == thread }!) }
  }

  /// Reports that the controller will not show a state, or no longer waits for its completion.
  ///
  /// Report each request of it. If the same object was requested several times, `timedOut` means the one
  /// that was told to enter, `replaced` and `cancelled` the oldest pending one, and the other reasons the
  /// newest.
  public func discarded(_ state: AnyObject, _ reason: DiscardReason) {
    discarded(state, reason, because: 0)
  }

  /// The same, with the number of the event that it was decided for.
  package func discarded(_ state: AnyObject, _ reason: DiscardReason, because cause: UInt64) {
    let made: Made? = events.exclusively {
      guard let visit = visits.discard(state, reason) else { return nil }
      return make(about: state) { event(.discarded, visit, $0, cause: cause, .discard(reason)) }
    }
    guard let made else { return }
    deliver(made)
    follow(made, .handled) {}
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
    let made = announce(about: nil) { number in
      if follower != nil, Result.self != Void.self { hasAsked = true }
      return TransitionEvent(
        number: number.value, inside: events.place, time: time(), kind: .calling, state: name)
    }
    return try bracket(made, .called, body)
  }

  /// Reports that a track's value changed.
  func moved(
    _ visit: VisitNumber, _ state: StateName, _ instance: VisitNumber? = nil,
    _ change: StackChange? = nil, fingerprint: UInt32 = Fingerprint.none
  ) {
    let isRecorded = events.exclusively {
      guard change == nil, follower == nil, events.isRecordedOnly else { return false }
      let number = events.draw()
      return events.record(
        .moved, number, cause: causeOfMove(number), at: time(), visit: visit,
        state: state, instance: instance ?? VisitNumber(0), fingerprint: fingerprint)
    }
    if isRecorded { return }
    let detail: TransitionEvent.Detail =
      fingerprint == Fingerprint.none ? .none : .showing(fingerprint)
    let made = announce(about: nil) { number in
      TransitionEvent(
        number: number.value, inside: events.place, cause: causeOfMove(number), time: time(),
        kind: .moved, visit: visit, state: state, instance: instance,
        detail: change.map { .change($0) } ?? detail)
    }
    follower?.finished(made.event)
  }

  /// Reports that a message was sent to a track, which receives it later.
  ///
  /// A replay sends nothing: it is told what was received.
  func sent(_ name: StateName) {
    guard follower == nil else { return }
    _ = announce(about: nil) { number in
      TransitionEvent(
        number: number.value, inside: events.place, cause: cause(nil, beside: number), time: time(),
        kind: .sent, state: name)
    }
  }

  /// The message in whose asynchronous body or task a change happens; 0 in the handling itself.
  private func causeOfMove(_ number: DrawnNumber) -> UInt64 {
    // To look up the task's message costs as much as half a move.
    guard flows > 0 || hasReceived && events.place == .root else { return 0 }
    let origin = cause(nil, beside: number)
    return origin == events.place.event ? 0 : origin
  }
}

// MARK: An event, from its making to the end of its body

extension ControllerProbe {
  /// An event that was made.
  private struct Made {
    let event: TransitionEvent
    let number: DrawnNumber
    /// Whether the body of the event should run.
    let isWanted: Bool
    /// If observers have yet to be told: the event's order.
    let order: UInt64?
  }

  /// Makes an event and tells its observers.
  private func announce(
    about object: AnyObject?, _ event: (DrawnNumber) -> TransitionEvent
  ) -> Made {
    let made = make(about: object, event)
    deliver(made)
    return made
  }

  /// Makes an event while no other thread does, so that numbers have the order in which visits
  /// changed.
  private func make(
    about object: AnyObject?, _ event: (DrawnNumber) -> TransitionEvent
  ) -> Made {
    guard let follower else {
      return events.exclusively {
        if object != nil { events.prepareForInput() }
        let number = events.draw()
        let event = event(number)
        return Made(
          event: event, number: number, isWanted: true, order: events.enlist(event, number))
      }
    }
    let (made, number) = events.exclusively {
      let number = events.draw()
      return (event(number), number)
    }
    // A follower runs other code.
    let isWanted = follower.made(made, about: object)
    let order = events.exclusively { events.enlist(made, number) }
    return Made(event: made, number: number, isWanted: isWanted, order: order)
  }

  private func deliver(_ made: Made) {
    if let order = made.order { events.deliver(made.event, made.number, order) }
  }

  /// Runs the body of an event as a part of it, unless a follower does that.
  private func follow(_ made: Made, _ part: EventPlace.Part, _ body: () -> Void) {
    events.within(part, of: made.number) {
      if made.isWanted { body() }
      follower?.finished(made.event)
    }
  }

  /// Makes a call as a part of an event, always, because its result is needed.
  private func bracket<Result>(
    _ made: Made, _ part: EventPlace.Part, _ body: () throws -> Result
  ) rethrows -> Result {
    try events.within(part, of: made.number) {
      defer { follower?.finished(made.event) }
      return try body()
    }
  }

  private func event(
    _ kind: TransitionEvent.Kind, _ visit: ProbedVisits.Visit?, _ number: DrawnNumber,
    cause: UInt64 = 0, _ detail: TransitionEvent.Detail
  ) -> TransitionEvent {
    TransitionEvent(
      number: number.value, inside: events.place, cause: cause, time: time(), kind: kind,
      visit: visit?.number, state: visit?.state, instance: visit?.instance, detail: detail)
  }
}
