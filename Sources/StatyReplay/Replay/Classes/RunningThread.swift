internal import CJobs
import CStaty
import Synchronization

/// The thread that runs classes again.
///
/// What a class does on another thread, or begins in a task, is noted and goes no further, because
/// the replay cannot decide when it comes.
final class RunningThread: Sendable {
  private let number = staty_thread_number()
  private let controller = Atomic(Int64.min)

  /// The doubt about the class that last did something elsewhere; `nil` if none did.
  var doubt: ReplayDoubt? {
    let controller = controller.load(ordering: .relaxed)
    return controller == .min ? nil : .elsewhere(controller: Int32(controller))
  }

  init() { MainStandIn.install() }

  /// Performs what a class does, and notes if it starts a task: what comes of that is not run.
  func perform(of controller: Int32, _ body: () -> Void) {
    if startsTask(body) { note(controller) }
  }

  /// Performs a body.
  ///
  /// - Returns: whether it has started a task.
  func startsTask(_ body: () -> Void) -> Bool {
    let before = jobs_enqueued()
    let counted = jobs_count(true)
    body()
    jobs_count(counted)
    return jobs_enqueued() != before
  }

  /// Notes that a class goes on elsewhere.
  func note(_ controller: Int32) {
    self.controller.store(Int64(controller), ordering: .relaxed)
  }

  /// Whether this is the thread; if not, that is noted of a class.
  func isCurrent(for controller: Int32) -> Bool {
    if staty_thread_number() == number { return true }
    note(controller)
    return false
  }
}

/// Gets what a class that is run again enqueues on the main actor, and passes it on.
private final class MainStandIn: SerialExecutor {
  private static let shared = MainStandIn()
  private static let installed: Void = {
    // Two words, like the runtime's own.
    jobs_stand_in(unsafeBitCast(shared.asUnownedSerialExecutor(), to: jobs_executor.self))
    // What a runtime does not have is not counted.
    _ = jobs_install()
  }()

  static func install() { installed }

  func enqueue(_ job: UnownedJob) {
    jobs_pass_on(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
  }
}
