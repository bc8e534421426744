/// The limits of a search and its progress callback, shared by all parts of the search.
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
  ///
  /// - Parameter spent: how much of it has passed.
  init(
    _ options: Explorer.Options, after spent: Duration = .zero,
    _ progress: @escaping (Explorer.Progress) -> Void
  ) {
    steps = options.mostSteps
    runs = options.mostRuns
    states = options.mostStates
    bytes = options.mostBytes
    deadline = options.time.map { ContinuousClock.now + $0 - spent }
    self.progress = progress
  }

  /// The limit that is reached, if one is.
  func reached(_ result: SearchResult) -> Exploration.Cut? {
    progress(Explorer.Progress(depth: result.depth, states: result.states))
    if result.states >= states { return .states }
    if let deadline, ContinuousClock.now >= deadline { return .time }
    return nil
  }

  /// What one part of a search uses up is missing for the next.
  mutating func spend(on part: Exploration) {
    if part.method == .runs { runs = max(0, runs - part.transitions) }
  }
}
