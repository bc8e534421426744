/// Records a model without a controller object, such as an enumeration, a reducer or a path.
///
/// A track belongs to its model and is used in the same isolation. Call `recordTracks()` on a
/// recorder once; each track attaches to it at its next event. A track without events does not
/// appear in the history. When a track is released, its recording ends. Several tracks can have the
/// same name. Without a recorder, an event of a track costs one or two comparisons.
public class Track: Recordable {
  /// The name in the history, which a replay uses to find the model.
  public let name: StateName
  // Its own visits stay unused: a track numbers its visits itself.
  @usableFromInline package let probe: ControllerProbe

  /// The source of the track's events.
  ///
  /// Add observers here.
  public var events: EventSource { probe.events }

  private let kind: StateName
  private let routes: RouteTable?
  // Unchecked, because a check takes a fifth of a move. None of these is changed while a closure runs.
  /// The open visits, the current one last.
  @exclusivity(unchecked) final private(set) var standing: [Standing] = []
  private var lastVisit: UInt32
  /// The tracks that should show the same.
  private var mirrored: [MirroredTrack] = []
  /// The states that it leaves again.
  private var transient: [StateName] = []
  /// The opening of the door at which it was attached last.
  @exclusivity(unchecked) final private var opening = 0
  /// Whether the track has had an event.
  private var hasBegun = false
  /// Whether a later event was not recorded.
  @exclusivity(unchecked) @usableFromInline final var hasMissed = false
  /// Whether the current value is unknown, because nothing came since events were missed.
  private var isUnheard = false
  /// Whether a replay wants to know the values themselves, and not only their names.
  @exclusivity(unchecked) package final var isShowing = false
  /// Whether a value that is set again is a move then.
  package final var tellsSame = false
  /// The current value, if a replay wants to know it and it can be compared.
  @exclusivity(unchecked) package final private(set) var shown: AnyHashable?
  /// The value before the first change, if a replay makes the model and it can be compared.
  private let initial: AnyHashable?
  /// Whether a replay has been told a value.
  private var hasShown = false
  /// Whether there is more to the current value than its name, and it cannot be compared.
  package final private(set) var hidesValue = false

  /// An open visit.
  struct Standing {
    let visit: VisitNumber
    let state: StateName
    /// The first visit of the same element.
    let instance: VisitNumber
  }

  /// - Parameters:
  ///   - kind: the name that the history stores as the policy.
  ///   - time: returns the time of an event that happens now.
  init(
    _ name: StateName, kind: StateName, initial: StateName?, value: AnyHashable? = nil,
    routes: RouteTable?, time: @escaping () -> UInt64 = { EventSource.clock }
  ) {
    (self.name, self.kind, self.routes) = (name, kind, routes)
    self.initial = value
    probe = ControllerProbe(
      kind, discipline: .moves, fidelity: .full, isShared: false, time: time)
    lastVisit = 0
    if let initial { add(initial) }
    probe.events.takeSnapshot = { [weak self, kind] in
      self?.snapshot ?? ControllerSnapshot(policy: kind, discipline: .moves)
    }
  }

  private var snapshot: ControllerSnapshot {
    let standing = hasMissed ? [] : standing
    var policy = PolicySnapshot()
    policy.routes = routes
    policy.standing = standing.map {
      PolicySnapshot.Standing(
        request: Request(visit: $0.visit, state: $0.state, equality: $0.instance.rawValue << 1),
        phase: .entered)
    }
    return ControllerSnapshot(
      policy: kind, discipline: .moves, standing: policy,
      instances: Dictionary(uniqueKeysWithValues: standing.map { ($0.visit, $0.instance) }),
      lastVisit: lastVisit, isLate: hasBegun || hasMissed,
      isEmpty: self is StackTrack && standing.isEmpty && !hasMissed && !isUnheard,
      mirrors: mirrored.map(\.side),
      transient: transient)
  }

  final func add(_ side: TrackMirror, of other: Track) {
    mirrored.append(MirroredTrack(track: other, side: side))
  }

  /// Declares states that the model does not stay in, such as that of a spinner.
  ///
  /// ```swift
  /// track.leaves("loading", "refreshing")
  /// ```
  ///
  /// `staty check` notes where one of them is still shown when the recording ends. Declare it before
  /// the first event.
  ///
  /// - Parameter states: the names of the states, as the history has them.
  public final func leaves(_ states: StateName...) { transient += states }

  /// Whether the track has an observer, or will attach to a recorder at its next event.
  @inlinable final var isRecorded: Bool { probe.events.isObserved || TrackDoor.isOpen }

  /// Prepares for an event.
  ///
  /// - Returns: whether there is an observer.
  final func begin() -> Bool {
    if hasMissed {
      // The current value is unknown.
      (hasMissed, hasBegun, isUnheard) = (false, true, true)
      forget()
    }
    if opening != TrackDoor.opening { attach() }
    hasBegun = true
    if probe.events.isObserved {
      if !probe.isHandling { probe.events.prepareForInput() }
      return true
    }
    hasMissed = true
    return false
  }

  /// Attaches to a recorder, and with it those that should show the same: one that never moves is a
  /// difference, too.
  private func attach() {
    opening = TrackDoor.opening
    TrackDoor.attach(self)
    // Where a replay keeps its tracks from being recorded, none is attached.
    guard probe.events.isObserved else { return }
    for other in mirrored {
      guard let track = other.track, track.opening != opening, !track.hasMissed else {
        continue
      }
      track.attach()
    }
  }

  /// Whether a value is told, and keeps it if a replay wants to know it.
  ///
  /// A reducer sets its state anew for each message, also for one that it ignores: a search is told of
  /// what differs, as far as that is known. A mere phase does not say it.
  final func tells<Value>(_ value: @autoclosure () -> Value) -> Bool {
    if !isShowing { return true }
    let value = value()
    let comparable = value as? AnyHashable
    defer {
      (shown, hasShown) = (comparable, true)
      hidesValue =
        comparable == nil && !StateName.isWhole(value) && !(value is any NamedState)
    }
    return tellsSame || comparable == nil || comparable != shown || StateName.isPhase(Value.self)
      || StateName.isWhole(value)
  }

  /// What a replay compares at the end: the current value, also before the first change.
  package final var lastShown: AnyHashable? { hasShown ? shown : initial }

  /// Forgets the open visits, because the current value is unknown.
  func forget() { standing = [] }
}

// MARK: Visits

extension Track {
  /// Adds a visit on top of the others.
  @discardableResult
  final func add(_ state: StateName, instance: VisitNumber? = nil) -> Standing {
    // The highest number is used repeatedly. No app gets that far.
    if lastVisit < .max { lastVisit += 1 }
    let visit = VisitNumber(lastVisit)
    let one = Standing(visit: visit, state: state, instance: instance ?? visit)
    standing.append(one)
    isUnheard = false
    return one
  }

  final func removeLast() -> Standing? { standing.popLast() }
}

// MARK: Messages

extension Track {
  /// Records a message, such as an action, a tap, a response or a timer.
  ///
  /// The body handles it.
  ///
  /// ```swift
  /// func send(_ action: FeedAction) {
  ///   track.received(action) { state = reduce(state, action) }
  /// }
  /// ```
  ///
  /// The name of the enumeration's case is recorded, or the name of the type. The values are
  /// recorded only for a ``RecordedMessage``; only such messages can be replayed.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - origin: the message that this one answers; by default the message that the current task
  ///     was started in.
  ///   - part: the part of the model that the message is about, if it is not the whole: what happens to
  ///     another part does not make its answer late.
  ///   - body: handles the message.
  /// - Returns: the result of the body.
  @inlinable @discardableResult @_disfavoredOverload
  public final func received<Message, Result>(
    _ message: Message, answering origin: MessageOrigin? = nil, part: StateName? = nil,
    _ body: () throws -> Result
  ) rethrows -> Result {
    guard isRecorded else {
      hasMissed = true
      return try body()
    }
    return try receive(message, origin, part, body)
  }

  /// Records a message that has only a name.
  ///
  /// The body handles it.
  ///
  /// - Parameters:
  ///   - name: the name, from a limited set.
  ///   - origin: the message that this one answers; by default the message that the current task
  ///     was started in.
  ///   - part: the part of the model that the message is about, if it is not the whole: what happens to
  ///     another part does not make its answer late.
  ///   - body: handles the message.
  /// - Returns: the result of the body.
  @inlinable @discardableResult
  public final func received<Result>(
    _ name: StaticString, answering origin: MessageOrigin? = nil, part: StateName? = nil,
    _ body: () throws -> Result
  ) rethrows -> Result {
    guard isRecorded else {
      hasMissed = true
      return try body()
    }
    return try receive(named: name, origin, part, body)
  }

  @usableFromInline
  final func receive<Message, Result>(
    _ message: Message, _ origin: MessageOrigin?, _ part: StateName?, _ body: () throws -> Result
  ) rethrows -> Result {
    guard begin() else { return try body() }
    return try probe.receive(
      StateName(ofCase: message), StatePayload(of: message), origin, part, body)
  }

  @usableFromInline
  final func receive<Result>(
    named name: StaticString, _ origin: MessageOrigin?, _ part: StateName?,
    _ body: () throws -> Result
  ) rethrows -> Result {
    guard begin() else { return try body() }
    return try probe.receive(StateName(stringLiteral: name), nil, origin, part, body)
  }

  /// Records that a message was sent, where something between sender and model may drop it, such as a
  /// queue, a throttle or a renderer.
  ///
  /// ```swift
  /// func send(_ action: FeedAction) {
  ///   track.sent(action)
  ///   renderer.enqueue { [self] in track.received(action) { reduce(action) } }
  /// }
  /// ```
  ///
  /// `staty check` notes what was sent more often than it was received.
  ///
  /// - Parameter message: the message; the name of its case is recorded.
  @inlinable @_disfavoredOverload
  public final func sent<Message>(_ message: Message) {
    if isRecorded { send(StateName(ofCase: message)) }
  }

  /// Records that a message that has only a name was sent.
  ///
  /// - Parameter name: the name, from a limited set.
  @inlinable
  public final func sent(_ name: StaticString) {
    if isRecorded { send(StateName(stringLiteral: name)) }
  }

  @usableFromInline
  final func send(_ name: StateName) {
    if begin() { probe.sent(name) }
  }

  /// Records the call of an asynchronous function as a message.
  ///
  /// The body is the function's:
  ///
  /// ```swift
  /// func refresh() async {
  ///   await track.received("refresh") {
  ///     state = .loading
  ///     state = .ready(await server.items())
  ///   }
  /// }
  /// ```
  ///
  /// Changes of the track in it, and messages that it leads to, have the call as their cause.
  ///
  /// - Parameters:
  ///   - name: the name, from a limited set.
  ///   - origin: the message that this one answers; by default the message that the current task
  ///     was started in.
  ///   - part: the part of the model that the message is about, if it is not the whole: what happens to
  ///     another part does not make its answer late.
  ///   - body: the body of the function.
  /// - Returns: the result of the body.
  @discardableResult
  nonisolated(nonsending) public final func received<Result>(
    _ name: StaticString, answering origin: MessageOrigin? = nil, part: StateName? = nil,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard isRecorded, begin() else { return try await missed(body) }
    return try await handle(probe.began(StateName(stringLiteral: name), nil, origin, part), body)
  }

  /// Records a message that an asynchronous function handles.
  ///
  /// The parameters are those of the function that handles it at once.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) public final func received<Message, Result>(
    _ message: Message, answering origin: MessageOrigin? = nil, part: StateName? = nil,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard isRecorded, begin() else { return try await missed(body) }
    let began = probe.began(
      StateName(ofCase: message), StatePayload(of: message), origin, part)
    return try await handle(began, body)
  }

  nonisolated(nonsending) private func handle<Result>(
    _ origin: MessageOrigin?, _ body: () async throws -> Result
  ) async rethrows -> Result {
    defer { probe.ended() }
    return try await MessageOrigin.$current.withValue(origin, operation: body)
  }

  nonisolated(nonsending) private func missed<Result>(
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    hasMissed = true
    return try await body()
  }
}
