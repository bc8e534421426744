public import Staty

/// Keeps the deferred steps of a replayed controller until the recording says that they ran.
///
/// During verification no time passes. A step runs where a `resumed` event of the same cause was
/// recorded, whatever its delay. In a what-if replay the steps wait for their time.
public final class ReplayScheduler: TransitionTimer {
  private var steps: [Step] = []
  /// How the code of the controller that defers the steps is called.
  var ownCode: OwnCode
  /// The controller's events.
  var events: EventSource
  /// The number of the recorded event that the caller is handling; 0 if none.
  var currentCause: () -> Int64 = { 0 }
  /// The steps that the controller's probe has just reported as deferred, by number, and where.
  private var announced: [UInt32] = []
  private var announcedAt = EventPlace.root
  /// The steps that were reported and not handed over: they run elsewhere, or never.
  private var outside: Set<UInt32> = []
  /// Whether any step was deferred that the probe was not told of.
  private(set) var hasUntold = false
  /// Where steps wait for their time, if time passes.
  var wait: ((Duration, Step) -> Void)?

  init(_ ownCode: OwnCode, _ events: EventSource) {
    (self.ownCode, self.events) = (ownCode, events)
  }

  /// Defers a step, like a timer.
  public func schedule(
    after delay: Duration, _ action: @escaping () -> Void
  ) -> any ScheduledStep {
    let number = takeAnnounced()
    if number == 0 { hasUntold = true } else { outside.remove(number) }
    let step = Step(cause: currentCause(), number) { [ownCode] in ownCode.call(action) }
    if let wait {
      wait(delay, step)
      return step
    }
    if steps.count > 64 { steps.removeAll { $0.action == nil } }
    steps.append(step)
    return step
  }

  /// Defers a step, like the main queue.
  public func async(_ action: @escaping () -> Void) {
    _ = schedule(after: .zero, action)
  }

  /// Notes that the probe reported a deferred step: the next step that is handed over in the same
  /// place is that one.
  func announce(_ step: UInt32) {
    if place != announcedAt { announced = [] }
    announcedAt = place
    announced.append(step)
    outside.insert(step)
  }

  /// Whether the step with this number was reported, and handed over to something else.
  func isOutside(_ step: UInt32) -> Bool { outside.contains(step) }

  private func takeAnnounced() -> UInt32 {
    place == announcedAt ? announced.popLast() ?? 0 : 0
  }

  private var place: EventPlace { events.place }

  /// Takes the step that has this number in the controller's probe.
  func take(number: UInt32) -> (() -> Void)? {
    take { $0.number == number }
  }

  /// Takes the oldest step that the probe was not told of.
  func takeUntold() -> (() -> Void)? {
    take { $0.number == 0 }
  }

  /// Takes the oldest step that was deferred in the handling of this event.
  func take(cause: Int64) -> (() -> Void)? {
    take { $0.cause == cause }
  }

  /// Takes the oldest step.
  func takeOldest() -> (() -> Void)? {
    take { _ in true }
  }

  private func take(where isWanted: (Step) -> Bool) -> (() -> Void)? {
    guard let place = steps.firstIndex(where: { $0.action != nil && isWanted($0) }) else {
      return nil
    }
    return steps.remove(at: place).action.take()
  }

  /// A deferred step.
  final class Step: ScheduledStep {
    fileprivate let cause: Int64
    /// Its number among the controller's steps, from 1; 0 if its probe was not told.
    let number: UInt32
    fileprivate var action: (() -> Void)?
    /// Called before the step runs; the step does not run if it returns `false`.
    var prepare: () -> Bool = { true }

    fileprivate init(cause: Int64, _ number: UInt32, _ action: @escaping () -> Void) {
      (self.cause, self.number) = (cause, number)
      self.action = action
    }

    /// Whether it has neither run nor been cancelled.
    var isWaiting: Bool { action != nil }

    /// Runs the step at its time.
    func run() {
      guard prepare() else { return }
      action.take()?()
    }

    func cancel() {
      action = nil
    }
  }
}
