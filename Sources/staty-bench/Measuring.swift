import Foundation

/// A measured number with its key.
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

func seconds(_ body: () -> Void) -> Double { nanoseconds(per: 1, body) / 1e9 }

func median(of runs: Int, _ measure: () -> Double) -> Double {
  let sorted = (0..<runs).map { _ in measure() }.sorted()
  return sorted[runs / 2]
}

/// Nanoseconds of one read of the system's clock, the unit in which the speed of a machine is told.
func clockRead() -> Double {
  @inline(never) func read(_ count: Int) {
    var now = timespec()
    var sum = 0
    for _ in 0..<count {
      clock_gettime(CLOCK_MONOTONIC, &now)
      sum &+= Int(now.tv_nsec)
    }
    precondition(sum > 0)
  }
  return median(of: 5) { nanoseconds(per: 1_000_000) { read(1_000_000) } }
}

/// The requested figures of a group; all if none is named.
struct Wanted {
  let keys: [String]

  func isAny(_ candidates: String...) -> Bool {
    keys.isEmpty || candidates.contains { keys.contains($0) }
  }

  /// The requested figures of a group that is measured as a whole.
  func pick(_ figures: [Figure]) -> [Figure] {
    figures.filter { isAny($0.key) }
  }

  /// Measures the figure with a key, if it is requested.
  func callAsFunction(_ key: String, _ measure: (String) -> Figure) -> [Figure] {
    isAny(key) ? [measure(key)] : []
  }
}

/// The highest resident size so far, as Linux reports it.
func peakMegabytes() -> Double {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
  return (kilobytes ?? 0) / 1e3
}
