/// A moment of the wall clock as ISO 8601 writes it.
enum ISODate {
  /// The microseconds since 1970 of `2026-01-31T12:00:00.5Z` or `2026-01-31T13:00:00+01:00`; none
  /// if the text is no moment.
  static func microseconds(_ text: String) -> Int64? {
    let pattern =
      /(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)/
    guard let match = text.wholeMatch(of: pattern)?.output,
      let (year, month, day) = numbers(match.1, match.2, match.3),
      let (hour, minute, second) = numbers(match.4, match.5, match.6),
      (1...12).contains(month), (1...length(of: month, year)).contains(day), hour < 24, minute < 60,
      second < 61,
      let zone = zone(match.8)
    else { return nil }
    let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - zone
    let fraction = (match.7 ?? "") + "000000"
    return seconds * 1_000_000 + (Int64(fraction.prefix(6)) ?? 0)
  }

  /// The moment so many microseconds after the beginning of 1970, in UTC.
  static func text(_ microseconds: Int64) -> String {
    let (day, rest) = microseconds.flooredDivision(by: 86_400_000_000)
    let (second, fraction) = rest.flooredDivision(by: 1_000_000)
    let time = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, 2) }
    return date(day: day) + "T" + time.joined(separator: ":") + ".\(padded(fraction, 6))Z"
  }

  /// The date of the day so many days after the beginning of 1970.
  static func date(day: Int64) -> String {
    // Counted in cycles of 400 years from the 1st of March, so that the leap day is a year's last.
    let (era, dayOfEra) = (day + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(padded(year, 4))-\(padded(month, 2))-"
      + padded(dayOfYear - (153 * shifted + 2) / 5 + 1, 2)
  }

  private static func padded(_ number: Int64, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  private static func length(of month: Int64, _ year: Int64) -> Int64 {
    days(month == 12 ? year + 1 : year, month % 12 + 1, 1) - days(year, month, 1)
  }

  private static func numbers(
    _ one: Substring, _ two: Substring, _ three: Substring
  ) -> (Int64, Int64, Int64)? {
    guard let one = Int64(one), let two = Int64(two), let three = Int64(three) else { return nil }
    return (one, two, three)
  }

  /// The seconds that a zone is ahead.
  private static func zone(_ text: Substring) -> Int64? {
    if text == "Z" { return 0 }
    let digits = text.filter { $0 != ":" }.dropFirst()
    guard let hours = Int64(digits.prefix(2)), let minutes = Int64(digits.suffix(2)),
      hours < 24, minutes < 60
    else { return nil }
    return (text.first == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  /// The days from 1970 to a date, by the calendar's cycle of 400 years.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // Counted from the 1st of March, so that the leap day is a year's last.
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension Int64 {
  /// How often a number goes into this one, and what is left, which is never negative.
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
