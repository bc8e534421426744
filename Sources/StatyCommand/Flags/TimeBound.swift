import LibC

/// A moment on the command line.
enum TimeBound: Equatable {
  /// A number of microseconds before the end of the recording.
  case ago(Int64)
  /// A number of microseconds after a session began.
  case into(Int64)
  /// A moment of the wall clock, in microseconds since 1970.
  case wall(Int64)

  /// The forms of a moment, for messages.
  static let forms =
    "a time such as '10m' (before the end), '+1.5s' (into the session) "
    + "or '2025-10-09T08:53:20Z'"

  /// The moment in a text; none if it holds none.
  init?(_ text: String) {
    if text.hasPrefix("+"), let time = ParsedArguments.microseconds(String(text.dropFirst())) {
      self = .into(time)
    } else if let time = ParsedArguments.microseconds(text) {
      self = .ago(time)
    } else if let wall = WallTime.microseconds(text) {
      self = .wall(wall)
    } else {
      return nil
    }
  }
}

/// Moments of the wall clock in ISO 8601.
enum WallTime {
  /// The microseconds since 1970 of a date such as `2025-10-09`, `2025-10-09T08:53` or
  /// `2025-10-09 08:53:20.5+02:00`; without a zone it is UTC, like all printed times.
  static func microseconds(_ text: String) -> Int64? {
    let date = /([0-9]{4})-([0-9]{2})-([0-9]{2})/
    let clock = /[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?/
    let zone = /Z|([+-])([0-9]{2}):([0-9]{2})/
    guard let found = text.prefixMatch(of: date) else { return nil }
    var day = tm()
    (day.tm_year, day.tm_mon, day.tm_mday) = (
      Int32(found.1)! - 1_900, Int32(found.2)! - 1, Int32(found.3)!
    )
    let asked = (day.tm_mon, day.tm_mday)
    var time = Int64(timegm(&day)) * 1_000_000
    // A day that the month does not have becomes one of the next month.
    guard asked == (day.tm_mon, day.tm_mday) else { return nil }
    var rest = text[found.range.upperBound...]
    if rest.isEmpty { return time }
    guard let found = rest.prefixMatch(of: clock) else { return nil }
    let (hour, minute, second) = (Int64(found.1)!, Int64(found.2)!, Int64(found.3 ?? "0")!)
    guard hour < 24, minute < 60, second < 61 else { return nil }
    time += ((hour * 60 + minute) * 60 + second) * 1_000_000
    time += Int64((String(found.4 ?? "") + "000000").prefix(6))!
    rest = rest[found.range.upperBound...]
    if rest.isEmpty { return time }
    guard let found = rest.wholeMatch(of: zone) else { return nil }
    let (hours, minutes) = (Int64(found.2 ?? "0")!, Int64(found.3 ?? "0")!)
    guard hours < 24, minutes < 60 else { return nil }
    return time + (found.1 == "-" ? 1 : -1) * (hours * 60 + minutes) * 60_000_000
  }
}

extension TimeBound {
  /// Whether it is later than another, if that is clear without a history.
  func isAfter(_ other: TimeBound?) -> Bool {
    switch (self, other) {
    case (.ago(let time), .ago(let other)): time < other
    case (.into(let time), .into(let other)), (.wall(let time), .wall(let other)): time > other
    default: false
    }
  }
}
