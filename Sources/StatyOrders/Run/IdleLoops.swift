/// What goes on again and again since the user's last action: it waits for something that does not
/// come by itself.
struct IdleLoops {
  /// After how many jobs a loop without a yield may only ask again and again, and not do its work.
  private static let mostRounds = 5_000
  /// A task that goes on so often yields until something else has happened.
  private static let mostSpins = 300
  /// What only goes on at intervals, such as a clock on the screen, is at rest.
  static let mostTicks = 300
  private static let moreTicks = 20

  /// The task that went on last, how many times it has in a row, and how often it only yielded.
  private var task: UInt64 = 0
  private var (rounds, spins) = (0, 0)
  /// How many timers have come, and their names.
  private var (ticks, tickers) = (0, Set<JobName>())

  /// Whether a task only asks again and again.
  var isLoop: Bool { spins > Self.mostSpins || rounds > Self.mostRounds }
  /// Whether only timers come.
  var isTicking: Bool { ticks > Self.mostTicks }

  func hasTicked(_ timer: JobName) -> Bool { tickers.contains(timer) }

  /// Whether nothing new comes of a timer.
  ///
  /// What comes once still does; a wait that is longer each time ends here, too.
  func isVain(_ timer: JobName) -> Bool { ticks > 2 * Self.mostTicks || hasTicked(timer) }

  /// A task went on; 0 for what is no task.
  mutating func note(_ task: UInt64, isYield: Bool) {
    rounds = task != 0 && task == self.task ? rounds + 1 : 0
    spins = rounds > 0 ? spins + (isYield ? 1 : 0) : 0
    self.task = task
  }

  /// A late answer has come: what waits now may wait as long as what ticks, and is no tick.
  ///
  /// It is given fewer ticks than the user's action is, for there can be dozens of late answers.
  mutating func allowMore() {
    (ticks, tickers) = (min(ticks, Self.mostTicks - Self.moreTicks), [])
    breakLoop()
  }

  mutating func breakLoop() { (rounds, spins) = (0, 0) }

  mutating func tick(_ timer: JobName) {
    ticks += 1
    tickers.insert(timer)
  }
}
