internal import CJobs
internal import COrders
internal import Synchronization

/// The control over what one thread enqueues: its jobs and blocks go to a run.
///
/// All other threads are left alone. What they enqueue for a task of the run is taken back into it.
enum Control {
  /// The run under control: only the controlled thread uses it, and there is one at a time.
  nonisolated(unsafe) private(set) static var run: WorldRun!

  /// Whether this thread is under control.
  static var isOn: Bool { jobs_is_on() }

  // Read and written on the main actor only.
  @MainActor private static var isSearching = false

  /// Begins a search.
  ///
  /// - Returns: why it cannot be done; `nil` if it can.
  @MainActor static func begin() -> String? {
    if isSearching || jobs_is_on() {
      return "A search goes on already: an order of an order cannot be searched."
    }
    #if os(Linux)
      _ = ControlledDefaultExecutor.installed
    #endif
    if let missing = jobs_install() {
      return "This runtime has no '\(String(cString: missing))', or other code uses it: the orders "
        + "cannot be chosen."
    }
    isSearching = true
    if let failure = SelfCheck.failure {
      isSearching = false
      return failure
    }
    forgetRuns()
    orders_watch_crashes(true)
    return nil
  }

  @MainActor static func end() {
    orders_watch_crashes(false)
    isSearching = false
  }

  /// Runs a body while the jobs of this thread go to a run.
  static func of<End>(_ run: WorldRun, _ body: () -> End) -> End {
    self.run = run
    run.number = outside.withLock {
      ($0.run, $0.arrived, $0.notes) = ($0.run &+ 1, [], [])
      return $0.run
    }
    jobs_take_back({ Control.takesBack(UnownedJob($0!)) }, { Control.owns(task: $0) })
    jobs_begin(calls)
    orders_watch_steps(true)
    defer {
      orders_watch_steps(false)
      jobs_end()
      self.run = nil
    }
    return body()
  }

  // A run begins thousands of times, and the runtime keeps the address. It is never freed.
  nonisolated(unsafe) private static let calls: UnsafePointer<jobs_control> = {
    let calls = UnsafeMutablePointer<jobs_control>.allocate(capacity: 1)
    calls.initialize(
      to: jobs_control(
        on_pool: { Control.run.add(UnownedJob($0!), .pool) },
        on_main: { Control.run.add(UnownedJob($0!), .main) },
        after: {
          Control.run.add(UnownedJob($0!), .pool, after: Control.run.running.delay(left: $1))
        },
        dispatched: {
          Control.run.dispatched(
            DispatchedBlock($0!, on: $1!, isAlone: $3), root: $2,
            after: Control.run.running.delay(left: $4))
        },
        performs_block: { Control.run.performsBlock() },
        enters: { Control.run.enters($0!, alone: $1) },
        leaves: { Control.run.leaves() },
        performs_on_main: { block in Control.run.performsOnMain { orders_block_call(block) } },
        is_on_main: { Control.run.isOnMain },
        queue: { Control.run.queue },
        escaped: { Control.run.escaped("\(String(cString: $0!)) is not under control") },
        failed: { Control.run.failed(String(cString: $0!)) },
        main: jobs_executor(ControlledMain.shared.asUnownedSerialExecutor())))
    return UnsafePointer(calls)
  }()

  // MARK: Other threads

  /// The tasks of the runs of a search, by the run that they began in, and what has come back.
  private struct Outside {
    var run = 0
    /// The last run of earlier searches.
    var lastOfEarlier = 0
    var tasks: [UInt64: Int] = [:]
    var arrived: [(job: UnownedJob, lane: Job.Lane)] = []
    var strays = 0
    var notes: [String] = []
  }
  private static let outside = Mutex(Outside())

  // Not of the main actor: a check of the actor under the lock would ask for the lock.
  private static func forgetRuns() {
    outside.withLock { ($0.tasks, $0.strays, $0.lastOfEarlier) = ([:], 0, $0.run) }
  }

  /// Notes that a task belongs to the run.
  static func note(task: UInt64) {
    // What an actor does for the tasks that wait for it has no task of its own.
    if task != 0 { outside.withLock { $0.tasks[task] = $0.run } }
  }

  /// Whether a job that another thread has enqueued belongs to a run.
  ///
  /// What goes on after its run is over is dropped.
  static func takesBack(_ job: UnownedJob, _ lane: Job.Lane = .pool) -> Bool {
    let task = job.task
    return outside.withLock {
      guard let run = $0.tasks[task] else { return false }
      if run == $0.run { $0.arrived.append((job, lane)) } else { $0.strays += 1 }
      return true
    }
  }

  /// Whether a task belongs to a run of the current search.
  private static func owns(task: UInt64) -> Bool { outside.withLock { $0.tasks[task] != nil } }

  /// Notes on another thread that something was done for a run.
  static func noteElsewhere(_ what: String, in run: Int) {
    outside.withLock {
      if run == $0.run {
        $0.notes.append(what)
      } else if run > $0.lastOfEarlier {
        $0.strays += 1
      }
    }
  }

  /// What other threads have noted since the last call.
  static func notes() -> [String] {
    outside.withLock { outside in
      defer { outside.notes = [] }
      return outside.notes
    }
  }

  /// The jobs that came from other threads since the last call.
  static func arrived() -> [(job: UnownedJob, lane: Job.Lane)] {
    outside.withLock { outside in
      defer { outside.arrived = [] }
      return outside.arrived
    }
  }

  /// Whether something went on in a run that was over.
  static var hasStrays: Bool { outside.withLock { $0.strays > 0 } }
}

extension UnownedJob {
  // An unowned job is the address of the runtime's job and nothing else.
  fileprivate init(_ address: UnsafeMutableRawPointer) {
    self = unsafeBitCast(address, to: UnownedJob.self)
  }

  /// The number of its task in the runtime: addresses are used again, numbers are not.
  var task: UInt64 { jobs_task_of(address) }

  /// Whether it is a task, and not what an actor does for the tasks that wait for it.
  var isTask: Bool { jobs_is_task(address) }

  /// Whether it is what `Task.yield` waits for.
  var isYield: Bool { jobs_is_yield(address) }

  /// Whether it is a task that another one waits for before it ends.
  var isChild: Bool { jobs_is_child(address) }

  private var address: UnsafeMutableRawPointer {
    unsafeBitCast(self, to: UnsafeMutableRawPointer.self)
  }
}

extension jobs_executor {
  // An unowned executor is these two words.
  fileprivate init(_ executor: UnownedSerialExecutor) {
    self = unsafeBitCast(executor, to: jobs_executor.self)
  }
}

extension MainActor {
  /// Whether this code runs on the main actor: to assume it ends the process if it does not.
  package static var isCurrent: Bool { jobs_runs_on(jobs_executor(sharedUnownedExecutor)) }
}

extension UnownedSerialExecutor {
  /// No particular one, as on a thread of the pool.
  ///
  /// On an executor of its own, the runtime would enqueue a nonisolated function once more at each
  /// suspension.
  static let ofPool = unsafeBitCast(
    jobs_executor(identity: nil, implementation: 0), to: UnownedSerialExecutor.self)
}
