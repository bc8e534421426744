/// How far the orders of a world are searched.
public struct WorldOptions: Sendable {
  /// How many things may be otherwise than with a patient user; all such orders are run.
  public var mostDeviations = 1
  /// How many random orders are run after these.
  public var randomOrders = 100
  /// The seed of the random orders.
  public var seed: UInt64 = 1
  /// The most orders that are run.
  public var mostOrders = 100_000
  /// The most steps of an order; one that takes more never comes to rest.
  public var mostSteps = 10_000
  /// The most time; `nil` for no limit.
  public var time: Duration? = .seconds(60)
  /// How long to wait for other threads, if something in a run waits for them.
  public var patience = Duration.milliseconds(200)
  /// Whether each change from the main actor to the pool has a choice of its own.
  ///
  /// Otherwise one that leads to an answer has the choices of the answer only: what a task does
  /// before it asks is then in order but for random orders. With it, a search takes about twice as many orders.
  public var choosesHops = false

  /// - Parameters:
  ///   - mostDeviations: how many things may be otherwise than with a patient user.
  ///   - choosesHops: whether each change from the main actor to the pool has a choice of its own.
  public init(mostDeviations: Int = 1, choosesHops: Bool = false) {
    (self.mostDeviations, self.choosesHops) = (mostDeviations, choosesHops)
  }
}
