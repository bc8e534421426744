import Chance
import Staty
import Testing

/// Random signals against what each policy's doc comment promises.
///
/// A failure prints its seed; `STATY_SEED` set to it makes the same runs again.
@Suite("What the policies promise")
struct PolicyPromiseTests {
  private static let runs = 100_000 / PolicyOracle.Discipline.allCases.count + 1

  @Test(
    "a policy keeps its promise for every sequence of signals",
    arguments: PolicyOracle.Discipline.allCases)
  func promise(_ discipline: PolicyOracle.Discipline) {
    switch discipline {
    case .queue: check(QueuePolicy.self, discipline)
    case .latest: check(LatestPolicy.self, discipline)
    case .immediate: check(ImmediatePolicy.self, discipline)
    case .reject: check(RejectPolicy.self, discipline)
    case .priority: check(PriorityPolicy.self, discipline)
    case .coalesce: check(CoalescePolicy.self, discipline)
    case .routedQueue: check(RoutedPolicy<QueuePolicy>.self, discipline)
    case .routedLatest: check(RoutedPolicy<LatestPolicy>.self, discipline)
    case .routedPriority: check(RoutedPolicy<PriorityPolicy>.self, discipline)
    }
  }

  private func check<Policy: TransitionPolicy>(
    _ policy: Policy.Type, _ discipline: PolicyOracle.Discipline
  ) {
    for run in 0..<Self.runs {
      var course = Course<Policy>(discipline, seed: testSeed &+ UInt64(run))
      do {
        try course.run()
      } catch {
        Issue.record(
          """
          \(discipline.rawValue) broke "\(error.promise)".
          STATY_SEED=\(testSeed &+ UInt64(run)) makes it the first run. Signals:
          \(course.told.map { "  \($0)" }.joined(separator: "\n"))
          """)
        return
      }
    }
  }
}

/// One short run of random signals.
private struct Course<Policy: TransitionPolicy> {
  private var policy: Policy
  /// A policy restored from a snapshot during the run.
  ///
  /// It must answer like the original.
  private var twin: Policy?
  private var oracle: PolicyOracle
  private var random: SeededRandom
  private(set) var told: [Signal] = []

  init(_ discipline: PolicyOracle.Discipline, seed: UInt64) {
    random = SeededRandom(seed: seed)
    var snapshot = PolicySnapshot()
    snapshot.isWithholding = random.below(4) == 0
    oracle = PolicyOracle(discipline, isWithholding: snapshot.isWithholding)
    if oracle.isRouted { snapshot.routes = PolicyOracle.routes }
    policy = Policy(restoring: snapshot)
  }

  mutating func run() throws(PolicyOracle.Broken) {
    let restoring = random.below(24)
    for step in 0..<12 {
      if step == restoring { twin = Policy(restoring: policy.snapshot) }
      try tell(signal())
    }
    try drain()
  }

  /// Sends all due completions.
  ///
  /// After that, each waiting request has entered or was discarded.
  private mutating func drain() throws(PolicyOracle.Broken) {
    if oracle.isWithholding { try tell(.resumed) }
    var rounds = 0
    while let signal = oracle.dueCompletions.first {
      try tell(signal)
      rounds += 1
      if rounds > 40 { throw PolicyOracle.Broken("comes to rest") }
    }
    guard oracle.waiting.isEmpty else { throw PolicyOracle.Broken("nobody waits for ever") }
  }

  private mutating func tell(_ signal: Signal) throws(PolicyOracle.Broken) {
    told.append(signal)
    let before = policy
    let (fit, commands) = Self.tell(signal, &policy)
    guard (fit == .fits) == oracle.fits(signal) else {
      throw PolicyOracle.Broken("a completion fits if it was waited for, and only then")
    }
    if fit == .stray, !commands.isEmpty || policy != before {
      throw PolicyOracle.Broken("a stray changes nothing")
    }
    do {
      try oracle.witness(signal, commands)
    } catch {
      throw error as? PolicyOracle.Broken ?? PolicyOracle.Broken("\(error)")
    }
    try tellTwin(signal, fit, commands)
  }

  private mutating func tellTwin(
    _ signal: Signal, _ fit: Fit, _ commands: [Command]
  ) throws(PolicyOracle.Broken) {
    guard twin != nil else { return }
    let (twinFit, twinCommands) = Self.tell(signal, &twin!)
    guard twinFit == fit, twinCommands == commands, twin!.snapshot == policy.snapshot,
      twin!.current == policy.current, twin!.phase == policy.phase
    else { throw PolicyOracle.Broken("a restored policy goes on like the original") }
  }

  private static func tell(_ signal: Signal, _ policy: inout Policy) -> (Fit, [Command]) {
    var queue = CommandQueue()
    let fit = policy.receive(signal, &queue)
    var commands: [Command] = []
    while let command = queue.popFirst() { commands.append(command) }
    return (fit, commands)
  }
}

// MARK: Random signals

extension Course {
  private mutating func signal() -> Signal {
    switch random.below(100) {
    case 0..<36: .requested(request())
    case 36..<70: oracle.rightCompletion(&random) ?? .requested(request())
    case 70..<80: random.below(2) == 0 ? .entered(anyVisit()) : .exited(anyVisit())
    case 80..<87: .cancelled(.visit(anyVisit()))
    case 87..<89: .cancelled(.all)
    case 89: .cancelled(.tearDown)
    case 90..<98: deadline()
    default: .resumed
    }
  }

  private mutating func request() -> Request {
    Request(
      visit: VisitNumber(UInt32(oracle.requests.count + 1)),
      state: PolicyOracle.states[random.below(PolicyOracle.states.count)],
      priority: Int32(random.below(3)) - 1, equality: UInt32(random.below(3)),
      answers: UInt64(random.below(2)),
      objection: random.below(16) == 0 ? .staleOrigin : nil)
  }

  private mutating func deadline() -> Signal {
    let recoveries: [DeadlineRecovery] = [.report, .force, .skip]
    let visit =
      random.below(4) == 0 ? anyVisit() : (oracle.onStage.last?.visit ?? anyVisit())
    return .deadline(
      visit, random.below(2) == 0 ? .entered : .exited, recoveries[random.below(3)])
  }

  /// One of the visits so far, or one that never existed.
  private mutating func anyVisit() -> VisitNumber {
    VisitNumber(UInt32(random.below(oracle.requests.count + 3)))
  }
}
