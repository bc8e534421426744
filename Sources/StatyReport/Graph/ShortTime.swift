/// Writes durations in a short form.
enum ShortTime {
  /// The duration with two or three significant digits: `340 ms`, `1.2 s`, `3 min 5 s`.
  static func text(_ microseconds: Int64) -> String {
    switch microseconds {
    case ..<1_000: return "\(microseconds) µs"
    case ..<10_000: return tenths(microseconds, of: 1_000) + " ms"
    case ..<1_000_000: return "\(microseconds / 1_000) ms"
    case ..<100_000_000: return tenths(microseconds, of: 1_000_000) + " s"
    case ..<7_200_000_000:
      let seconds = microseconds / 1_000_000
      return "\(seconds / 60) min \(seconds % 60) s"
    default:
      let minutes = microseconds / 60_000_000
      return "\(minutes / 60) h \(minutes % 60) min"
    }
  }

  private static func tenths(_ number: Int64, of unit: Int64) -> String {
    let tenths = number / (unit / 10)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
