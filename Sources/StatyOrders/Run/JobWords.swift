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
