import Staty
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules

/// How controllers are made and driven again: the one place of the tool that knows.
struct ReplayEngine {
  private let registry: ControllerRegistry
  /// Knows whether a controller's own code was called and has not returned.
  let vigil = ReplayVigil()

  /// An engine that makes controllers as the registry says.
  init(_ registry: ControllerRegistry) {
    var registry = registry
    registry.vigil = vigil
    self.registry = registry
  }

  /// The kinds of controller that can be made, by the names that recordings have.
  var names: [String] { registry.names }

  /// The names of states by which controllers of a kind decide.
  func names(readBy kind: String) -> Set<String> {
    Set(registry.names(readBy: kind).map(\.description))
  }

  /// Replays a session once.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with.
  ///   - replacement: the kinds of controller to replay with instead of the recorded ones.
  ///   - controllers: the numbers of those that are replayed.
  func replay(
    _ session: SessionRecord, _ reader: HistoryReader, through last: Int64?,
    with replacement: Replacement,
    about controllers: Set<Int32>
  ) throws -> ReplayResult {
    let verification = try Verification(
      reader, session: session.id, through: last, only: controllers, registry: registry,
      with: replacement)
    return try verification.run()
  }

  /// Plays a session once, with something changed.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with.
  ///   - replacement: the kinds of controller to play with instead of the recorded ones.
  ///   - controllers: the numbers of those that are played.
  func whatIf(
    _ session: SessionRecord, _ reader: HistoryReader, through last: Int64?,
    with replacement: Replacement,
    about controllers: Set<Int32>, _ changes: WhatIfReplay.Changes
  ) throws -> WhatIfResult {
    var options = WhatIf.Options()
    options.replacement = replacement
    options.edits = changes.edits
    if let assumed = changes.assumed { options.assumed = assumed }
    return try WhatIf(
      reader, session: session.id, through: last, only: controllers, registry: registry,
      options: options
    ).run()
  }

  /// What writes a test of what was found in a session.
  ///
  /// - Parameter right: the kind of controller whose order is right.
  func testWriter(
    _ reader: HistoryReader, session: Int64, about finding: Finding, right: String,
    _ surroundings: TestWriter.Surroundings
  ) throws -> TestWriter {
    try TestWriter(
      reader, session: session, about: finding, registry: registry, right: right, surroundings)
  }

  /// What makes what a session shows smaller.
  ///
  /// - Parameters:
  ///   - finding: what is to be kept; none for the first that is found when it is played.
  ///   - replacement: the kinds of controller to play with instead of the recorded ones.
  ///   - controllers: the numbers of those that are played.
  func minimizer(
    _ session: SessionRecord, _ reader: HistoryReader, keeping finding: Finding?,
    with replacement: Replacement, about controllers: Set<Int32>, _ options: Minimizer.Options
  ) throws -> Minimizer {
    try Minimizer(
      reader, session: session.id, finding: finding, only: controllers, registry: registry,
      with: replacement, options: options)
  }

  /// Goes through every order that a session's causes allow.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with.
  ///   - replacement: the kinds of controller to play with instead of the recorded ones.
  ///   - controllers: the numbers of those that are played.
  ///   - change: what else may happen.
  ///   - progress: called now and then.
  func explore(
    _ session: SessionRecord, _ reader: HistoryReader, through last: Int64?,
    with replacement: Replacement, about controllers: Set<Int32>, _ options: Explorer.Options,
    change: (Scenario) -> Scenario, progress: @escaping (Explorer.Progress) -> Void
  ) throws -> (Exploration, [ScheduleRun]) {
    let scenario = try Scenario(
      reader, session: session.id, through: last, only: controllers, registry: registry,
      with: replacement)
    let explorer = try Explorer(change(scenario), registry: registry, options: options)
    let exploration = try explorer.run(progress)
    return (exploration, try exploration.orders.compactMap(explorer.run(of:)))
  }
}
