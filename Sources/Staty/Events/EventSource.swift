import CStaty

/// Something that tells observers what happens: a controller, or a probe in an app's own one.
public protocol Recordable {
  /// Where its observers are told.
  var events: EventSource { get }
}

/// Delivers the events of one controller to its observers, in one order for all.
///
/// It belongs to its controller and lives in the same isolation. While nobody observes, an event
/// costs a comparison.
public final class EventSource {
  // Unchecked: all of these are used in one isolation, and each access ends before anybody
  // else's code runs; the loops over observers go over a list that never changes.
  @exclusivity(unchecked) private var told = ObserverList([])
  /// Lists that were replaced while they may be gone through; kept until that is over.
  @exclusivity(unchecked) private var retired: [ObserverList] = []
  @exclusivity(unchecked) private var depth = 0
  /// Whether anybody observes.
  @usableFromInline @exclusivity(unchecked) package private(set) var isObserved = false
  @exclusivity(unchecked) private var outbox: [Made] = []
  /// How many events of the outbox have been delivered, or are on their way.
  @exclusivity(unchecked) private var deliveredCount = 0
  @exclusivity(unchecked) private var isDelivering = false
  /// Whether the controller has gone.
  @exclusivity(unchecked) private var isOver = false
  @exclusivity(unchecked) private var madeCount: UInt64 = 0
  @exclusivity(unchecked) private var shared: Numbering?
  private let own = Numbering()
  /// The shared numbering, or the source's own; uncounted, because every event asks for it.
  @exclusivity(unchecked) private var numbering: UncountedNumbering
  /// Set by the controller that owns the source, before anybody can ask.
  @exclusivity(unchecked) package var takeSnapshot: () -> ControllerSnapshot = {
    ControllerSnapshot(policy: "?")
  }

  /// Set likewise; finds what a visit's state wants recorded.
  @exclusivity(unchecked) package var findPayload: (VisitNumber) -> StatePayload? = { _ in nil }

  /// Set likewise; finds what is recorded of the message of an event, while observers are told of it.
  @exclusivity(unchecked) var findMessage: (UInt64) -> StatePayload? = { _ in nil }

  /// Set likewise; the numbers that the controller keeps of events have no meaning any more.
  @exclusivity(unchecked) var forgetNumbers: () -> Void = {}

  private struct Made {
    let event: TransitionEvent
    let number: DrawnNumber
    let order: UInt64
  }

  init() {
    numbering = own.uncounted
  }

  /// Where the controller stands now.
  public var snapshot: ControllerSnapshot { takeSnapshot() }

  /// The controller goes away: whoever observes it is let go, and whoever still holds its source
  /// finds nothing in it.
  func outliveController(leaving last: ControllerSnapshot) {
    takeSnapshot = { last }
    findPayload = { _ in nil }
    findMessage = { _ in nil }
    forgetNumbers = {}
    isOver = true
    // What it made before reaches everybody first, but for payloads, which go with it.
    if !isDelivering { letObserversGo() }
  }

  private func letObserversGo() {
    guard isObserved else { return }
    for entry in told.entries { entry.isActive = false }
    set([])
  }

  /// What the state of an open visit wants recorded beyond its name.
  public func payload(of visit: VisitNumber) -> StatePayload? { findPayload(visit) }

  /// What is recorded of a message beyond its name, by the number of its `received` event; only while
  /// observers are told of that event.
  public func payload(ofMessage event: UInt64) -> StatePayload? { findMessage(event) }

  /// Adds an observer, which is told of every event that is made from now on.
  ///
  /// It is held until it is removed or the controller goes away; who comes later is told nothing.
  ///
  /// - Parameter beforeOthers: whether it is told before those who are there already. A recorder
  ///   wants to be: what another observer does about an event then follows the event.
  public func add(_ observer: any TransitionObserver, beforeOthers: Bool = false) {
    if isOver { return }
    let entry = ObserverEntry(observer, firstMade: madeCount)
    set(beforeOthers ? [entry] + told.entries : told.entries + [entry])
  }

  /// Removes an observer; from now on it is told nothing.
  ///
  /// - Returns: how many events were made while it observed and wait to be delivered. It is not told of
  ///   them.
  @discardableResult
  public func remove(_ observer: any TransitionObserver) -> Int {
    var untold = 0
    for entry in told.entries where entry.observer === observer {
      entry.isActive = false
      untold += outbox[deliveredCount...].count { entry.firstMade <= $0.order }
    }
    set(told.entries.filter(\.isActive))
    return untold
  }

  private func set(_ entries: [ObserverEntry]) {
    if depth > 0 { retired.append(told) }
    told = ObserverList(entries)
    isObserved = !entries.isEmpty
  }

  /// The first observer of a kind.
  package func observer<Observer>(
    where isWanted: (Observer) -> Bool
  ) -> Observer? {
    for entry in told.entries {
      if let observer = entry.observer as? Observer, isWanted(observer) { return observer }
    }
    return nil
  }

  /// Lets events be numbered together with those of other controllers.
  ///
  /// - Returns: whether it was done. Only one shared numbering can be in use at a time.
  package func share(_ shared: Numbering) -> Bool {
    guard self.shared == nil || self.shared === shared else { return false }
    if self.shared == nil { renumber(from: shared) }
    self.shared = shared
    return true
  }

  /// Goes back to the controller's own numbers.
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

extension EventSource {
  /// Draws a number for an event that is about to be announced; none while nobody observes.
  func draw() -> DrawnNumber {
    isObserved ? numbering.draw() : .none
  }

  /// The innermost place of the caller's thread.
  package var place: EventPlace {
    isObserved ? numbering.place : .root
  }

  /// The event of the innermost place, for later.
  var current: DrawnNumber {
    isObserved ? numbering.current : .none
  }

  /// Tells every observer: now, or once the event in delivery has reached everybody.
  ///
  /// Makers of events ask ``isObserved`` first, so that nothing is made for nobody.
  func announce(_ event: TransitionEvent, _ number: DrawnNumber) {
    guard isObserved else { return }
    let order = madeCount
    madeCount += 1
    if isDelivering {
      outbox.append(Made(event: event, number: number, order: order))
      return
    }
    isDelivering = true
    deliver(event, number, order)
    if !outbox.isEmpty { deliverOutbox() }
    isDelivering = false
    if isOver { letObserversGo() }
  }

  private func deliverOutbox() {
    while deliveredCount < outbox.count {
      let made = outbox[deliveredCount]
      deliveredCount += 1
      deliver(made.event, made.number, made.order)
    }
    outbox.removeAll(keepingCapacity: true)
    deliveredCount = 0
  }

  /// Whether an event is on its way to observers; commands wait until it has reached everybody.
  package var isInDelivery: Bool { isDelivering }

  /// Runs a body in a call of an event.
  @inline(__always)
  func within<Result>(
    _ part: EventPlace.Part, of number: DrawnNumber, _ body: () throws -> Result
  ) rethrows -> Result {
    if number.value == 0 { return try body() }
    let place = number.enter(part)
    defer { place.leave() }
    return try body()
  }

  private func deliver(_ event: TransitionEvent, _ number: DrawnNumber, _ order: UInt64) {
    let place = number.enter(.observed)
    depth += 1
    // Not counted as a reference: an event is told to every observer of every controller, and the
    // count costs more than the rest. `told` holds the list, or `retired` does if it is replaced
    // meanwhile, and the list holds its entries and these their observers.
    Unmanaged.passUnretained(told)._withUnsafeGuaranteedRef { $0.tell(event, order) }
    depth -= 1
    if depth == 0, !retired.isEmpty { retired = [] }
    place.leave()
  }

  /// The time that an event made now carries.
  var now: UInt64 { Self.clock }

  /// Nanoseconds of a clock that goes on while the machine sleeps.
  public static var clock: UInt64 { staty_clock_now() }
}

/// An observer and since when it is one.
private final class ObserverEntry {
  let observer: any TransitionObserver
  let firstMade: UInt64
  var isActive = true

  init(_ observer: any TransitionObserver, firstMade: UInt64) {
    self.observer = observer
    self.firstMade = firstMade
  }

  func tell(_ event: TransitionEvent, _ order: UInt64) {
    if isActive, firstMade <= order { observer.observe(event) }
  }
}

/// The observers at one time; a change makes a new list, so that one can be gone through in peace.
private final class ObserverList {
  let entries: [ObserverEntry]
  private let only: Unmanaged<ObserverEntry>?

  func tell(_ event: TransitionEvent, _ order: UInt64) {
    if let only {
      // One observer, mostly a recorder: no loop.
      only._withUnsafeGuaranteedRef { $0.tell(event, order) }
    } else {
      for entry in entries { entry.tell(event, order) }
    }
  }

  init(_ entries: [ObserverEntry]) {
    self.entries = entries
    only = entries.count == 1 ? .passUnretained(entries[0]) : nil
  }
}
