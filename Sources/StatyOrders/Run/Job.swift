/// One piece of work in a run.
struct Job {
  enum Lane {
    /// The main actor's queue: its jobs run in the order in which they were enqueued.
    case main
    case pool
  }

  enum Work {
    case job(UnownedJob, Lane)
    /// What a fake has been asked for.
    case answer(Answer)
    /// What the platform calls, or a block of the main queue.
    case call(@MainActor () -> Void)
    /// A block of another queue.
    case block(DispatchedBlock)
  }

  enum Kind {
    /// It comes at once: the order is that of a queue, or was chosen already.
    case settled
    /// A task's work on the pool: it may be late by as much as a scheduler is.
    case work
    /// The same, of a task that comes from the main actor. It often leads only to an answer, which
    /// has a choice of its own.
    case hop
    /// From elsewhere: it may be late by any time.
    case answer
  }

  let work: Work
  let kind: Kind
  /// The runtime's number of the task; 0 for what is no task.
  let task: UInt64
  let name: JobName
  /// When it is due in virtual time.
  let due: UInt64
  /// The dispatch queue that decides when a block comes.
  var queue: UnsafeRawPointer?
  /// What keeps the order of this and others, such as a serial queue.
  let source: Source?
  /// The task that sleeps until this timer comes; 0 for what is no timer of a task.
  var sleeper: UInt64 = 0
  /// Whether it is a task itself, and not what an actor does for one.
  var isTask = false
  /// Whether it is a sleep of the main actor's code, or what that goes on with on the pool.
  var isSleepOfMain = false
  /// Which piece of code has dispatched a block.
  var dispatcher = 0

  /// The main actor's jobs, and those of an answer that has come, have no choice.
  var canBeLate: Bool { kind != .settled }
  var isOnMain: Bool {
    switch work {
    case .job(_, .main), .call: true
    case .job(_, .pool), .answer, .block: false
    }
  }
  /// Whether no other block of its queue runs meanwhile.
  var isAlone: Bool {
    if case .block(let block) = work { block.isAlone } else { false }
  }
  /// The answer that it is; `nil` for what is none.
  var answer: Answer? {
    if case .answer(let answer) = work { answer } else { nil }
  }

  /// The same, of a task that was cancelled: the answer comes at once, and waits for no other.
  func cancelled(at time: UInt64) -> Job {
    Job(work: work, kind: .work, task: task, name: name, due: time, queue: queue, source: nil)
  }

  enum Source: Hashable {
    case named(String)
    case queue(UnsafeRawPointer)
    /// Blocks of the main queue that wait for a time: they come in the order of their times.
    case main
  }
}

/// An answer that a fake will give.
// Sendable: it is used on the thread under control only.
final class Answer: @unchecked Sendable {
  /// What it can be, in words; empty if it can be one thing only.
  let variants: [String]
  /// Which of them it is.
  var variant = 0
  /// Whether the task that waits for it was cancelled.
  var isCancelled = false
  private(set) var hasCome = false
  var continuation: UnsafeContinuation<Void, Never>?

  init(_ variants: [String] = []) { self.variants = variants }

  /// All variants but the first.
  var others: Range<Int> { 1..<max(1, variants.count) }

  func resume() {
    hasCome = true
    continuation?.resume()
    continuation = nil
  }
}

/// What a job is called: after the user's action that it descends from, and what it is.
struct JobName: Hashable, Sendable {
  enum What: Hashable, Sendable {
    /// The answer of a fake, and the name of the task that asked.
    case answer(String, task: String?)
    /// A call of the platform.
    case call(String)
    case task
    case block
    case timer(UInt64)
    /// What the user does.
    case action
    /// What an action, or what makes the model, goes on with.
    case rest
  }

  let what: What
  /// The user's action; empty for what the body has begun.
  let origin: String
  /// Which one of this name.
  var number = 1

  /// Whether it is more than that something goes on.
  var isTold: Bool {
    switch what {
    case .answer, .call, .timer, .block, .action: true
    case .task, .rest: false
    }
  }

  /// Whether it is what a server, a platform or a clock does.
  var isFromElsewhere: Bool {
    switch what {
    case .answer, .call, .timer: true
    case .block, .action, .task, .rest: false
    }
  }
}
