extension FixedWidthInteger where Self: UnsignedInteger {
  /// The hexadecimal digits, with leading zeros.
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
  }
}

/// The text of a UUID.
package func uuidText(_ high: UInt64, _ low: UInt64) -> String {
  var text = high.hexadecimal + low.hexadecimal
  for place in [20, 16, 12, 8] {
    text.insert("-", at: text.index(text.startIndex, offsetBy: place))
  }
  return text
}
