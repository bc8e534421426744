/// Lets observers see what happens in a controller that is not one of ours.
///
/// An app's own class reports to a probe at the places where it is told something and where it
/// tells a state something. The closures bracket the handling, so that an event made inside has it as
/// its place.
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
///   probe.told(.exited, state) { … }
/// }
/// ```
///
/// A controller that can report less says so by its ``Fidelity``: without brackets it is
/// `ordered`, and with requests and completions alone it is `threeKind`.
public final class ControllerProbe: Recordable {
  /// Where observers are told what happens.
  public let events = EventSource()

  private let kind: StateName
  private let discipline: Discipline
  private let fidelity: Fidelity
  private let time: () -> UInt64
  private var visits = ProbedVisits()
  private var performed: [VisitNumber] = []
  private var lastStep: UInt32 = 0
  /// What is recorded of messages, by their events, until observers were told of them.
  private var messages: [UInt64: StatePayload] = [:]
  /// A replay that stands inside of what is reported, if one does.
  package var follower: (any ProbeFollower)?

  /// A probe for a controller of this kind.
  ///
  /// - Parameters:
  ///   - kind: the name under which a replay finds the controller again.
  ///   - discipline: in which order the controller lets its states enter, and whether it shows several
  ///     at once. The ordering rules hold it to that.
  ///   - fidelity: how much the controller reports.
  public convenience init(
    _ kind: StateName, discipline: Discipline = .inOrder, fidelity: Fidelity = .full
  ) {
    self.init(kind, discipline: discipline, fidelity: fidelity) { EventSource.clock }
  }

  /// A probe whose events have the times of a clock of one's own.
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
      leaving: ControllerSnapshot(policy: kind, discipline: discipline, fidelity: fidelity))
  }

  private var snapshot: ControllerSnapshot {
    ControllerSnapshot(
      policy: kind, discipline: discipline, fidelity: fidelity, standing: visits.standing,
      instances: visits.instances, lastVisit: visits.lastVisit)
  }

  /// The next visit is numbered as if there had been so many before.
  package func goOn(after visit: UInt32) {
    visits.goOn(after: visit)
  }
}

// MARK: What the controller is told

extension ControllerProbe {
  /// A state is requested; the body, which is given the number of the visit that the request becomes, is
  /// what the controller does about it.
  ///
  /// - Parameters:
  ///   - name: what the state is called; its type's name if it is not said.
  ///   - payload: what is recorded of it beyond its name.
  ///   - origin: the state whose code asks. Inside `telling` it is known without being said.
  ///   - asked: what was asked for, if that was a contextual destination such as `previous`.
  ///   - file: with `line`, the place in the code that asks the controller. It has to come from there:
  ///     the controller's own method takes `file: StaticString = #fileID, line: UInt = #line` and
  ///     passes them on. Requests of one place keep their order where others are tried.
  /// - Returns: the number of the visit that the request has become.
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

  /// The same, where the controller does not need the number.
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

  /// A state says that it is in or out; the body is what the controller does about it.
  ///
  /// One that fits nothing, such as a second exit, is told to observers as stray.
  public func told(_ completion: Completion, _ state: AnyObject, _ body: () -> Void = {}) {
    let (visit, fit) = visits.complete(completion, state, isThreeKind: fidelity == .threeKind)
    if fit == .stray {
      announce(.stray, visit, about: state, .completion(completion), body)
    } else {
      announce(
        completion == .entered ? .entered : .exited, visit, about: state, .none, body)
    }
  }

  /// A message reached the controller, such as a tap, a response or a timer; the body is what the
  /// controller does about it.
  ///
  /// Of an enumeration the name of the case is recorded, and of other types their name. The rest only of
  /// a ``RecordedMessage``.
  ///
  /// - Parameter origin: the message that this one answers; by default the one that the task was begun in.
  /// - Returns: what the body returns.
  @discardableResult @_disfavoredOverload
  public func received<Message, Result>(
    _ message: Message, answering origin: MessageOrigin? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    guard events.isObserved else { return try body() }
    return try receive(
      StateName(ofCase: message), (message as? any RecordedMessage)?.statePayload, origin, body)
  }

  /// A message reached the controller that has a name and nothing else.
  ///
  /// - Parameters:
  ///   - name: a name from a limited set.
  ///   - origin: the message that this one answers; by default the one that the task was begun in.
  /// - Returns: what the body returns.
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
    // Unless observers are to be told later, they were told of those before.
    if !messages.isEmpty, !events.isInDelivery { messages = [:] }
    let number = events.draw()
    if let payload { messages[number.value] = payload }
    let event = TransitionEvent(
      number: number.value, inside: events.place,
      cause: (origin ?? .current)?.number(beside: number) ?? 0, time: time(), kind: .received,
      state: name, detail: .message(hasPayload: payload != nil))
    return try MessageOrigin.$current.withValue(MessageOrigin(number)) {
      try bracket(event, number, .handled, body)
    }
  }

  /// A visit, everything or the controller itself is cancelled; the body is what the controller does
  /// about it.
  public func cancelled(_ cancellation: Cancellation, _ body: () -> Void = {}) {
    var visit: ProbedVisits.Visit?
    if case .visit(let number) = cancellation { visit = visits.visit(number) }
    announce(.cancelled, visit, about: nil, .cancellation(cancellation), body)
  }

  /// The visit of a state is cancelled, the one on the screen or else the next; the body is what the
  /// controller does about it.
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

  /// A state took longer than the controller gives it; the body is what the controller does about it.
  ///
  /// Report it in the step that was put off for that:
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
  ///   - awaited: what the state has not reported.
  ///   - recovery: what the controller does: it goes on waiting, goes on as if the state had reported,
  ///     or gives the visit up.
  public func missed(
    _ awaited: Completion, _ state: AnyObject, recovery: DeadlineRecovery, _ body: () -> Void = {}
  ) {
    announce(
      .deadline, visits.current(of: state), about: state, .deadline(awaited, recovery), body)
  }

  /// A step that will be done later, say on the main queue.
  ///
  /// Call it where the step is put off, and run what it returns in the step's place. In a class of
  /// the main actor:
  ///
  /// ```swift
  /// let step = probe.deferred { … }
  /// DispatchQueue.main.async { step() }
  /// ```
  public func deferred(_ body: @escaping () -> Void) -> () -> Void {
    let cause = events.current
    if lastStep < .max { lastStep += 1 }
    let step = lastStep
    follower?.putOff(step)
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
  /// What a controller tells a state.
  public enum Order: Sendable {
    /// Come in.
    case enter
    /// Leave.
    case exit
  }

  /// The controller tells a state to come in or to leave, which the body does.
  public func telling(_ order: Order, _ state: AnyObject, _ body: () -> Void) {
    telling(order, state, because: 0, body)
  }

  /// The same, with the number of the event that it was decided about.
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

  /// The controller will not show a state, or no longer waits for it.
  public func discarded(_ state: AnyObject, _ reason: DiscardReason) {
    discarded(state, reason, because: 0)
  }

  /// The same, with the number of the event that it was decided about.
  package func discarded(_ state: AnyObject, _ reason: DiscardReason, because cause: UInt64) {
    guard let visit = visits.discard(state) else { return }
    announce(.discarded, visit, about: state, cause: cause, .discard(reason)) {}
  }

  /// The controller calls out, such as to its delegate, which the body does.
  ///
  /// Bracket the call and nothing else: a request that the delegate makes then is the delegate's, and
  /// not the controller's own.
  ///
  /// ```swift
  /// let isWanted = probe.calling("shouldShow") { delegate.shouldShow(state) }
  /// ```
  ///
  /// - Parameter name: what is called; a name from a limited set.
  /// - Returns: what the body returns.
  public func calling<Result>(
    _ name: StateName, _ body: () throws -> Result
  ) rethrows -> Result {
    let number = events.draw()
    let event = TransitionEvent(
      number: number.value, inside: events.place, time: time(), kind: .calling, state: name)
    return try bracket(event, number, .called, body)
  }

  /// A track's value changed.
  func moved(
    _ visit: VisitNumber, _ state: StateName, _ instance: VisitNumber? = nil,
    _ change: StackChange? = nil
  ) {
    let number = events.draw()
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

  /// Tells observers of an input and runs its handling inside of it.
  private func handle(
    _ event: TransitionEvent, _ number: DrawnNumber, about object: AnyObject?, _ body: () -> Void
  ) {
    let isWanted = announce(event, number, about: object)
    events.within(.handled, of: number) { follow(event, isWanted, body) }
  }

  /// - Returns: whether what the event brackets is to be done.
  private func announce(
    _ event: TransitionEvent, _ number: DrawnNumber, about object: AnyObject?
  ) -> Bool {
    let isWanted = follower?.made(event, about: object) ?? true
    events.announce(event, number)
    return isWanted
  }

  /// Tells observers of a call and makes it: without it there would be no value to go on with.
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
