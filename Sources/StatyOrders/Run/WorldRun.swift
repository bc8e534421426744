internal import CJobs
internal import COrders
internal import StatyReplay

/// One run of plain async code on one thread, in an order that a chooser chooses.
///
/// The user is patient unless the chooser says otherwise: everything settles before the next
/// action, and what is under way comes as soon as it can.
final class WorldRun {
  /// A scheduler may be late by so much.
  static let slack: UInt64 = 50_000_000
  /// How late an answer is for which nothing else waits.
  private static let longest: UInt64 = 3_600_000_000_000
  /// How long the user looks at what has settled.
  static let pause: UInt64 = 1_000_000_000

  /// What has not come yet.
  private var jobs = WaitingJobs()
  /// Timers that lead to nothing: the tasks that slept were cancelled.
  private var spent: [Job] = []
  private(set) var now: UInt64 = 0

  /// Which run of the process it is.
  var number = 0
  /// What makes the model.
  private var body: UserAction?
  /// What the user does.
  private(set) var script: UserScript

  /// The code that runs.
  private(set) var running = RunningCode()
  /// Whether code of the main actor runs.
  var isOnMain: Bool { running.isOnMain }
  private var lastPiece = 0
  /// Whether a new task is what the user or the test begins.
  private var isBeginning = false
  private(set) var names: JobNames
  /// The tasks that another one waits for before it ends.
  private var children: Set<UInt64> = []
  /// The timers that have come.
  private var ticked: Set<JobName> = []

  /// How many ways there were at each decision so far.
  private(set) var decisions: [Int] = []
  /// Whether anything but fakes ran on the pool: code of several threads is not interleaved.
  private(set) var hasPoolWork = false
  /// Whether fakes or sleeps had steps on the pool: they may be the model's, and are not interleaved.
  private(set) var hasPoolRest = false
  /// Whether a task began on the pool: a detached one has no trace, and may wait for a thread.
  private var hasPoolTask = false
  /// Whether a task's way to the pool had no choice.
  private(set) var hasMergedHops = false
  private(set) var story = RunStory()
  private(set) var steps = 0
  private var loops = IdleLoops()
  /// How much of a recording had happened when loops were last counted from the beginning.
  private var lastMatched = 0
  /// Whether something went on at intervals and was left.
  private(set) var hasLeftTimers = false

  /// What escaped the control.
  private(set) var escapes: [String] = []
  /// How long other threads are given.
  private(set) var patience: Patience
  let options: WorldOptions
  /// The ways in which the run can go on now, the usual one first.
  private(set) var possible: [Way] = []
  /// How many of them, the last ones, only random orders take.
  private var randomOnly = 0
  /// Chooses one of them; `nil` while the run is not played.
  private var next: (() -> Way?)?
  /// Told after each step, whenever nothing can be done at once, and whenever nothing is under way.
  var (afterEach, atPause, atRest): ((() -> Void)?, (() -> Void)?, (() -> Void)?)

  /// What the tracks do, if that is wanted.
  private(set) var tracks: TrackLog?

  init(
    _ options: WorldOptions, patience: Patience = .none, tracks: TrackLog? = nil,
    explains: Bool = false, without leftOut: Set<Int> = []
  ) {
    (self.options, self.patience, self.tracks) = (options, patience, tracks)
    script = UserScript(without: leftOut)
    names = JobNames(explains: explains)
    tracks?.onEntry = { [unowned self, explains] in
      story.note(
        .entry(
          $0, showing: explains ? self.tracks?.shown(after: $0) : nil, in: running.job?.name))
    }
  }

  // MARK: What is enqueued

  /// Takes a job, and names it after the user's action of the running one.
  func add(_ job: UnownedJob, _ lane: Job.Lane, after delay: UInt64 = 0, isAnswer: Bool = false) {
    // What an actor does for a task is what the task goes on with.
    let id = job.isTask ? job.task : running.job?.task ?? job.task
    let isOfRunning = id == running.job?.task
    // The main actor's code sleeps on the pool, goes on there and returns: that is no work of the pool.
    var isSleepOfMain = false
    if delay > 0 {
      isSleepOfMain = running.job?.kind == .hop && running.job?.isTask == true
      if isSleepOfMain { running.hasAsked = true }
    } else if job.isTask, let timer = running.job, timer.sleeper == id {
      isSleepOfMain = timer.isSleepOfMain
    } else if lane == .main, isOfRunning, running.job?.isSleepOfMain ?? false {
      running.hasAsked = true
      returning.insert(id)
    }
    // A task that goes on sleeps no more.
    if job.isTask, let at = jobs.ready.firstIndex(where: { $0.sleeper == id && id != 0 }) {
      isSleepOfMain = jobs.ready[at].isSleepOfMain
      spent.append(jobs.ready.remove(at: at))
    }
    if job.isChild { children.insert(id) }
    if job.isTask, lane == .pool, !job.isChild, names.task(id) == nil { hasPoolTask = true }
    // What an actor goes on with behind an answer may be for any task that waits for it.
    let name =
      id == 0
      ? JobName(what: .rest, origin: currentOrigin)
      : names.task(id) ?? names.begin(id, isBeginning ? .rest : .task, of: currentOrigin)
    let isOwn = isOfRunning && lane == .pool
    var kind: Job.Kind =
      isAnswer ? .answer : lane == .main || running.isAnswering ? .settled : .work
    if isOwn, case .job(_, let before)? = running.job?.work {
      if before == .main { kind = .hop } else { goesOn() }
    }
    jobs.ready.append(
      Job(
        work: .job(job, lane), kind: kind, task: id, name: delay > 0 ? timer(delay, name) : name,
        due: due(after: delay), source: nil, sleeper: delay > 0 ? jobs_current_task() : 0,
        isTask: job.isTask, isSleepOfMain: isSleepOfMain))
  }

  /// When something comes after a delay; never if that is in a hundred years, as "for ever" is said in many ways.
  private func due(after delay: UInt64) -> UInt64 {
    delay > 3_000_000_000_000_000_000 ? .max : now.addingClamped(delay)
  }

  private func timer(_ delay: UInt64, _ task: JobName) -> JobName {
    JobName(what: .timer(delay), origin: task.origin)
  }

  /// A fake is asked for something.
  func asked(_ what: String, _ source: String?, _ answer: Answer) {
    noteIfOver(what)
    goesOn()
    let task = currentTaskName
    if let task, let job = running.job { names.note(task, of: job.name) }
    let name = names.numbered(.answer(what, task: task), of: currentOrigin)
    jobs.ready.append(
      Job(
        work: .answer(answer), kind: .answer, task: 0, name: name, due: now,
        source: source.map(Job.Source.named)))
  }

  /// A task sleeps on the world's clock.
  func sleeps(for delay: UInt64, _ answer: Answer) {
    noteIfOver("the clock")
    goesOn()
    let name = JobName(what: .timer(delay), origin: currentOrigin)
    jobs.ready.append(
      Job(
        work: .answer(answer), kind: .work, task: 0, name: name, due: due(after: delay),
        source: nil, sleeper: jobs_current_task()))
  }

  /// The task that waits for an answer was cancelled: the answer comes now, without its value.
  func cancelled(_ answer: Answer) {
    answer.isCancelled = true
    if let at = jobs.late.firstIndex(where: { $0.job.answer === answer }) {
      let one = jobs.late.remove(at: at)
      story.comes(one, orBehind: running.job?.name)
      jobs.ready.append(one.job.cancelled(at: now))
    } else if let at = jobs.ready.firstIndex(where: { $0.answer === answer }) {
      jobs.ready.append(jobs.ready.remove(at: at).cancelled(at: now))
    } else {
      // Nothing would have answered it.
      jobs.ready.append(
        Job(
          work: .answer(answer), kind: .settled, task: 0,
          name: JobName(what: .answer("cancelled", task: nil), origin: running.origin), due: now,
          source: nil))
    }
  }

  /// The user's action that the running task descends from: an actor may go on with several tasks in one job.
  private var currentOrigin: String {
    guard case .job? = running.job?.work else { return running.origin }
    return names.task(jobs_current_task())?.origin ?? running.origin
  }

  /// The queue of the block that is being performed.
  var queue: UnsafeRawPointer? {
    if case .block? = running.job?.work { running.job?.queue } else { nil }
  }

  private var currentTaskName: String? {
    if #available(macOS 26, iOS 26, tvOS 26, visionOS 26, *) { Task.name } else { nil }
  }

  /// A platform calls later.
  func called(
    _ what: String, _ source: String?, after delay: UInt64, _ body: @escaping @MainActor () -> Void
  ) {
    noteIfOver(what)
    jobs.ready.append(
      Job(
        work: .call(body), kind: .answer, task: 0,
        name: names.numbered(.call(what), of: currentOrigin),
        due: due(after: delay),
        source: source.map(Job.Source.named)))
  }

  /// A block was dispatched.
  ///
  /// - Parameter root: the queue that decides when it comes; `nil` for the main queue.
  func dispatched(_ block: DispatchedBlock, root: UnsafeRawPointer?, after delay: UInt64) {
    var name = names.placed(.block, of: currentOrigin)
    if delay > 0 { name = timer(delay, name) }
    let isMain = root == nil
    let work: Job.Work = isMain ? .call { block.perform() } : .block(block)
    let kind: Job.Kind = delay > 0 ? .work : isMain || running.isAnswering ? .settled : .work
    let source = root.map(Job.Source.queue) ?? (delay > 0 ? .main : nil)
    jobs.ready.append(
      Job(
        work: work, kind: kind, task: 0, name: name, due: due(after: delay), queue: root,
        source: source, dispatcher: running.piece))
  }

  // MARK: What interrupts a step

  /// Runs what belongs to another thread, while the code that runs waits.
  private func inStep(_ body: () -> Void) {
    let before = (running, afterEach)
    let place = orders_leave()
    (running.job, running.isAnswering, running.hopDecision) = (nil, false, nil)
    body()
    orders_return(place)
    (running, afterEach) = before
  }

  /// Chooses what interrupts a step, the usual first.
  private func inside(_ ways: [Way]) -> Way {
    // What ends a run has no choice.
    guard ways.count > 1, let next else { return ways[0] }
    let before = possible
    possible = ways
    defer { possible = before }
    let way = next() ?? ways[0]
    decisions.append(ways.count)
    return way
  }

  /// Performs a job for code that waits, perhaps for it: it is not a step of its own.
  private func performInside(_ job: Job, for wait: RunningCode.Wait? = nil) {
    inStep {
      // The code that waits may be the main thread's own, or have a queue that a condition needs.
      if running.isOnMain || wait != nil || !running.canBeLookedAt { afterEach = nil }
      if running.isOnMain, let wait { running.waitOfMain = wait }
      perform(job)
    }
  }

  /// Code waits on this thread for a signal: a block that is ready is performed.
  ///
  /// - Returns: whether there was one.
  func performsBlock() -> Bool {
    steps < options.mostSteps && performsBlock(for: .signal) { _ in true }
  }

  private func performsBlock(for wait: RunningCode.Wait, _ isMeant: (Job) -> Bool) -> Bool {
    func isReady(_ job: Job) -> Bool {
      guard case .block = job.work, job.due <= now, isMeant(job) else { return false }
      return !running.isBusy(job.queue, alone: job.isAlone)
    }
    var (ways, own): ([Way], [Way]) = ([], [])
    func note(_ way: Way, _ job: Job) {
      ways.append(way)
      if job.dispatcher >= running.piece { own.append(way) }
    }
    for at in jobs.late.indices where jobs.isFirstOfSource(at) && isReady(jobs.late[at].job) {
      note(.late(at), jobs.late[at].job)
    }
    for at in jobs.ready.indices where !jobs.isBlocked(at) && isReady(jobs.ready[at]) {
      note(.job(at), jobs.ready[at])
    }
    // What other code has dispatched may need a lock that the waiting code holds.
    if wait == .signal, !own.isEmpty { ways = own }
    if ways.isEmpty { return false }
    let way = inside(ways)
    if way != ways[0] {
      story.deviate(.early(name(of: way), before: name(of: ways[0])))
    }
    switch way {
    case .late(let at, _, _):
      let one = jobs.late.remove(at: at)
      story.comes(one, orBehind: running.job?.name)
      performInside(one.job, for: wait)
    case .job(let at, _): performInside(jobs.ready.remove(at: at), for: wait)
    case .holdBack, .act, .goOn: break
    }
    return true
  }

  /// Code comes to a queue with `sync`.
  ///
  /// What the queue was given before comes first, if it cannot run meanwhile: what is ready now, and nothing
  /// that this dispatches.
  ///
  /// - Parameter alone: whether nothing else may run there meanwhile.
  /// - Returns: whether its turn comes.
  func enters(_ queue: UnsafeRawPointer, alone: Bool) -> Bool {
    var isFree = !running.isBusy(queue, alone: alone)
    let last = lastPiece
    func isBefore(_ job: Job) -> Bool {
      job.queue == queue && job.due <= now && job.dispatcher <= last
    }
    func isAwaited(_ job: Job) -> Bool { isBefore(job) && (alone || job.isAlone) }
    while isFree,
      jobs.ready.contains(where: isAwaited) || jobs.late.contains(where: { isAwaited($0.job) })
    {
      isFree = performsBlock(for: .turn, isBefore)
    }
    if !isFree {
      escaped("DispatchQueue.sync on the queue whose block is running waits for ever")
    }
    running.enters(queue, alone: alone)
    return isFree
  }

  /// It has left the queue that it came to last.
  func leaves() { running.leaves() }

  /// Runs a block of the main queue that another block waits for.
  func performsOnMain(_ body: () -> Void) {
    let isFree = !running.isOnMain && running.waitOfMain == nil
    if running.isOnMain {
      escaped("DispatchQueue.main.sync on the main queue waits for ever")
    } else if running.waitOfMain == .turn {
      escaped("DispatchQueue.main.sync in a block that the main thread waits for waits for ever")
    } else if running.waitOfMain == .signal {
      escaped("DispatchQueue.main.sync while the main thread waits for a signal may wait for ever")
    } else {
      // What the queue was given before comes first.
      repeat { performQueued() } while comesBetween()
    }
    withoutActuallyEscaping(body) { body in
      // It has returned before anything else is done.
      nonisolated(unsafe) let body = body
      perform(.call { body() })
    }
    if isFree, running.canBeLookedAt { inStep { afterEach?() } }
  }

  private func performQueued() {
    func isQueued(_ job: Job) -> Bool { job.isOnMain && job.kind == .settled && job.due <= now }
    for _ in 0..<jobs.ready.count(where: isQueued) {
      guard let at = jobs.ready.firstIndex(where: isQueued) else { break }
      performInside(jobs.ready.remove(at: at))
    }
  }

  /// Whether something comes before code that waits for the main queue: what the user does, or what comes
  /// from elsewhere.
  private func comesBetween() -> Bool {
    guard let waiting = running.job?.name else { return false }
    let way = inside(ways(canAct: isActionPossible).beforeMain())
    if way == .goOn { return false }
    story.deviate(.during(name(of: way), waiting))
    switch way {
    case .job(let at, let variant):
      let job = jobs.ready.remove(at: at)
      if variant > 0 { choose(variant, of: job) }
      performInside(job)
      performSettled()
    case .late(let at, _, _):
      let one = jobs.late.remove(at: at)
      story.comes(one, orBehind: running.job?.name)
      performInside(one.job)
      performSettled()
    case .act, .holdBack, .goOn: inStep { act() }
    }
    return true
  }

  /// Performs what follows from an answer, also on the pool.
  private func performSettled() {
    // What yields again and again does not settle.
    for _ in 0..<100 {
      let at = jobs.ready.indices.first {
        jobs.ready[$0].kind == .settled && jobs.ready[$0].due <= now && !jobs.isBlocked($0)
      }
      guard let at else { return }
      performInside(jobs.ready.remove(at: at))
    }
  }

  // MARK: What is noted

  /// Notes that a condition does not hold here.
  func broke(_ condition: String) { story.note(.broken(condition)) }

  /// Something was called that is not under control.
  func escaped(_ what: String) {
    if !escapes.contains(what) { escapes.append(what) }
  }

  /// Something asks a world whose run is over: it never answers.
  func noteIfOver(_ what: String) {
    guard self !== Control.run else { return }
    Control.run.escaped(
      "'\(what)' was asked of the world of an earlier run: an object is kept between runs")
  }

  /// A condition does not hold that ends the process in the app.
  func failed(_ condition: String) { escaped("'\(condition)' does not hold, which ends the app") }

  /// What goes on has a choice of its own: the hop needs none.
  private func goesOn() {
    running.hasAsked = true
    if let decision = running.hopDecision, !options.choosesHops {
      decisions[decision] = 1
      hasMergedHops = true
    }
    running.hopDecision = nil
  }

  // MARK: What the user does

  /// The user does something more.
  func willAct(_ action: UserAction) { script.add(action) }

  /// Begins what makes the model, and says what the user does.
  func begin(_ body: @escaping @MainActor () async -> Void) {
    self.body = UserAction("", when: nil, body)
    isBeginning = true
    self.body?.begin()
    isBeginning = false
    self.body?.taskNumber = jobs.ready.last?.task ?? 0
  }

  /// Whether the user can do the next action: what need not be done any more is left out.
  private var isActionPossible: Bool {
    while let action = script.next, action.isOver?() ?? false { script.skip() }
    guard let action = script.next else { return false }
    if let isDue = action.isDue { return isDue() }
    return action.condition.map(ask) ?? true
  }

  /// Runs code of the main actor at once, and returns what it returns.
  func ask<Value>(_ body: @MainActor () -> Value) -> Value {
    let before = (running.job, running.isOnMain)
    let place = orders_leave()
    (running.job, running.isOnMain) = (nil, true)
    defer {
      (running.job, running.isOnMain) = before
      orders_return(place)
    }
    // It has returned before anything else is done.
    nonisolated(unsafe) var value: Value?
    MainActor.assumeIsolated { value = body() }
    return value!
  }

  // MARK: Running

  /// Runs until nothing is left to be done.
  func play(_ chooser: inout some Chooser<WorldRun, Way>) {
    play(choosing: { chooser.next(in: self) })
  }

  private func play(choosing next: () -> Way?) {
    withoutActuallyEscaping(next) { next in
      self.next = next
      defer { self.next = nil }
      while steps < options.mostSteps, !(tracks?.isOver ?? false) {
        randomOnly = 0
        possible = nextWays()
        guard let way = next() else { return }
        let decision = possible.count > 1 ? decisions.count : nil
        if decision != nil { decisions.append(possible.count - randomOnly) }
        take(way, decision)
      }
    }
  }

  /// The ways in which the run can go on, the usual one first; none if nothing is left to be done.
  private func nextWays() -> [Way] {
    if loops.isLoop {
      loops.breakLoop()
      let rest = waysAtRest()
      if !rest.isEmpty, let at = jobs.first(at: now) { return rest + [.job(at)] }
    }
    // A condition may come to a queue: then blocks that are ready are performed.
    let canAct = isActionPossible
    if let at = jobs.first(at: now) {
      let ways = ways(canAct: canAct)
      let hops = ways.hops(before: at)
      if !hops.isEmpty, !options.choosesHops { (randomOnly, hasMergedHops) = (hops.count, true) }
      return ways.whileReady(at) + hops
    }
    if arrivesInTime() { return nextWays() }
    atPause?()
    // What sleeps without an end does nothing more.
    if jobs.late.isEmpty, jobs.ready.allSatisfy({ $0.due == .max }) { atRest?() }
    return waysAtRest()
  }

  /// Nothing can be done now: the user, a timer, or what is late.
  private func waysAtRest() -> [Way] {
    let canAct = isActionPossible
    if jobs.isEmpty { return canAct ? [.act()] : [] }
    let isOver = !canAct && loops.isTicking
    if isOver {
      hasLeftTimers = true
      // What only ticks is no work: without it nothing is under way.
      let isAtRest = jobs.ready.allSatisfy { $0.due == .max || loops.hasTicked($0.name) }
      if jobs.late.isEmpty, isAtRest, jobs.ready.contains(where: { $0.due < .max }) { atRest?() }
    }
    return ways(canAct: canAct).atRest { isOver && loops.isVain($0.name) }
  }

  private func ways(canAct: Bool) -> PossibleWays {
    PossibleWays(
      jobs: jobs, script: script, canAct: canAct, now: now, steps: steps)
  }

  private func take(_ way: Way, _ decision: Int?) {
    let passed = way == possible[0] ? nil : name(of: possible[0])
    switch way {
    case .job(let at, let variant):
      let job = jobs.ready.remove(at: at)
      if variant > 0 {
        choose(variant, of: job)
      } else if let passed {
        story.deviate(.early(job.name, before: passed))
      }
      if job.due > now {
        now = job.due
        // What goes on as it was recorded is no mere repetition.
        if let matched = tracks?.matched, matched > lastMatched {
          (lastMatched, loops) = (matched, IdleLoops())
        }
        loops.tick(job.name)
        ticked.insert(job.name)
      }
      if job.kind == .hop, passed == nil { running.hopDecision = decision }
      perform(job)
    case .holdBack(let at, let action):
      let job = jobs.ready.remove(at: at)
      now = max(now, job.due)
      jobs.late.append(
        LateJob(
          job: job, bound: job.kind == .answer ? .max : now + Self.slack, action: action,
          told: story.deviations.count, done: story.done.count, step: steps))
      story.deviate(.late(job.name, behind: []))
    case .act(let timer):
      if let timer {
        deviate(name(of: way), justBefore: timer)
      } else if let passed {
        story.deviate(.hurried(script.actions[script.done].name, before: passed))
      } else {
        now = max(now, script.due)
      }
      act()
    case .late(let at, let variant, let timer):
      let one = jobs.late.remove(at: at)
      if let timer { deviate(one.job.name, justBefore: timer) }
      if variant > 0 { choose(variant, of: one.job) }
      perform(late: one)
    case .goOn: break
    }
  }

  private func deviate(_ name: JobName, justBefore timer: Int) {
    story.deviate(.justBefore(name, timer: jobs.ready[timer].name))
    now = jobs.ready[timer].due - 1
  }

  private func perform(late one: LateJob) {
    // Perhaps only what goes on has come since.
    story.comes(one, orBehind: one.step < steps ? story.last : nil)
    // If nothing else takes time, it does.
    if one.job.kind == .answer, one.action == nil, jobs.late.isEmpty,
      !jobs.ready.contains(where: { $0.due < .max })
    {
      now = now.addingClamped(Self.longest)
    }
    // A step of what ticks can be late, too, and is nothing new.
    if one.job.kind == .answer { loops.allowMore() }
    perform(one.job)
  }

  private func choose(_ variant: Int, of job: Job) {
    guard let answer = job.answer else { return }
    answer.variant = variant
    story.deviate(.answered(job.name, answer.variants[variant]))
  }

  private func name(of way: Way) -> JobName {
    switch way {
    case .job(let at, _), .holdBack(let at, _): jobs.ready[at].name
    case .act: JobName(what: .action, origin: script.actions[script.done].name)
    case .late(let at, _, _): jobs.late[at].job.name
    case .goOn: running.job?.name ?? JobName(what: .rest, origin: running.origin)
    }
  }

  private func act() {
    let action = script.takeNext()
    story.note(.action(action.name))
    let before = running.origin
    running.origin = action.name
    perform(.begin(action))
    running.origin = before
    script.wait(from: now)
    loops = IdleLoops()
    steps += 1
    afterEach?()
  }

  private func perform(_ job: Job) {
    (running.job, running.origin) = (job, job.name.origin)
    let began = story.done.count
    beginPiece()
    let isYield = if case .job(let work, _) = job.work { work.isYield } else { false }
    // A hop goes on with what the job before has begun.
    if job.kind != .hop { running.began = .now }
    switch job.work {
    case .job(let work, .main):
      running.isOnMain = true
      work.runSynchronously(on: ControlledMain.shared.asUnownedSerialExecutor())
    case .job(let work, .pool):
      (running.isOnMain, running.hasAsked) = (false, false)
      work.runSynchronously(on: .ofPool)
      // What leads to a fake or a sleep, or follows from an answer, is hardly ever the model's. A sleep's
      // timer is a task of the runtime.
      if running.hasAsked || job.kind == .settled {
        hasPoolRest = true
      } else if job.sleeper == 0 {
        hasPoolWork = true
      }
    case .answer(let answer):
      running.isAnswering = true
      answer.resume()
      running.isAnswering = false
    case .call(let body): perform(.call(body))
    case .block(let block):
      (running.isOnMain, hasPoolWork) = (false, true)
      if let queue = job.queue { running.enters(queue, alone: job.isAlone) }
      block.perform()
      if job.queue != nil { running.leaves() }
    }
    loops.note(job.task, isYield: isYield)
    (running.job, running.origin, running.hopDecision) = (nil, "", nil)
    if job.kind != .settled {
      let answer = job.answer.flatMap { $0.variant > 0 ? $0.variants[$0.variant] : nil }
      story.note(.job(job.name, unusual: answer, began: began))
    }
    story.last = job.name
    steps += 1
    afterEach?()
  }

  private func beginPiece() {
    orders_note_step()
    lastPiece += 1
    running.piece = lastPiece
  }

  private enum Beginning {
    case call(@MainActor () -> Void)
    case begin(UserAction)
  }

  /// Runs what is no job yet on the main actor at once, as an event of the main run loop does.
  private func perform(_ beginning: Beginning) {
    isBeginning = true
    running.began = .now
    switch beginning {
    case .call(let body): Task { @MainActor in body() }
    case .begin(let action): action.begin()
    }
    isBeginning = false
    guard let job = jobs.ready.popLast(), case .job(let work, _) = job.work else { return }
    if case .begin(let action) = beginning { action.taskNumber = job.task }
    let before = (running.job, running.isOnMain, running.piece)
    (running.job, running.isOnMain) = (job, true)
    beginPiece()
    work.runSynchronously(on: ControlledMain.shared.asUnownedSerialExecutor())
    (running.job, running.isOnMain, running.piece) = before
  }

  // MARK: The end

  private var begun: [UserAction] { [body].compactMap(\.self) + script.actions }

  /// How many tasks and blocks have not ended, also those that only go on at intervals.
  var underWay: Int { begun.reduce(0) { $0 + $1.underWay } }

  /// The actions that have not ended, although nothing under control is left to run.
  var unfinished: [UserAction] {
    begun.filter { one in
      one.isUnderWay && !jobs.ready.contains { isOf(one, $0) }
        && !jobs.late.contains { isOf(one, $0.job) }
    }
  }

  /// Whether an action may end because of a job.
  private func isOf(_ action: UserAction, _ job: Job) -> Bool {
    if job.name.origin != action.name { return false }
    // A task of its own that only goes on at intervals ends no function.
    let isAside =
      job.sleeper != 0 && job.sleeper != action.taskNumber && !children.contains(job.sleeper)
    return action.hasReturned || !isAside || !loops.hasTicked(job.name)
  }

  /// Whether the run is over, and what is still under way ends.
  private(set) var isEnding = false
  private var vainQuestions = 0
  /// The tasks that have come back to the main actor from a sleep.
  private var returning: Set<UInt64> = []

  /// Whether what ends asks again and again.
  func asksTooOften() -> Bool {
    vainQuestions += 1
    return isEnding && vainQuestions > 1_000
  }

  /// Ends what is still under way, so that it does not go on in later runs.
  func tearDown() {
    isEnding = true
    (afterEach, atPause, atRest) = (nil, nil, nil)
    script.stop()
    jobs.ready += jobs.late.map(\.job)
    jobs.late = []
    // A sleep that is cancelled returns at once: a loop around it would go on within one step, without
    // an end. Its time comes instead.
    for one in begun where !jobs.ready.contains(where: { isSleep($0, of: one) }) { one.cancel() }
    let left = performRest()
    if jobs.ready.isEmpty {
      for one in begun where !left.contains(one.name) { one.cancel() }
      _ = performRest()
    }
    for job in spent { perform(job) }
    spent = []
    forget()
  }

  /// Whether an action would loop within one step if it was cancelled.
  ///
  /// The main actor's code comes back to its queue each time, and what sleeps without an end is not woken.
  private func isSleep(_ job: Job, of action: UserAction) -> Bool {
    let comesBack = job.isSleepOfMain && returning.contains(job.sleeper)
    return job.due > now && job.due < .max && !comesBack && job.name.origin == action.name
  }

  /// Performs what is left, and leaves behind what goes on at intervals or does not end.
  ///
  /// - Returns: the actions of what goes on at intervals.
  private func performRest() -> Set<String> {
    var left: Set<String> = []
    for _ in 0..<1_000 where !jobs.ready.isEmpty {
      let job = jobs.ready.removeFirst()
      if job.due == .max || job.due > now && !ticked.insert(job.name).inserted {
        left.insert(job.name.origin)
      } else {
        perform(job)
      }
    }
    return left
  }

  /// What was left behind holds the run: then it is all that it holds.
  private func forget() {
    // The model holds the world, and these hold the model. It may do something when it is released.
    let held = (jobs, script, body, tracks)
    defer { withExtendedLifetime(held) {} }
    (jobs, script, body) = (WaitingJobs(), UserScript(), nil)
    (story, decisions, possible) = (RunStory(), [], [])
    (names, tracks) = (JobNames(explains: false), nil)
    (children, ticked, loops) = ([], [], IdleLoops())
  }

  /// What was going on when the run was ended because it never came to rest; `nil` if it did.
  var endless: String? {
    if steps < options.mostSteps { return nil }
    return (jobs.ready.first?.name ?? story.last).map(JobWords().noun) ?? "the test"
  }

  /// Waits for what other threads enqueue for this run, if something waits for them.
  private func arrivesInTime() -> Bool {
    let hasUnfinished = !unfinished.isEmpty
    let time = patience.time(hasUnfinished: hasUnfinished, hasPoolTask: hasPoolTask)
    if arrives(within: time) { return true }
    if time > .zero { patience.spend(hasUnfinished: hasUnfinished) }
    return false
  }

  /// Takes what other threads have enqueued for this run.
  ///
  /// - Parameter time: how much they are given.
  /// - Returns: whether there was anything.
  func arrives(within time: Duration) -> Bool {
    let began = time > .zero ? ContinuousClock.now : nil
    while true {
      for note in Control.notes() { escaped(note) }
      let arrived = Control.arrived()
      for (job, lane) in arrived {
        // What it comes from is an answer from elsewhere: it may be late.
        add(job, lane, isAnswer: true)
        escaped("another thread went on with \(JobWords().noun(jobs.ready.last!.name))")
      }
      let waited = began.map { ContinuousClock.now - $0 } ?? .zero
      if !arrived.isEmpty || waited >= time { return !arrived.isEmpty }
      orders_note_step()
      orders_pause()
    }
  }
}
