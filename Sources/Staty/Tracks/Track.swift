/// What records something that has no controller object: an enumeration, a reducer, a path.
///
/// A track belongs to its model and lives where the model lives. It attaches to the recorder that was
/// asked for `recordTracks()` at its first event, so one that is never used leaves nothing; when it is
/// released, its recording ends. Several tracks may have the same name. While nothing records, a track
/// costs a comparison or two.
public class Track: Recordable {
  /// The name in the history, by which a replay finds the model again.
  public let name: StateName
  // Its own visits stay unused: a track numbers its visits itself.
  @usableFromInline package let probe: ControllerProbe

  /// Where observers are told what happens.
  public var events: EventSource { probe.events }

  private let kind: StateName
  private let routes: RouteTable?
  /// The visits of what is shown, the current one last.
  final private(set) var standing: [Standing] = []
  private var lastVisit: UInt32
  /// Whether anything has happened to the track.
  private var hasBegun = false
  /// Whether anything has happened since that was not recorded.
  @usableFromInline final var hasMissed = false

  /// Something that is shown.
  struct Standing {
    let visit: VisitNumber
    let state: StateName
    /// The first visit of the same element.
    let instance: VisitNumber
  }

  /// - Parameter kind: what stands for the policy's name in the history.
  init(_ name: StateName, kind: StateName, initial: StateName?, routes: RouteTable?) {
    (self.name, self.kind, self.routes) = (name, kind, routes)
    probe = ControllerProbe(kind, discipline: .moves)
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
      lastVisit: lastVisit, isLate: hasBegun || hasMissed)
  }

  /// Whether anybody observes the track, or would from its next event on.
  @inlinable final var isRecorded: Bool { probe.events.isObserved || TrackDoor.isOpen }

  /// Something is about to happen.
  ///
  /// - Returns: whether anybody observes.
  final func begin() -> Bool {
    if hasMissed {
      // What is shown now is not known.
      (hasMissed, hasBegun) = (false, true)
      forget()
    }
    if !probe.events.isObserved { TrackDoor.attach(probe.events, as: name) }
    hasBegun = true
    if probe.events.isObserved { return true }
    hasMissed = true
    return false
  }

  /// What is shown is not known any more.
  func forget() { standing = [] }
}

// MARK: Visits

extension Track {
  /// A new visit on top of what is shown.
  @discardableResult
  final func add(_ state: StateName, instance: VisitNumber? = nil) -> Standing {
    // The last number of all is used again: nobody counts so far.
    if lastVisit < .max { lastVisit += 1 }
    let visit = VisitNumber(lastVisit)
    let one = Standing(visit: visit, state: state, instance: instance ?? visit)
    standing.append(one)
    return one
  }

  final func removeLast() -> Standing? { standing.popLast() }
}

// MARK: Messages

extension Track {
  /// A message reached the model, such as an action, a tap, a response or a timer; the body is what the
  /// model does about it.
  ///
  /// ```swift
  /// func send(_ action: FeedAction) {
  ///   track.received(action) { state = reduce(state, action) }
  /// }
  /// ```
  ///
  /// Of an enumeration the name of the case is recorded, and of other types their name. The rest only of
  /// a ``RecordedMessage``; such messages can be replayed.
  ///
  /// - Parameter origin: the message that this one answers; by default the one that the task was begun in.
  /// - Returns: what the body returns.
  @inlinable @discardableResult @_disfavoredOverload
  public final func received<Message, Result>(
    _ message: Message, answering origin: MessageOrigin? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    guard isRecorded else {
      hasMissed = true
      return try body()
    }
    return try receive(message, origin, body)
  }

  /// A message reached the model that has a name and nothing else.
  ///
  /// - Parameters:
  ///   - name: a name from a limited set.
  ///   - origin: the message that this one answers; by default the one that the task was begun in.
  /// - Returns: what the body returns.
  @inlinable @discardableResult
  public final func received<Result>(
    _ name: StaticString, answering origin: MessageOrigin? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    guard isRecorded else {
      hasMissed = true
      return try body()
    }
    return try receive(named: name, origin, body)
  }

  @usableFromInline
  final func receive<Message, Result>(
    _ message: Message, _ origin: MessageOrigin?, _ body: () throws -> Result
  ) rethrows -> Result {
    begin() ? try probe.received(message, answering: origin, body) : try body()
  }

  @usableFromInline
  final func receive<Result>(
    named name: StaticString, _ origin: MessageOrigin?, _ body: () throws -> Result
  ) rethrows -> Result {
    begin() ? try probe.received(name, answering: origin, body) : try body()
  }
}
