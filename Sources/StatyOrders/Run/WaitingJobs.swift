/// The jobs of a run that have not come yet.
struct WaitingJobs {
  /// What comes by itself, in the order in which it was enqueued.
  var ready: [Job] = []
  /// What was held back.
  var late: [LateJob] = []

  var isEmpty: Bool { ready.isEmpty && late.isEmpty }

  /// The place of the first job that is ready and may come now.
  func first(at now: UInt64) -> Int? {
    ready.indices.first { ready[$0].due <= now && !isBlocked($0) }
  }

  /// The jobs of a kind of the pool that may run before a job of the main actor.
  func early(behind at: Int, at now: UInt64, _ kind: Job.Kind) -> [Int] {
    ready.indices.filter {
      let job = ready[$0]
      return $0 > at && job.kind == kind && job.due <= now && !isBlocked($0)
    }
  }

  /// Whether something of the same source comes before a job that is ready, besides what comes no more.
  func isBlocked(_ at: Int, besides isLeft: (Job) -> Bool = { _ in false }) -> Bool {
    let job = ready[at]
    if job.source == nil { return false }
    return late.contains { job.waits(for: $0.job) }
      || ready.indices.contains {
        (ready[$0].due, $0) < (job.due, at) && job.waits(for: ready[$0]) && !isLeft(ready[$0])
      }
  }

  /// Whether nothing of the same source is late before a job that is.
  func isFirstOfSource(_ at: Int) -> Bool {
    !late[..<at].contains { late[at].job.waits(for: $0.job) }
  }
}

/// A job that was held back.
struct LateJob {
  let job: Job
  /// Until when a timer cannot come before it.
  let bound: UInt64
  /// The action that it is behind; `nil` if it is behind everything.
  let action: Int?
  /// Where it is told, and how much had come before.
  let told: Int
  let done: Int
  /// The step at which it was ready.
  let step: Int
}

extension Job {
  /// Whether it keeps its place behind another one of the same source.
  fileprivate func waits(for other: Job) -> Bool {
    guard let source, source == other.source else { return false }
    // Of a concurrent queue's blocks, those that run alone do.
    if case .queue = source { return isAlone || other.isAlone }
    return true
  }
}
