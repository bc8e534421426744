internal import CJobs
internal import StatyReplay
#if os(Linux)
  @_spi(ExperimentalScheduling) @_spi(ExperimentalCustomExecutors) internal import _Concurrency
#endif

/// What the main actor runs on while a thread is under control.
final class ControlledMain: SerialExecutor {
  static let shared = ControlledMain()

  func enqueue(_ job: UnownedJob) { take(job, after: 0) }

  private func take(_ job: UnownedJob, after delay: UInt64) {
    if jobs_is_on() {
      Control.run.add(job, .main, after: delay)
    } else {
      // Another thread goes on with the main actor's code: of this run, or of one that is over.
      _ = Control.takesBack(job, .main)
    }
  }

  func checkIsolated() {
    // As without control: the code runs somewhere else and takes it for the main actor.
    precondition(
      jobs_is_on() && Control.run.isOnMain,
      "Incorrect actor executor assumption: this code does not run on the main actor.")
  }
}

#if os(Linux)
  extension ControlledMain: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      take(UnownedJob(job), after: (delay as? Duration)?.nanoseconds ?? 0)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      guard jobs_is_on() else { return take(UnownedJob(job), after: 0) }
      take(UnownedJob(job), after: clock.delay(to: instant))
    }
  }

  /// The default executor of the process: `Task.sleep` asks it and passes by all hooks.
  ///
  /// It hands on what threads enqueue that are not under control.
  final class ControlledDefaultExecutor: TaskExecutor, SchedulingExecutor {
    /// Installs it, once.
    static let installed: Void = _createExecutors(factory: Factory.self)

    private struct Factory: ExecutorFactory {
      static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
      static let shared = ControlledDefaultExecutor()
      static var defaultExecutor: any TaskExecutor { shared }
    }

    private let platform =
      PlatformExecutorFactory.defaultExecutor as! any TaskExecutor & SchedulingExecutor

    func enqueue(_ job: UnownedJob) {
      if jobs_is_on() {
        Control.run.add(job, .pool)
      } else if !Control.takesBack(job) {
        platform.enqueue(job)
      }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      if jobs_is_on() {
        Control.run.add(UnownedJob(job), .pool, after: (delay as? Duration)?.nanoseconds ?? 0)
      } else {
        platform.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
      }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      if jobs_is_on() {
        Control.run.add(UnownedJob(job), .pool, after: clock.delay(to: instant))
      } else {
        platform.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
      }
    }
  }

  extension Clock {
    /// The delay of the running job that is meant by an instant, in nanoseconds.
    fileprivate func delay(to instant: Instant) -> UInt64 {
      // Both clocks of the system, which alone sleep here, count in this type.
      Control.run.running.delay(
        left: (now.duration(to: instant) as? Swift.Duration)?.nanoseconds ?? 0)
    }
  }
#endif

extension Duration {
  /// Not below zero, and for ever if they are too many.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = UInt64(max(0, seconds)).multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLong ? .max : whole.addingClamped(UInt64(max(0, attoseconds)) / 1_000_000_000)
  }
}

extension UInt64 {
  func roundedUp(to grid: UInt64) -> UInt64 {
    let up = addingClamped(grid - 1)
    return up == .max ? up : up / grid * grid
  }
}
