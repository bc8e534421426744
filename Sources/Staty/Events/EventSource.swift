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
  // else's code runs; the loops over `entries` go over a copy.
  @exclusivity(unchecked) private var entries: [Entry] = []
  @exclusivity(unchecked) private var outbox: [Made] = []
  @exclusivity(unchecked) private var isDelivering = false
  @exclusivity(unchecked) private var madeCount: UInt64 = 0
  @exclusivity(unchecked) private(set) var numbering: Numbering
  private let ownNumbering: Numbering
  /// Set by the controller that owns the source, before anybody can ask.
  package var takeSnapshot: () -> ControllerSnapshot = { ControllerSnapshot(policy: "?") }

  /// Set likewise; finds what a visit's state wants recorded.
  package var findPayload: (VisitNumber) -> StatePayload? = { _ in nil }

  private final class Entry {
    let observer: any TransitionObserver
    let firstMade: UInt64
    var isActive = true

    init(_ observer: any TransitionObserver, firstMade: UInt64) {
      self.observer = observer
      self.firstMade = firstMade
    }
  }

  private struct Made {
    let event: TransitionEvent
    let order: UInt64
  }

  package init() {
    ownNumbering = Numbering()
    numbering = ownNumbering
  }

  /// Where the controller stands now.
  public var snapshot: ControllerSnapshot { takeSnapshot() }

  /// What the state of an open visit wants recorded beyond its name.
  public func payload(of visit: VisitNumber) -> StatePayload? { findPayload(visit) }

  /// Whether anybody observes.
  public var isObserved: Bool { !entries.isEmpty }

  /// Adds an observer, which is told of every event that is made from now on.
  ///
  /// - Parameter beforeOthers: whether it is told before those who are there already. A recorder
  ///   wants to be: what another observer does about an event then follows the event.
  public func add(_ observer: any TransitionObserver, beforeOthers: Bool = false) {
    let entry = Entry(observer, firstMade: madeCount)
    entries.insert(entry, at: beforeOthers ? 0 : entries.endIndex)
  }

  /// Removes an observer; from now on it is told nothing.
  public func remove(_ observer: any TransitionObserver) {
    entries.removeAll { entry in
      guard entry.observer === observer else { return false }
      entry.isActive = false
      return true
    }
  }

  /// The first observer of a kind.
  package func observer<Observer>(
    where isWanted: (Observer) -> Bool
  ) -> Observer? {
    for entry in entries {
      if let observer = entry.observer as? Observer, isWanted(observer) { return observer }
    }
    return nil
  }

  /// Lets events be numbered together with those of other controllers.
  ///
  /// - Returns: whether it was done. Only one shared numbering can be in use at a time.
  public func share(_ shared: Numbering) -> Bool {
    guard numbering === ownNumbering || numbering === shared else { return false }
    numbering = shared
    return true
  }

  /// Goes back to the controller's own numbers.
  public func unshare(_ shared: Numbering) {
    if numbering === shared { numbering = ownNumbering }
  }
}

extension EventSource {
  /// Draws a number for an event that is about to be announced; 0 while nobody observes.
  package func draw() -> UInt64 {
    isObserved ? numbering.next() : 0
  }

  /// The number of the event in whose handling the caller stands; 0 if in none.
  package var cause: UInt64 {
    isObserved ? numbering.handled : 0
  }

  /// Tells every observer: now, or once the event in delivery has reached everybody.
  package func announce(_ event: @autoclosure () -> TransitionEvent) {
    if entries.isEmpty { return }
    var made = Made(event: event(), order: madeCount)
    madeCount += 1
    if isDelivering {
      outbox.append(made)
      return
    }
    isDelivering = true
    deliver(made)
    var next = 0
    while next < outbox.count {
      made = outbox[next]
      next += 1
      deliver(made)
    }
    outbox.removeAll(keepingCapacity: true)
    isDelivering = false
  }

  /// Whether an event is on its way to observers; commands wait until it has reached everybody.
  package var isInDelivery: Bool { isDelivering }

  /// Does what an output says, as its consequence.
  package func perform(_ event: TransitionEvent, _ body: () -> Void) {
    let told = entries
    if told.isEmpty {
      body()
      return
    }
    for entry in told where entry.isActive { entry.observer.willPerform(event) }
    numbering.handling(event.number, body)
    for entry in told where entry.isActive { entry.observer.didPerform(event) }
  }

  /// Does what is to be done about an input, as its consequence.
  package func handle(_ event: TransitionEvent, _ body: () -> Void) {
    if entries.isEmpty { body() } else { numbering.handling(event.number, body) }
  }

  private func deliver(_ made: Made) {
    numbering.handling(made.event.number) {
      for entry in entries where entry.isActive && entry.firstMade <= made.order {
        entry.observer.observe(made.event)
      }
    }
  }

  /// The time that an event made now carries.
  package var now: UInt64 { Self.clock }

  /// Nanoseconds of a clock that goes on while the machine sleeps.
  package static var clock: UInt64 { staty_clock_now() }
}
