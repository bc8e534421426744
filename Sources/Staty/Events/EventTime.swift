extension Duration {
  /// The duration in whole nanoseconds, the unit of an event's time; clamped if it is too long.
  package var inNanoseconds: Int64 { whole(1_000_000_000) }

  /// The duration in whole microseconds, the unit of times in a history; clamped if it is too long.
  package var inMicroseconds: Int64 { whole(1_000_000) }

  private func whole(_ inASecond: Int64) -> Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: inASecond)
    let rest = attoseconds / (1_000_000_000_000_000_000 / inASecond)
    let (sum, isOver) = whole.addingReportingOverflow(rest)
    return isTooLong || isOver ? (seconds < 0 ? .min : .max) : sum
  }
}
