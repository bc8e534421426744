import LibC

/// Numbers and times, formatted for reading.
enum Decimal {
  /// A number with so many digits behind the point.
  static func text(_ number: Double, digits: Int) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "\(number)" }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int64((abs(number) * scale).rounded())
    let whole = scaled / Int64(scale)
    let rest = "\(scaled % Int64(scale))"
    let sign = number < 0 && scaled != 0 ? "-" : ""
    if digits == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole)." + String(repeating: "0", count: digits - rest.count) + rest
  }

  /// A time in a session: `+1.204 s`.
  static func moment(_ microseconds: Int64) -> String {
    (microseconds < 0 ? "" : "+") + text(Double(microseconds) / 1_000_000, digits: 3) + " s"
  }

  /// How long something took.
  static func duration(_ microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    if microseconds < 10_000 {
      return text(Double(microseconds) / 1_000, digits: 3) + " ms"
    }
    if seconds < 120 { return text(Double(microseconds) / 1_000_000, digits: 3) + " s" }
    if seconds < 7_200 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
  }

  /// A number with its noun: `1 event`, `2 events`.
  static func count(_ number: some BinaryInteger, _ noun: String) -> String {
    "\(grouped(Int64(number))) \(noun)" + (number == 1 ? "" : "s")
  }

  /// A size, rounded up: `37 MB`.
  static func megabytes(_ bytes: Int) -> String { grouped(wholeMegabytes(bytes)) + " MB" }

  /// Whole millions of bytes, rounded up.
  static func wholeMegabytes(_ bytes: Int) -> Int64 { Int64((max(bytes, 0) + 999_999) / 1_000_000) }

  /// A number with separated thousands: `12,345`.
  static func grouped(_ number: Int64) -> String {
    let digits = Array(String(number.magnitude))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + text
  }

  /// A moment of the wall clock, in microseconds since 1970, as ISO 8601 in UTC.
  static func date(_ microseconds: Int64) -> String {
    let milliseconds = microseconds.floorDivided(by: 1_000)
    var seconds = time_t(milliseconds.floorDivided(by: 1_000))
    var day = tm()
    gmtime_r(&seconds, &day)
    let date = [Int64(day.tm_year) + 1_900, Int64(day.tm_mon) + 1, Int64(day.tm_mday)]
    let clock = [day.tm_hour, day.tm_min, day.tm_sec].map { pad(Int64($0), 2) }
    return pad(date[0], 4) + "-" + pad(date[1], 2) + "-" + pad(date[2], 2) + "T"
      + clock.joined(separator: ":") + "." + pad(milliseconds - Int64(seconds) * 1_000, 3) + "Z"
  }

  private static func pad(_ number: Int64, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
