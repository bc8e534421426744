extension Int64 {
  /// The sum, or the end of the range: a file may hold any number.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? other > 0 ? .max : .min : sum
  }
}
