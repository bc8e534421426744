/// Prints what a sweep has tried, and the result; `.ci/nightly` gathers these lines in its table.
public func figure(_ text: String) {
  print("figure: \(text)")
}
