/// One thing in a run that was otherwise than with a patient user.
enum WorldDeviation: Hashable, Sendable {
  /// A job comes late: behind the user's last action and what came last.
  ///
  /// With neither, it never comes.
  case late(JobName, behind: [JobName])
  /// The user does not wait for a job.
  case hurried(String, before: JobName)
  /// A timer comes before what would have come first.
  case early(JobName, before: JobName)
  /// What the user does, or a late answer, comes at the last moment before a timer.
  case justBefore(JobName, timer: JobName)
  /// What the user does, or what comes from elsewhere, comes while other code waits for the main queue.
  case during(JobName, JobName)
  /// A fake answers with something else.
  case answered(JobName, String)
}

extension WorldDeviation {
  /// How far it is from what people say of a bug: that an answer was late.
  var oddity: Int {
    switch self {
    case .late(let job, _): job.isFromElsewhere ? 0 : 2
    case .answered: 0
    case .hurried(_, let job): job.isFromElsewhere ? 1 : 3
    case .early, .justBefore, .during: 2
    }
  }

  /// The jobs that it is about.
  var jobs: [JobName] {
    switch self {
    case .late(let job, let others): [job] + others
    case .hurried(_, let job), .answered(let job, _): [job]
    case .early(let job, let other), .justBefore(let job, let other), .during(let job, let other):
      [job, other]
    }
  }
}
