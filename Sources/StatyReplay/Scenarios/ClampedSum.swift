extension FixedWidthInteger {
  /// The sum, or the end of the range: a file may hold any number.
  package func addingClamped(_ other: Self) -> Self {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? other > 0 ? .max : .min : sum
  }
}
