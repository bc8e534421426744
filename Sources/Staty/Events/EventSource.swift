import CStaty
public import Synchronization

/// An object that reports events to observers: a controller, a probe or a track.
public protocol Recordable {
  /// The source of its events. Add observers here.
  var events: EventSource { get }
}

/// Delivers the events of one controller to its observers, in the same order to each.
///
/// It belongs to its controller and is used in the same isolation; that of a probe may be used on
/// several threads. Recorders hear of an event when it is made, other observers when it is their
/// turn. Without observers, an event costs one comparison.
public final class EventSource {
  /// Held for each access, if the source is used on several threads.
  private let turn: OpaquePointer?
  // Unchecked: all of these are used in one isolation or while `turn` is held, and each access ends
  // before other code runs. The loops over observers use a list that never changes.
  @exclusivity(unchecked) private var told = ObserverList([])
  /// Lists that were replaced while a loop may use them; kept until the loop has ended.
  @exclusivity(unchecked) private var retired: [ObserverList] = []
  /// The only observer, if it takes events without a value; `told` holds it.
  @exclusivity(unchecked) private var recorder: Unmanaged<ObserverEntry>?
  @exclusivity(unchecked) private var depth = 0
  // A probe that is used on several threads asks for it before it takes its turn: a value that is out of
  // date costs a turn, or one event. Everything else is read in the turn.
  @usableFromInline let hasObservers = Atomic(false)
  /// Whether a recorder has lost events, and wants to begin anew with a snapshot.
  @exclusivity(unchecked) private var isIncomplete = false
  @exclusivity(unchecked) private var outbox: [Made] = []
  /// How many events of the outbox have been delivered or are being delivered.
  @exclusivity(unchecked) private var deliveredCount = 0
  @exclusivity(unchecked) private var isDelivering = false
  /// Whether the controller was released.
  @exclusivity(unchecked) private var isOver = false
  @exclusivity(unchecked) private var madeCount: UInt64 = 0
  @exclusivity(unchecked) private var shared: Numbering?
  private let own = Numbering()
  /// The shared numbering, or the source's own.
  ///
  /// Without reference counting, because every event uses it.
  @exclusivity(unchecked) private var numbering: UncountedNumbering
  /// Returns the controller's snapshot.
  ///
  /// Set by the controller before its first event.
  @exclusivity(unchecked) package var takeSnapshot: () -> ControllerSnapshot = {
    ControllerSnapshot(policy: "?")
  }

  /// Returns the payload of a visit's state.
  ///
  /// Set by the controller before its first event.
  @exclusivity(unchecked) package var findPayload: (VisitNumber) -> StatePayload? = { _ in nil }

  /// Returns the payload of a message while observers are told of its event.
  ///
  /// Set by the controller before its first event.
  @exclusivity(unchecked) var findMessage: (UInt64) -> StatePayload? = { _ in nil }

  /// Called when the event numbers that the controller keeps have become meaningless.
  ///
  /// Set by the controller before its first event.
  @exclusivity(unchecked) var forgetNumbers: () -> Void = {}

  private struct Made {
    let event: TransitionEvent
    let number: DrawnNumber
    let order: UInt64
  }

  /// - Parameter isShared: whether several threads use the source.
  init(isShared: Bool = false) {
    turn = isShared ? staty_turn_make() : nil
    numbering = own.uncounted
  }

  deinit {
    if let turn { staty_turn_free(turn) }
  }

  /// Whether there are observers.
  @inlinable package var isObserved: Bool { hasObservers.load(ordering: .relaxed) }

  /// Runs a body while no other thread uses the source.
  ///
  /// The body calls no code of the app: it could wait for another thread that waits for this one.
  @inline(__always)
  package func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let turn else { return try body() }
    staty_turn_take(turn)
    defer { staty_turn_give(turn) }
    return try body()
  }

  /// The current state of the controller.
  public var snapshot: ControllerSnapshot { exclusively(takeSnapshot) }

  /// The controller is being released: the source releases its observers, and becomes empty for
  /// code that still holds it.
  func outliveController(keeping last: ControllerSnapshot) {
    exclusively {
      takeSnapshot = { last }
      findPayload = { _ in nil }
      findMessage = { _ in nil }
      forgetNumbers = {}
      isOver = true
      // Events made before reach all observers first, without payloads.
      if !isDelivering { letObserversGo() }
    }
  }

  private func letObserversGo() {
    guard isObserved else { return }
    for entry in told.all { entry.isActive = false }
    set([])
  }

  /// The payload of an open visit's state, which is recorded with its name.
  public func payload(of visit: VisitNumber) -> StatePayload? {
    exclusively { findPayload(visit) }
  }

  /// The payload of a message, by the number of its `received` event.
  ///
  /// It is available only while observers are told of that event.
  public func payload(ofMessage event: UInt64) -> StatePayload? {
    exclusively { findMessage(event) }
  }

  /// Adds an observer, which is told of all events from now on.
  ///
  /// The observer is held until it is removed or the controller is released. If the controller was
  /// already released, nothing happens.
  ///
  /// - Parameters:
  ///   - observer: the observer.
  ///   - beforeOthers: whether it is told before the existing observers.
  public func add(_ observer: any TransitionObserver, beforeOthers: Bool = false) {
    exclusively {
      if isOver { return }
      let entry = ObserverEntry(observer, firstMade: madeCount)
      set(beforeOthers ? [entry] + told.all : told.all + [entry])
    }
  }

  /// Removes an observer; it is told of no further events.
  public func remove(_ observer: any TransitionObserver) {
    exclusively {
      for entry in told.all where entry.observer === observer { entry.isActive = false }
      set(told.all.filter(\.isActive))
    }
  }

  private func set(_ entries: [ObserverEntry]) {
    if depth > 0 { retired.append(told) }
    told = ObserverList(entries)
    hasObservers.store(!entries.isEmpty, ordering: .relaxed)
    recorder = entries.count == 1 && entries[0].recorder != nil ? .passUnretained(entries[0]) : nil
  }

  /// The first observer of a type that satisfies a condition.
  package func observer<Observer>(
    where isWanted: (Observer) -> Bool
  ) -> Observer? {
    for entry in told.all {
      if let observer = entry.observer as? Observer, isWanted(observer) { return observer }
    }
    return nil
  }

  /// Numbers the events together with those of other controllers.
  ///
  /// - Returns: `false` if another shared numbering is already in use.
  package func share(_ shared: Numbering) -> Bool {
    guard self.shared == nil || self.shared === shared else { return false }
    if self.shared == nil { renumber(from: shared) }
    self.shared = shared
    return true
  }

  /// Returns to the controller's own numbering.
  package func unshare(_ shared: Numbering) {
    guard self.shared === shared else { return }
    self.shared = nil
    renumber(from: own)
  }

  private func renumber(from numbers: Numbering) {
    numbering = numbers.uncounted
    forgetNumbers()
  }
}

// MARK: After a loss

extension EventSource {
  /// A recorder has lost events: it begins anew before the next input at which nothing is under way.
  package func noteLoss() { isIncomplete = true }

  /// Call it before an input changes anything.
  @inline(__always)
  func prepareForInput() {
    if isIncomplete { beginAnew() }
  }

  @inline(never)
  private func beginAnew() {
    exclusively {
      // Inside of another event, the snapshot could hold half of what follows from it.
      guard isIncomplete, place.event == 0, !isDelivering else { return }
      isIncomplete = !told.beginAnew()
    }
  }
}

extension EventSource {
  /// Draws a number for an event that is about to be announced; ``DrawnNumber/none`` without
  /// observers.
  func draw() -> DrawnNumber {
    isObserved ? numbering.draw() : .none
  }

  /// The innermost place of the calling thread.
  package var place: EventPlace {
    isObserved ? numbering.place : .root
  }

  /// The event of the innermost place, for later.
  var current: DrawnNumber {
    isObserved ? numbering.current : .none
  }

  /// Whether the only observer is a recorder, which takes the usual events without a value.
  var isRecordedOnly: Bool { recorder != nil }

  /// Tells every observer of an event of a visit, as ``announce(_:_:)`` does.
  @inline(__always)
  func announce(
    _ kind: TransitionEvent.Kind, _ number: DrawnNumber, cause: UInt64 = 0, visit: VisitNumber,
    state: StateName, instance: VisitNumber
  ) {
    if record(kind, number, cause: cause, at: now, visit: visit, state: state, instance: instance) {
      return
    }
    announce(
      TransitionEvent(
        number: number.value, inside: place, cause: cause, time: now, kind: kind, visit: visit,
        state: state, instance: instance),
      number)
  }

  /// Tells the recorder of an event without detail, if it is the only observer.
  ///
  /// It runs no other code, so no event can follow from its work, and no place is needed.
  ///
  /// - Parameters:
  ///   - time: the time of the event; may not change the observers.
  ///   - visit: the visit; 0 if the event has none.
  ///   - instance: the first visit of the same state; 0 if the event does not say.
  ///   - fingerprint: of a move, the hash of what is shown; 0 if the event does not say.
  /// - Returns: false if it was not told; then announce the event.
  @inline(__always)
  func record(
    _ kind: TransitionEvent.Kind, _ number: DrawnNumber, cause: UInt64 = 0,
    at time: @autoclosure () -> UInt64, visit: VisitNumber, state: StateName, instance: VisitNumber,
    fingerprint: UInt32 = 0
  ) -> Bool {
    guard let recorder else { return false }
    recorder._withUnsafeGuaranteedRef {
      $0.recorder?.record(
        kind, number.value, inside: place, cause: cause, time: time(), visit: visit, state: state,
        instance: instance, fingerprint: fingerprint)
    }
    return true
  }

  /// Tells every observer of a request.
  ///
  /// A payload is made by code of the app, so a request that has one is announced as an event.
  @inline(__always)
  func announce(_ request: RequestDetail, _ number: DrawnNumber, instance: VisitNumber) {
    if let recorder, !request.hasPayload {
      recorder._withUnsafeGuaranteedRef {
        $0.recorder?.record(request, number.value, inside: place, time: now, instance: instance)
      }
    } else {
      announce(
        TransitionEvent(
          number: number.value, inside: place, time: now, kind: .enqueued,
          visit: request.request.visit, state: request.request.state, instance: instance,
          detail: .request(request)),
        number)
    }
  }

  /// Tells every observer of an event: recorders now, others now or after the current event has
  /// reached all of them.
  func announce(_ event: TransitionEvent, _ number: DrawnNumber) {
    if let order = exclusively({ enlist(event, number) }) { deliver(event, number, order) }
  }

  /// Tells recorders of an event, and enlists it for the other observers.
  ///
  /// - Returns: the event's order, if the caller has to deliver it now; otherwise a delivery is under
  ///   way and will reach it, or nobody else observes.
  func enlist(_ event: TransitionEvent, _ number: DrawnNumber) -> UInt64? {
    guard isObserved else { return nil }
    if told.hasRecorders { told.record(event) }
    guard told.hasOthers else { return nil }
    let order = madeCount
    madeCount += 1
    if isDelivering {
      outbox.append(Made(event: event, number: number, order: order))
      return nil
    }
    isDelivering = true
    return order
  }

  /// Delivers an event that was enlisted, and those that are made meanwhile.
  func deliver(_ event: TransitionEvent, _ number: DrawnNumber, _ order: UInt64) {
    tell(event, number, order)
    while !exclusively({ endDelivery() }) {
      let made = exclusively { nextInOutbox() }
      tell(made.event, made.number, made.order)
    }
  }

  /// Ends the delivery, unless events wait in the outbox.
  ///
  /// - Returns: whether it has ended.
  private func endDelivery() -> Bool {
    if deliveredCount < outbox.count { return false }
    if deliveredCount > 0 {
      outbox.removeAll(keepingCapacity: true)
      deliveredCount = 0
    }
    isDelivering = false
    if isOver { letObserversGo() }
    return true
  }

  private func nextInOutbox() -> Made {
    deliveredCount += 1
    return outbox[deliveredCount - 1]
  }

  /// Whether an event is being delivered.
  ///
  /// Commands wait until it has reached all observers.
  package var isInDelivery: Bool { isDelivering }

  /// Runs a body as a part of an event.
  @inline(__always)
  func within<Result>(
    _ part: EventPlace.Part, of number: DrawnNumber, _ body: () throws -> Result
  ) rethrows -> Result {
    if number.value == 0 { return try body() }
    let place = number.enter(part)
    defer { place.leave() }
    return try body()
  }

  private func tell(_ event: TransitionEvent, _ number: DrawnNumber, _ order: UInt64) {
    let place = number.enter(.observed)
    // No reference is counted, because counting costs more than the rest of a delivery. `told`
    // holds the list, or `retired` does if it is replaced meanwhile. The list holds its entries,
    // and these hold their observers.
    let list = exclusively {
      depth += 1
      return Unmanaged.passUnretained(told)
    }
    list._withUnsafeGuaranteedRef { $0.tell(event, order) }
    exclusively {
      depth -= 1
      if depth == 0, !retired.isEmpty { retired = [] }
    }
    place.leave()
  }

  /// The current time, for an event.
  var now: UInt64 { Self.clock }

  /// The time in nanoseconds, from a clock that continues while the machine sleeps.
  public static var clock: UInt64 { staty_clock_now() }

  /// The times on another clock, which begin at the current time of events.
  static func time(after elapsed: @escaping () -> Duration) -> () -> UInt64 {
    let (began, start) = (Self.clock, elapsed())
    return { began &+ UInt64(clamping: (elapsed() - start).inNanoseconds) }
  }
}

/// An observer that hears of an event when it is made, before anything follows from it.
///
/// It calls no code of the app. While it is the only observer, it takes the usual events without a
/// value, because making one costs as much as recording it; `observe` is called for the others.
package protocol EventRecorder: TransitionObserver {
  /// Called for an event that has a state or a message and no detail.
  ///
  /// The visit, the instance and the fingerprint are 0 if the event has none.
  func record(
    _ kind: TransitionEvent.Kind, _ number: UInt64, inside: EventPlace, cause: UInt64,
    time: UInt64, visit: VisitNumber, state: StateName, instance: VisitNumber, fingerprint: UInt32)

  /// Called for a request without payload.
  func record(
    _ request: borrowing RequestDetail, _ number: UInt64, inside: EventPlace, time: UInt64,
    instance: VisitNumber)

  /// Records the controller with a new snapshot, because events are missing.
  ///
  /// - Returns: whether it is done; otherwise it is called again.
  func beginAnew() -> Bool
}

/// An observer, and the first event that it is told of.
private final class ObserverEntry {
  let observer: any TransitionObserver
  let recorder: (any EventRecorder)?
  let firstMade: UInt64
  var isActive = true

  init(_ observer: any TransitionObserver, firstMade: UInt64) {
    self.observer = observer
    recorder = observer as? any EventRecorder
    self.firstMade = firstMade
  }

  func tell(_ event: TransitionEvent, _ order: UInt64) {
    if isActive, firstMade <= order { observer.observe(event) }
  }
}

/// The observers at one moment.
///
/// A change makes a new list, so that a loop over the old one is safe.
private final class ObserverList {
  let all: [ObserverEntry]
  private let recorders: [any EventRecorder]
  private let others: [ObserverEntry]
  /// The only one of the others, if there is one: no loop.
  private let only: Unmanaged<ObserverEntry>?
  let hasRecorders: Bool
  let hasOthers: Bool

  init(_ entries: [ObserverEntry]) {
    all = entries
    recorders = entries.compactMap(\.recorder)
    others = entries.filter { $0.recorder == nil }
    only = others.count == 1 ? .passUnretained(others[0]) : nil
    (hasRecorders, hasOthers) = (!recorders.isEmpty, !others.isEmpty)
  }

  func record(_ event: TransitionEvent) {
    for recorder in recorders { recorder.observe(event) }
  }

  /// - Returns: whether all have begun anew.
  func beginAnew() -> Bool {
    recorders.reduce(true) { $1.beginAnew() && $0 }
  }

  func tell(_ event: TransitionEvent, _ order: UInt64) {
    if let only {
      only._withUnsafeGuaranteedRef { $0.tell(event, order) }
    } else {
      for entry in others { entry.tell(event, order) }
    }
  }
}
