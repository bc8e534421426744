public import Staty

/// Keeps the steps that a replayed controller puts off until the recording says that they ran.
///
/// When a recording is verified no time passes: a step runs where a `resumed` event of the same
/// cause was recorded, however long it was to wait. In a what-if replay the steps wait for their
/// time.
public final class ReplayScheduler: TransitionTimer {
  private var steps: [Step] = []
  /// Whose steps they are.
  weak var context: ReplayContext?
  /// The number of the recorded event in whose handling the caller stands; 0 if in none.
  var currentCause: () -> Int64 = { 0 }
  /// The steps that the controller's probe has just said to be put off, by their numbers, and where.
  private var announced: [UInt32] = []
  private var announcedAt = EventPlace.root
  /// Whether a step was ever handed over that the probe was not told of.
  private(set) var hasUntold = false
  /// Where steps wait for their time, if time passes.
  var wait: ((Duration, Step) -> Void)?

  init() {}

  /// Puts a step off, as a timer would.
  public func schedule(
    after delay: Duration, _ action: @escaping () -> Void
  ) -> any ScheduledStep {
    let number = takeAnnounced()
    if number == 0 { hasUntold = true }
    let step = Step(cause: currentCause(), number) { [weak context] in
      guard let context else { return action() }
      context.calling(action)
    }
    if let wait {
      wait(delay, step)
      return step
    }
    if steps.count > 64 { steps.removeAll { $0.action == nil } }
    steps.append(step)
    return step
  }

  /// Puts a step off, as the main queue would.
  public func async(_ action: @escaping () -> Void) {
    _ = schedule(after: .zero, action)
  }

  /// The probe was told that a step is put off: what is handed over here next, and in the same place, is
  /// that step.
  func announce(_ step: UInt32) {
    if place != announcedAt { announced = [] }
    announcedAt = place
    announced.append(step)
  }

  private func takeAnnounced() -> UInt32 {
    place == announcedAt ? announced.popLast() ?? 0 : 0
  }

  private var place: EventPlace { context?.probe.events.place ?? .root }

  /// Takes out the step that the controller's probe has given this number.
  func take(number: UInt32) -> (() -> Void)? {
    take { $0.number == number }
  }

  /// Takes out the oldest step that the probe was not told of.
  func takeUntold() -> (() -> Void)? {
    take { $0.number == 0 }
  }

  /// Takes out the oldest step that was put off in the handling of this event.
  func take(cause: Int64) -> (() -> Void)? {
    take { $0.cause == cause }
  }

  /// Takes out the oldest step.
  func takeOldest() -> (() -> Void)? {
    take { _ in true }
  }

  private func take(where isWanted: (Step) -> Bool) -> (() -> Void)? {
    guard let place = steps.firstIndex(where: { $0.action != nil && isWanted($0) }) else {
      return nil
    }
    return steps.remove(at: place).action.take()
  }

  /// A step that was put off.
  final class Step: ScheduledStep {
    fileprivate let cause: Int64
    /// Which of the controller's steps it is, from 1; 0 if its probe was not told.
    let number: UInt32
    fileprivate var action: (() -> Void)?
    /// Called before it runs; it does not if that says no.
    var prepare: () -> Bool = { true }

    fileprivate init(cause: Int64, _ number: UInt32, _ action: @escaping () -> Void) {
      (self.cause, self.number) = (cause, number)
      self.action = action
    }

    /// Whether it has neither run nor been cancelled.
    var isWaiting: Bool { action != nil }

    /// Its time has come.
    func run() {
      guard prepare() else { return }
      action.take()?()
    }

    func cancel() {
      action = nil
    }
  }
}
