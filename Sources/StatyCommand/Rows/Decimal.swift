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
    let seconds = milliseconds.floorDivided(by: 1_000)
    let days = seconds.floorDivided(by: 86_400)
    let (year, month, day) = civil(days)
    let rest = seconds - days * 86_400
    return pad(year, 4) + "-" + pad(month, 2) + "-" + pad(day, 2) + "T" + pad(rest / 3_600, 2) + ":"
      + pad(rest % 3_600 / 60, 2) + ":" + pad(rest % 60, 2) + "."
      + pad(milliseconds - seconds * 1_000, 3) + "Z"
  }

  /// How many days there are from the beginning of 1970 to a date.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    // As below: a year begins with March.
    let year = month <= 2 ? year - 1 : year
    let era = year.floorDivided(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date so many days after the beginning of 1970, by the calendar's cycle of 400 years.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Counted from the 1st of March of the year 0, so that the leap day is a year's last.
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
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
