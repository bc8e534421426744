/// A length of time as people write it: `50ms`, `1.5s`, or several in a row, `1h30m`.
package enum WrittenDuration {
  private static let units: [String: Double] = [
    "us": 1, "ms": 1e3, "s": 1e6, "m": 6e7, "h": 3.6e9, "d": 8.64e10,
  ]

  /// The microseconds that a text stands for; `nil` if it is no length of time.
  package static func microseconds(_ text: some StringProtocol) -> Double? {
    var sum = 0.0
    var rest = Substring(text)
    repeat {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[digits.endIndex...]
      let letters = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest[letters.endIndex...]
      guard let count = Double(digits), let unit = units[String(letters)] else { return nil }
      sum += (count * unit).rounded()
    } while !rest.isEmpty
    return sum
  }
}
