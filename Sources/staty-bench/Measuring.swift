/// One measured number under the key that it has in every run.
struct Figure {
  let key: String
  let value: Double
  let meaning: String
  let isBaseline: Bool

  init(_ key: String, _ value: Double, _ meaning: String, isBaseline: Bool = false) {
    self.key = key
    self.value = value
    self.meaning = meaning
    self.isBaseline = isBaseline
  }
}

func nanoseconds(per count: Int, _ body: () -> Void) -> Double {
  let taken = ContinuousClock().measure(body)
  let (seconds, attoseconds) = taken.components
  return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count)
}

func median(of runs: Int, _ measure: () -> Double) -> Double {
  let sorted = (0..<runs).map { _ in measure() }.sorted()
  return sorted[runs / 2]
}
