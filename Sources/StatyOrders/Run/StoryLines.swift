/// What happened in a run, in lines.
///
/// Each change stands below what led to it. What only goes on is told where otherwise a change would stand below the
/// line of another action, and where the order is about it.
struct StoryLines {
  private(set) var lines: [String] = []
  private let words: JobWords
  /// The jobs that the order is about.
  private let meant: Set<JobName>
  /// The action that the last line is about.
  private var origin = ""

  init(_ story: [RunStory.Happened], about deviations: [WorldDeviation], _ words: JobWords) {
    (self.words, meant) = (words, Set(deviations.flatMap(\.jobs)))
    for one in Self.sorted(story) { add(one) }
  }

  /// Jobs are noted at their ends, and told where they began.
  private static func sorted(_ story: [RunStory.Happened]) -> [RunStory.Happened] {
    let places = story.enumerated().map { place, one in
      // Of two jobs that began at one place, the one that was noted first ran inside the other.
      if case .job(_, _, let began) = one { (began, 0, -place, one) } else { (place, 1, 0, one) }
    }
    return places.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
  }

  private mutating func add(_ one: RunStory.Happened) {
    switch one {
    case .action(let name):
      origin = name
      lines.append("the user: \(name)")
    case .job(let job, let answer, _):
      guard let answer else { return job.isTold || meant.contains(job) ? tell(job) : () }
      origin = job.origin
      lines.append(words.condition(.answered(job, answer)))
    case .entry(let entry, let shown, let job):
      // What the test begins may listen to what an action does.
      if let job, !job.origin.isEmpty, job.origin != origin { tell(job) }
      let line = "  \(entry.words(showing: shown))"
      // A repeated move to the same value is told once.
      if !entry.isChange || line != lines.last { lines.append(line) }
    case .broken(let name): lines.append("> '\(name)' does not hold here")
    }
  }

  private mutating func tell(_ job: JobName) {
    origin = job.origin
    if lines.last != words.noun(job) { lines.append(words.noun(job)) }
  }
}
