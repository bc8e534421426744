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

/// What jobs are called in sentences.
struct JobWords {
  /// Where tasks and blocks were begun, and what tasks are called, if that is known.
  private let (places, names): ([JobName: String], [JobName: String])

  init(places: [JobName: String] = [:], names: [JobName: String] = [:]) {
    (self.places, self.names) = (places, names)
  }

  /// A deviation as a condition, without the `if`.
  func condition(_ deviation: WorldDeviation) -> String {
    switch deviation {
    case .late(let job, let others):
      others.isEmpty
        ? "\(noun(job)) comes last"
        : "\(noun(job)) is late: behind \(others.map(noun).joined(separator: " and "))"
    case .hurried(let action, let job): "the user does '\(action)' without waiting for \(noun(job))"
    case .early(let job, let other): "\(noun(job)) comes before \(noun(other))"
    case .justBefore(let job, let timer):
      job.what == .action
        ? "the user does \(noun(job)) just before \(noun(timer))"
        : "\(noun(job)) comes just before \(noun(timer))"
    case .during(let job, let other):
      (job.what == .action ? "the user does \(noun(job))" : "\(noun(job)) comes")
        + " while \(noun(other)) waits for the main queue"
    case .answered(let job, let text): "\(noun(job)) is \(text)"
    }
  }

  /// What a job is called in a sentence.
  func noun(_ job: JobName) -> String {
    let which = job.number > 1 ? " \(job.number)" : ""
    let of = job.origin.isEmpty ? "" : " of '\(job.origin)'"
    let place = places[job].map { " (\($0))" } ?? ""
    switch job.what {
    case .answer(let name, let task):
      let asker = task.map { ", task '\($0)'," } ?? ""
      return "the answer of '\(name)'\(which)\(asker)"
        + (job.origin.isEmpty ? "" : " to '\(job.origin)'")
    case .call(let name): return "the call '\(name)'\(which)" + of
    case .task:
      let name = names[job].map { "the task '\($0)'" } ?? "task \(job.number)"
      return name + of + place
    case .block: return "block \(job.number)" + of + place
    case .timer(let delay): return "the timer of \(delay / 1_000_000) ms" + of
    case .action: return "'\(job.origin)'"
    case .rest: return job.origin.isEmpty ? "what the test begins" : "the rest of '\(job.origin)'"
    }
  }
}
