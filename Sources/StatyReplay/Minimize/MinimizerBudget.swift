/// The runs and the time that a minimizer has left.
struct MinimizerBudget {
  /// How many runs are left.
  private(set) var runs: Int
  /// How many were made.
  private(set) var spent = 0
  let deadline: ContinuousClock.Instant?
  private let progress: (Minimizer.Progress) -> Void
  private(set) var requests = 0

  init(
    _ options: Minimizer.Options, until deadline: ContinuousClock.Instant?,
    _ progress: @escaping (Minimizer.Progress) -> Void
  ) {
    runs = options.mostRuns
    self.deadline = deadline
    self.progress = progress
  }

  /// Whether nothing more may be done.
  var isUsedUp: Bool { cut != nil }

  /// What is used up.
  var cut: Exploration.Cut? {
    if runs <= 0 { return .runs }
    if let deadline, ContinuousClock.now >= deadline { return .time }
    return nil
  }

  /// The time that is left.
  var time: Duration? { deadline.map { max(.zero, $0 - ContinuousClock.now) } }

  mutating func spend(_ count: Int = 1, requests: Int) {
    runs -= count
    spent += count
    self.requests = requests
    tell()
  }

  /// A search has come so far.
  func tell(searched: Int = 0) {
    progress(Minimizer.Progress(requests: requests, runs: spent + searched))
  }
}
