/// Up to which number of the ring every event is stored or recorded as lost, and what is in flight behind it.
struct LossAccount {
  /// The number up to which every event is stored or recorded as lost.
  private(set) var through: UInt64 = 0
  /// The losses up to that number.
  private var losses = LossCounts()
  /// The last number and the losses at a time when events were in flight, until they count as lost.
  private var inFlight: (number: UInt64, losses: LossCounts, since: UInt64)?
  /// Whether events that were in flight count as lost.
  var hasGivenUp = false

  /// The age at which events in flight count as lost, in nanoseconds.
  private static let mostAge: UInt64 = 60_000_000_000

  /// The losses that are not accounted for, of all so far.
  func new(of all: LossCounts) -> LossCounts { all.since(losses) }

  /// Everything up to a number is stored or recorded as lost.
  ///
  /// - Parameter losses: the losses up to that number.
  mutating func settle(through number: UInt64, _ losses: LossCounts) {
    (through, self.losses) = (max(through, number), losses)
  }

  /// Everything up to a number is stored or recorded as lost, whatever was in flight.
  mutating func settle(through number: UInt64) { (through, inFlight) = (number, nil) }

  /// Nothing is in flight, or it is not the same as before.
  mutating func forgetInFlight() { inFlight = nil }

  /// Takes what is in flight now, and returns it if it is for a minute.
  ///
  /// - Parameters:
  ///   - last: the last number that is drawn now.
  ///   - losses: the losses up to that number.
  mutating func overdue(
    _ last: UInt64, _ losses: LossCounts, at now: UInt64
  ) -> (number: UInt64, losses: LossCounts)? {
    guard let old = inFlight else {
      inFlight = (last, losses, now)
      return nil
    }
    if now &- old.since < Self.mostAge { return nil }
    // A failure is not retried at once.
    inFlight = nil
    return (old.number, old.losses)
  }

  /// The time until events in flight count as lost.
  func rest(at now: UInt64) -> Duration {
    guard let inFlight, inFlight.number > through else { return .seconds(86_400) }
    let age = now &- inFlight.since
    return age < Self.mostAge ? .nanoseconds(Int64(Self.mostAge - age)) : .zero
  }
}
