internal import StatyReplay

extension WorldRun {
  /// What may come next.
  enum Way: Equatable {
    /// A job that is ready, by its place; of an answer, one of its variants.
    case job(Int, variant: Int = 0)
    /// A job that is ready is late: behind the action with this number, or behind everything.
    case holdBack(Int, behind: Int? = nil)
    /// The user does the next action: now, or just before a timer.
    case act(before: Int? = nil)
    /// A job that was late comes.
    case late(Int, variant: Int = 0, before: Int? = nil)
    /// The running step goes on: nothing interrupts it.
    case goOn
  }
}

/// The ways in which a run can go on at one moment, the usual one first.
struct PossibleWays {
  typealias Way = WorldRun.Way

  let jobs: WaitingJobs
  let script: UserScript
  /// Whether the user can do the next action.
  let canAct: Bool
  let now: UInt64
  let steps: Int

  // MARK: While something is ready

  /// The ways while the job at this place comes first.
  func whileReady(_ at: Int) -> [Way] {
    let job = jobs.ready[at]
    if !job.canBeLate, !job.isOnMain { return [.job(at)] }
    var ways = [Way.job(at)]
    if job.canBeLate { ways.append(.holdBack(at)) }
    if canAct { ways.append(.act()) }
    if job.canBeLate { ways += actionsBefore(late: job).map { .holdBack(at, behind: $0) } }
    if job.isOnMain {
      ways += jobs.early(behind: at, at: now, .work).map { .job($0) }
      // A thread that was late comes between two others.
      ways += jobs.late.indices.filter {
        let one = jobs.late[$0]
        return !one.job.isOnMain && one.step < steps && hasItsAction(one)
          && jobs.isFirstOfSource($0)
      }.flatMap { [.late($0)] + variants(late: $0) }
    }
    return ways + variants(ready: at)
  }

  /// What tasks do on their way to the pool comes before the job at this place.
  func hops(before at: Int) -> [Way] {
    jobs.ready[at].isOnMain ? jobs.early(behind: at, at: now, .hop).map { .job($0) } : []
  }

  /// The actions that a job may be late behind, if it is not to be behind everything.
  private func actionsBefore(late job: Job) -> Range<Int> {
    let last = script.actions.count - 1
    if last < 0 { return 0..<0 }
    // Directly behind the last action, an answer comes before the timers that wait then.
    let hasTimer = jobs.ready.contains { $0.due > now && $0.due < .max }
    if job.kind == .answer, script.done <= last || hasTimer {
      return min(script.done, last)..<(last + 1)
    }
    return min(script.done, last)..<last
  }

  // MARK: When nothing is ready

  /// The ways when nothing can be done now: the user, a timer, or what is late.
  ///
  /// - Parameter isLeft: whether a timer is left, because nothing new comes of it.
  func atRest(besides isLeft: (Job) -> Bool) -> [Way] {
    // What sleeps without an end is not woken.
    let timers = jobs.ready.indices.filter {
      let job = jobs.ready[$0]
      return job.due > now && job.due < .max && !isLeft(job)
        && !jobs.isBlocked($0, besides: isLeft)
    }
    let first = timers.map { jobs.ready[$0].due }.min() ?? .max
    // No timer comes so early that what is late would have to be later than it can be.
    let bound = jobs.late.map(\.bound).min() ?? .max
    var ways: [(key: UInt64, way: Way)] = []
    for at in jobs.late.indices where jobs.isFirstOfSource(at) {
      let one = jobs.late[at]
      let isBehindAction = one.action != nil && hasItsAction(one)
      ways.append((isBehindAction ? now : first > one.bound ? first : .max, .late(at)))
    }
    if canAct { ways.append((max(now, script.due), .act())) }
    // The time until the next timer passes, too.
    if first > now.addingClamped(1), first <= bound,
      let timer = timers.first(where: { jobs.ready[$0].due == first })
    {
      if canAct { ways.append((.max, .act(before: timer))) }
      for at in jobs.late.indices
      where jobs.isFirstOfSource(at) && jobs.late[at].job.kind == .answer {
        if jobs.late[at].action == nil { ways.append((.max, .late(at, before: timer))) }
      }
    }
    for at in timers where jobs.ready[at].due <= min(bound, first.addingClamped(WorldRun.slack)) {
      ways.append((jobs.ready[at].due, .job(at)))
      // A platform's call may take longer than it has to.
      if jobs.ready[at].kind == .answer { ways.append((.max, .holdBack(at))) }
    }
    let sorted = ways.enumerated().sorted {
      ($0.element.key, $0.offset) < ($1.element.key, $1.offset)
    }.map(\.element.way)
    let others = sorted.flatMap { way -> [Way] in
      if case .late(let at, _, _) = way { variants(late: at) } else { [] }
    }
    return sorted + others
  }

  // MARK: While a step waits

  /// The ways while code waits for the main queue: it goes on, the user acts, or something comes from
  /// elsewhere.
  func beforeMain() -> [Way] {
    var ways = [Way.goOn]
    if canAct { ways.append(.act()) }
    for at in jobs.ready.indices {
      let job = jobs.ready[at]
      guard job.kind == .answer, job.due <= now, !jobs.isBlocked(at) else { continue }
      ways += [.job(at)] + variants(ready: at)
    }
    for at in jobs.late.indices
    where jobs.late[at].job.kind == .answer && jobs.isFirstOfSource(at)
      && hasItsAction(jobs.late[at])
    {
      ways.append(.late(at))
    }
    return ways
  }

  // MARK: One job

  /// Whether what a late job is behind has been done.
  private func hasItsAction(_ late: LateJob) -> Bool {
    late.action.map { $0 < script.done } ?? true
  }

  private func variants(ready at: Int) -> [Way] {
    jobs.ready[at].answer?.others.map { .job(at, variant: $0) } ?? []
  }

  private func variants(late at: Int) -> [Way] {
    jobs.late[at].job.answer?.others.map { .late(at, variant: $0) } ?? []
  }
}
