/// How far a search may go, and whom to tell how far it is: one for all parts of a search.
struct SearchLimits {
  /// How many steps a schedule may have.
  var steps: Int
  /// How many runs may still be made.
  private(set) var runs: Int
  let states: Int
  let bytes: Int
  private let deadline: ContinuousClock.Instant?
  private let progress: (Explorer.Progress) -> Void

  /// The time begins now.
  init(_ options: Explorer.Options, _ progress: @escaping (Explorer.Progress) -> Void) {
    steps = options.mostSteps
    runs = options.mostRuns
    states = options.mostStates
    bytes = options.mostBytes
    deadline = options.time.map { ContinuousClock.now + $0 }
    self.progress = progress
  }

  /// The limit that is reached, if one is.
  func reached(_ outcome: SearchOutcome) -> Exploration.Cut? {
    progress(Explorer.Progress(depth: outcome.depth, states: outcome.states))
    if outcome.states >= states { return .states }
    if let deadline, ContinuousClock.now >= deadline { return .time }
    return nil
  }

  /// What a part of a search has used up is not there for the next.
  mutating func spend(on part: Exploration) {
    if part.method == .runs { runs = max(0, runs - part.transitions) }
  }
}
