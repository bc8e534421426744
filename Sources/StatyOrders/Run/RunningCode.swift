internal import StatyReplay

/// The code that runs on the thread of a run.
struct RunningCode {
  var job: Job?
  /// The user's action that the job descends from.
  var origin = ""
  /// Which piece of code it is: a step has several if it waits for others.
  var piece = 0
  /// The real time when the job began.
  var began = ContinuousClock.now
  /// Whether it is code of the main actor.
  var isOnMain = false
  var isAnswering = false
  /// Whether it has asked a fake, or slept.
  var hasAsked = false
  /// The decision about the hop that it is.
  var hopDecision: Int?
  /// What the main thread waits for meanwhile; `nil` if it does not wait.
  var waitOfMain: Wait?
  /// The dispatch queues of which a block is being performed, and those that code has come to with `sync`.
  private var queues: [(queue: UnsafeRawPointer, isAlone: Bool)] = []

  enum Wait {
    /// Its turn on a queue.
    case turn
    /// What any code may give, such as a semaphore's signal.
    case signal
  }

  /// It runs on a queue from now on.
  ///
  /// - Parameter alone: whether nothing else may run there.
  mutating func enters(_ queue: UnsafeRawPointer, alone: Bool) { queues.append((queue, alone)) }

  /// It has left the queue that it came to last.
  mutating func leaves() { queues.removeLast() }

  func isBusy(_ queue: UnsafeRawPointer?, alone: Bool) -> Bool {
    queues.contains { $0.queue == queue && ($0.isAlone || alone) }
  }

  /// The delay that is meant by an instant, of which so much is left in real time.
  ///
  /// It was made with the real clock since the job began: what was asked for lies between what is left
  /// and what would have been left then. Nearly always it was asked for just now. On a busy machine the two
  /// are many milliseconds apart, and the roundest delay between them is taken.
  func delay(left: UInt64) -> UInt64 {
    let hundredths = left.roundedUp(to: 10_000_000)
    if left > 0, hundredths - left < 100_000 { return hundredths }
    let most = left.addingClamped(began.duration(to: .now).nanoseconds)
    for grid: UInt64 in [1_000_000_000, 100_000_000, 10_000_000] where left > 0 {
      let round = left.roundedUp(to: grid)
      if round <= most { return round }
    }
    return left.roundedUp(to: 5_000_000)
  }

  /// Whether conditions may read the model before the step has ended.
  var canBeLookedAt: Bool { waitOfMain == nil && !queues.contains(where: \.isAlone) }
}
