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
    var rest = text[...]
    guard let year = number(&rest, 4), take(&rest, "-"), let month = number(&rest, 2),
      take(&rest, "-"), let day = number(&rest, 2), (1...12).contains(month),
      (1...days(of: month, year)).contains(day)
    else { return nil }
    let midnight = Decimal.days(year: year, month: month, day: day) * 86_400_000_000
    if rest.isEmpty { return midnight }
    guard take(&rest, "T") || take(&rest, " "), let time = clock(&rest), let zone = zone(&rest),
      rest.isEmpty
    else { return nil }
    return midnight + time - zone
  }

  private static func clock(_ rest: inout Substring) -> Int64? {
    guard let hour = number(&rest, 2), take(&rest, ":"), let minute = number(&rest, 2),
      hour < 24, minute < 60
    else { return nil }
    var time = (hour * 60 + minute) * 60_000_000
    guard take(&rest, ":") else { return time }
    guard let second = number(&rest, 2), second < 61 else { return nil }
    time += second * 1_000_000
    guard take(&rest, ".") else { return time }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard (1...9).contains(digits.count), let fraction = Int64(digits.prefix(6)) else { return nil }
    rest = rest[digits.endIndex...]
    return time + (min(digits.count, 6)...6).dropFirst().reduce(fraction) { value, _ in value * 10 }
  }

  private static func zone(_ rest: inout Substring) -> Int64? {
    if rest.isEmpty || take(&rest, "Z") { return 0 }
    let isWest = take(&rest, "-")
    guard isWest || take(&rest, "+"), let hours = number(&rest, 2), take(&rest, ":"),
      let minutes = number(&rest, 2), hours < 24, minutes < 60
    else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes) * 60_000_000
  }

  private static func days(of month: Int64, _ year: Int64) -> Int64 {
    let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
  }

  private static func number(_ rest: inout Substring, _ digits: Int) -> Int64? {
    let text = rest.prefix(digits)
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(digits)
    return Int64(text)
  }

  private static func take(_ rest: inout Substring, _ word: Character) -> Bool {
    guard rest.first == word else { return false }
    rest.removeFirst()
    return true
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
