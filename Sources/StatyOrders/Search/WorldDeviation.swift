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
  /// A fake answers with something else.
  case answered(JobName, String)
}

extension WorldDeviation {
  /// As a condition, without the `if`.
  var words: String {
    switch self {
    case .late(let job, let others):
      others.isEmpty
        ? "\(job.words) comes last"
        : "\(job.words) is late: behind \(others.map(\.words).joined(separator: " and "))"
    case .hurried(let action, let job): "the user does '\(action)' without waiting for \(job.words)"
    case .early(let job, let other): "\(job.words) comes before \(other.words)"
    case .answered(let job, let text): "\(job.words) is \(text)"
    }
  }
}

extension JobName {
  /// What it is called in a sentence.
  var words: String {
    let which = number > 1 ? " \(number)" : ""
    let of = origin.isEmpty ? "" : " of '\(origin)'"
    switch what {
    case .answer(let name, let task):
      let asker = task.map { ", task '\($0)'," } ?? ""
      return "the answer of '\(name)'\(which)\(asker)" + (origin.isEmpty ? "" : " to '\(origin)'")
    case .call(let name): return "the call '\(name)'\(which)" + of
    case .task(let name?): return "the task '\(name)'\(which)" + of
    case .task(nil): return "task \(number)" + of
    case .block: return "block \(number)" + of
    case .timer(let delay): return "the timer of \(delay / 1_000_000) ms" + of
    case .body: return "the beginning"
    case .action: return "'\(origin)'"
    }
  }
}
