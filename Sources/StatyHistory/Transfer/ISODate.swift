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
