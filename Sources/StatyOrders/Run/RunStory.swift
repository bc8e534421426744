/// What has come in a run, and what of it was otherwise than usual.
struct RunStory {
  private(set) var done: [Happened] = []
  private(set) var deviations: [WorldDeviation] = []
  /// The job that was performed last.
  var last: JobName?

  enum Happened: Hashable {
    case action(String)
    /// A job, what it was if it was not what it usually is, and how much had happened when it began.
    case job(JobName, unusual: String?, began: Int)
    /// What a track did, and in which job.
    case entry(TrackLog.Entry, showing: String?, in: JobName?)
    /// A condition does not hold any more.
    case broken(String)
  }

  mutating func note(_ event: Happened) { done.append(event) }

  mutating func deviate(_ deviation: WorldDeviation) { deviations.append(deviation) }

  /// A job that was held back comes now: what it is behind is known.
  ///
  /// - Parameter other: what it is behind if nothing that is told has come since.
  mutating func comes(_ late: LateJob, orBehind other: JobName?) {
    var behind = happened(since: late.done)
    if behind.isEmpty { behind = [other].compactMap(\.self) }
    deviations[late.told] = .late(late.job.name, behind: behind)
  }

  /// The last thing that the user did, and the last that came after it: of those that have a name of
  /// their own, if there are any.
  private func happened(since place: Int) -> [JobName] {
    var (last, lastOfAny): (JobName?, JobName?)
    var action: JobName?
    for event in done[place...].reversed() where action == nil {
      switch event {
      case .action(let name): action = JobName(what: .action, origin: name)
      case .job(let name, _, _):
        lastOfAny = lastOfAny ?? name
        if name.isTold { last = last ?? name }
      case .entry, .broken: break
      }
    }
    return [action, last ?? lastOfAny].compactMap(\.self)
  }
}
