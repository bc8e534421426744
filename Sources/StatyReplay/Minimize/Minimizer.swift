package import StatyHistory
import StatyReading
public import StatyRules

/// Finds the smallest set of requests of a recording, and their shortest order, that shows the same
/// finding.
///
/// ```swift
/// let minimizer = try Minimizer(ofHistoryAt: "history.sqlite", session: 1, registry: registry)
/// let minimization = try minimizer.run()
/// print(minimization.schedule)
/// ```
///
/// It plays the recording to the controller in the recorded order, and again with fewer and fewer
/// requests. Then it searches every order of the rest for a shorter one, and for one that needs a
/// request less.
///
/// Only broken rules can be minimized: a replay that diverges without a broken rule is no
/// finding.
public struct Minimizer {
  /// The limits of a minimizer.
  public struct Options: Hashable, Sendable {
    /// The rules that count if no finding is given; `nil` for all errors, `lateAnswer`,
    /// `doublePush` and `mirror`.
    public var codes: Set<RuleCode>?
    /// How many steps an order may have that is searched for.
    public var mostSteps = 1_000
    /// How many runs are made in all.
    public var mostRuns = 100_000
    /// How many bytes each search of all orders may hold, as `Explorer.Options.mostBytes`.
    public var mostBytes = 1_000_000_000
    /// How long it may take, from the first read of the recording on; `nil` for no limit.
    ///
    /// The first run of the recording has ten seconds in any case.
    public var time: Duration? = .seconds(60)

    /// The defaults, enough for a few requests: the default limits of `staty minimize`.
    public init() {}
  }

  /// The progress of a minimizer.
  public struct Progress: Hashable, Sendable {
    /// How many requests are left.
    public internal(set) var requests: Int
    /// How many runs were made.
    public internal(set) var runs: Int
  }

  private let start: RequestReduction
  private let deadline: ContinuousClock.Instant?
  private let registry: ControllerRegistry
  private let options: Options
  private let requests: Int
  private let events: Int
  /// The least time for the first run of the recording: before that nothing can be removed.
  private static let leastTime = Duration.seconds(10)

  /// Plays a session of a history once, and minimizes the first rule that is broken in that run.
  ///
  /// - Parameter path: where a recorder has written.
  /// - Throws: a ``MinimizerError`` that says why nothing can be minimized, an error that says why
  ///   the file cannot be read, or what a controller's factory throws.
  public init(
    ofHistoryAt path: String, session: Int64,
    registry: ControllerRegistry = ControllerRegistry(), options: Options = Options()
  ) throws {
    try self.init(
      HistoryReader(path: path), session: session, finding: nil, registry: registry,
      options: options)
  }

  /// Plays the recording once.
  ///
  /// - Parameters:
  ///   - finding: what was found in the recording. `nil` for the first finding of the run; pass
  ///     that if other controllers replace the recorded ones.
  ///   - controllers: the numbers of the controllers that are played; by default all. The finding's
  ///     controller is played alone if that is enough.
  ///   - replacement: which controllers are of another kind than the recorded one.
  /// - Throws: a ``MinimizerError`` that says why nothing can be minimized, a `HistoryError`, a
  ///   `RegistryError`, or what a controller's factory throws.
  package init(
    _ reader: HistoryReader, session: Int64, finding: Finding?, only controllers: Set<Int32>? = nil,
    registry: ControllerRegistry = ControllerRegistry(), with replacement: Replacement = .none,
    options: Options = Options()
  ) throws {
    self.registry = registry
    self.options = options
    let now = ContinuousClock.now
    deadline = options.time.map { now + $0 }
    let recording = Recording(
      reader: reader, session: session, registry: registry, replacement: replacement,
      deadline: options.time.map { now + max($0, Self.leastTime) })
    let first = try recording.begin(finding, only: controllers, options)
    (start, requests, events) = (first.reduction, first.requests, first.events)
  }

  /// Makes the run as small as possible.
  ///
  /// - Parameter progress: called now and then.
  /// - Throws: what a controller's factory throws.
  public func run(_ progress: @escaping (Progress) -> Void = { _ in }) throws -> Minimization {
    var search = MinimalSearch(start, registry, options, until: deadline, progress)
    let proof = try search.run()
    let rest = search.reduction
    var minimization = Minimization(
      kept: rest.kept, finding: rest.found.finding, scenario: rest.scenario,
      schedule: rest.found.schedule, isAtEnd: rest.found.isAtEnd,
      isInAnotherWay: rest.isInAnotherWay,
      requests: .init(before: requests, after: rest.scenario.removable.count),
      events: .init(before: events, after: 0), proof: proof,
      runs: search.runs, doubts: search.doubts)
    minimization.events.after = try self.run(of: minimization).events.count
    return minimization
  }

  /// A run of the result that ends with the finding.
  ///
  /// Steps that the controller has deferred by then still run: a visit that enters in such a step
  /// was not forgotten.
  public func run(of minimization: Minimization) throws -> ScheduleRun {
    let run = try ScheduleRun.following(minimization.schedule, of: minimization.scenario, registry)
    if minimization.isAtEnd { run.finish() } else { run.stop() }
    return run
  }
}

extension ScheduleRun {
  /// The app name of a history that was minimized.
  package static let minimizedAppName = "staty minimize"

  /// A run of a schedule that was run before.
  static func following(
    _ schedule: Schedule, of scenario: Scenario, _ registry: ControllerRegistry
  ) throws -> ScheduleRun {
    let run = try ScheduleRun(scenario, registry: registry)
    run.mostEvents = .max
    for step in schedule { run.take(step) }
    return run
  }
}

/// What is minimized, and what it is played with.
private struct Recording {
  let reader: HistoryReader
  let session: Int64
  let registry: ControllerRegistry
  let replacement: Replacement
  let deadline: ContinuousClock.Instant?

  /// Plays the finding's controller alone or, if it needs the others, with them.
  func begin(
    _ finding: Finding?, only controllers: Set<Int32>?, _ options: Minimizer.Options
  ) throws -> (reduction: RequestReduction, requests: Int, events: Int) {
    if let finding { try check(finding) }
    var casts = [controllers]
    if let finding { casts.insert([finding.controller], at: 0) }
    let names = registry.current(try reader.names())
    for cast in casts {
      var order = try RecordedOrder(
        reader, session: session, only: cast, registry: registry, with: replacement)
      if let finding { try check(finding, order.scenario) }
      order.scenario = try order.scenario.knowingQuestions(registry)
      let doubts = order.scenario.doubts.filter { isRelevant($0, order.scenario, finding) }
      order.scenario.doubts = doubts
      // The search is for orders of only a part of the recording.
      order.scenario.recorded = []
      let steps = order.scenario.recordedOrder
      order.scenario.recordedOrder = []
      let recorded = try finding.map { try kept($0, order, names) }
      let reduction = try RequestReduction(
        order.scenario, steps, registry, mostEvents: 20_000 + 4 * order.count,
        until: deadline, recorded
      ) { finding, run in
        if let codes = options.codes { return codes.contains(finding.code) }
        return finding.code.isPlayed && finding.isSought && !run.isOwnSilence(finding)
      }
      if let reduction { return (reduction, order.scenario.removable.count, order.count) }
      if let deadline, ContinuousClock.now >= deadline { throw MinimizerError.tooLong }
    }
    guard let finding else { throw MinimizerError.nothingBroken }
    throw MinimizerError.notReproduced(finding.code)
  }

  /// A recorded finding, with what set it off if the recording tells in which call each event happened.
  private func kept(
    _ finding: Finding, _ order: RecordedOrder, _ names: [Int32: String]
  ) throws -> KeptFinding {
    let key = try order.key(of: finding, reader, session: session, names)
    let controllers = try reader.controllers(session: session)
    let record = controllers.first { $0.id == finding.controller }
    guard record?.comparability.hasCauses == true else { return KeptFinding(finding, key, nil) }
    let trigger = try FindingTrigger(of: finding) {
      try reader.event($0, session: session)
    } name: {
      names[$0]
    }
    return KeptFinding(finding, key, trigger)
  }

  private func check(_ finding: Finding) throws {
    guard finding.code.isPlayed else { throw MinimizerError.notPlayed(finding.code) }
    let records = try reader.controllers(session: session)
    guard let record = records.first(where: { $0.id == finding.controller }) else { return }
    guard record.comparability.hasOrders else { throw MinimizerError.tellsTooLittle }
    let kind = replacement.name(for: record.id, recorded: record.kind)
    guard registry.contains(kind) else { throw MinimizerError.unknownController(kind) }
  }

  /// Whether a doubt is about the played controllers and about events before the finding.
  private func isRelevant(
    _ doubt: ReplayDoubt, _ scenario: Scenario, _ finding: Finding?
  ) -> Bool {
    guard let id = doubt.controller else { return true }
    // An answer stays where it was recorded: a smaller order only leaves others out.
    if case .unplayedQuestion = doubt { return false }
    return scenario.controllers.contains { $0.id == id }
      && doubt.seq ?? .min <= finding?.seq ?? .max
  }

  private func check(_ finding: Finding, _ scenario: Scenario) throws {
    for doubt in scenario.doubts {
      switch doubt {
      case .gap(finding.controller, let seq) where seq <= finding.seq:
        throw MinimizerError.hasGaps(seq: seq)
      case .lateAttachment(finding.controller), .unreadableSnapshot(finding.controller):
        throw MinimizerError.beginsLate
      default: continue
      }
    }
  }
}
