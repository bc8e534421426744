/// The parsed words after a verb, with typed access to numbers, times and choices.
struct ParsedArguments {
  private let verb: VerbSpec
  /// The arguments, in order.
  var arguments: [String] = []
  /// The values of each option that was given; of one without a value, the empty text.
  var values: [String: [String]] = [:]

  init(verb: VerbSpec) { self.verb = verb }

  /// Whether an option was given.
  func has(_ option: String) -> Bool { values[option] != nil }

  /// The value of an option; none if it was not given.
  func text(_ option: String) -> String? { values[option]?.last }

  /// All values of an option that may be repeated.
  func texts(_ option: String) -> [String] { values[option] ?? [] }

  /// The input files and folders.
  var inputs: [String] {
    arguments + verb.options.filter(\.isInput).flatMap { texts($0.long) }
  }

  /// The given options as words for a shell, without these.
  func words(but left: Set<String>) -> [String] {
    verb.allOptions.filter { has($0.long) && !left.contains($0.long) }.flatMap { option in
      option.value == nil
        ? ["--\(option.long)"]
        : texts(option.long).flatMap { NextSteps.option("--\(option.long)", $0) }
    }
  }

  /// The value of an option as one of the cases of a type.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: String
  ) throws(UsageError) -> Choice? {
    try choices(option, of: Array(Choice.allCases)) { $0.rawValue }.last
  }

  /// The value of an option as a whole number in a range.
  func number(
    _ option: String, in range: ClosedRange<Int64>
  ) throws(UsageError) -> Int64? {
    guard let text = text(option) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      let end = range.upperBound == .max ? " or more" : " to \(range.upperBound)"
      throw invalid(text, option, "Please provide a whole number, \(range.lowerBound)\(end).")
    }
    return number
  }

  /// The value of an option as the number of an event or a session.
  func seq(_ option: String) throws(UsageError) -> Int64? {
    try number(option, in: 1...Int64.max)
  }

  /// The value of an option as a length of time in microseconds: `50ms`, `1.5s`, `10m`, `2h`.
  ///
  /// - Parameter most: the longest allowed time.
  func duration(
    _ option: String, atMost most: Int64 = .max
  ) throws(UsageError) -> Int64? {
    guard let text = text(option) else { return nil }
    guard let microseconds = Self.microseconds(text) else {
      throw invalid(text, option, "Please provide a time such as '50ms', '1.5s', '10m' or '2h'.")
    }
    guard microseconds <= most else {
      throw invalid(text, option, "It can be \(most / 86_400_000_000) days at most.")
    }
    return microseconds
  }

  /// The microseconds of a length of time, or of several in a row (`1h30m`); none if the text is
  /// none.
  static func microseconds(_ text: String) -> Int64? {
    let units: [Substring: Double] = [
      "us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000,
      "d": 86_400_000_000,
    ]
    var sum = 0.0
    var rest = text[...]
    repeat {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[digits.endIndex...]
      let letters = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest[letters.endIndex...]
      guard let number = Double(digits), let unit = units[letters] else { return nil }
      sum += (number * unit).rounded()
    } while !rest.isEmpty
    return Int64(exactly: sum)
  }

  /// The value of an option as a number of bytes, a million or more: `20M`, `1G`, `512MB`.
  func bytes(_ option: String) throws(UsageError) -> Int? {
    guard let text = text(option) else { return nil }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    var unit = text[digits.endIndex...]
    if unit.count == 2, unit.hasSuffix("B") { unit.removeLast() }
    let units: [Substring: Int] = ["": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000]
    guard let number = Int(digits), number <= 1 << 32, let unit = units[unit],
      number * unit >= 1_000_000
    else {
      throw misuse(
        "The value '\(text)' is invalid for '--\(option)'. Please provide a size as '20M', 1M or more."
      )
    }
    return number * unit
  }

  /// All values of an option as some of the cases of a type.
  func choices<Choice>(
    _ option: String, of cases: [Choice], called name: (Choice) -> String
  ) throws(UsageError) -> [Choice] {
    var chosen: [Choice] = []
    for text in texts(option) {
      guard let choice = cases.first(where: { name($0) == text }) else {
        let names = cases.map(name)
        throw invalid(
          text, option,
          Spelling.nearest(to: text, among: names).map { "Did you mean '\($0)'?" }
            ?? "Please provide one of \(names.map { "'\($0)'" }.joined(separator: ", ")).")
      }
      chosen.append(choice)
    }
    return chosen
  }

  /// The value of an option as a moment.
  func timeBound(_ option: String) throws(UsageError) -> TimeBound? {
    guard let text = text(option) else { return nil }
    guard let bound = TimeBound(text) else {
      throw invalid(text, option, "Please provide \(TimeBound.forms).")
    }
    return bound
  }

  /// The value of an option as numbers of events: `12`, `12..20`, `12..`, `..20`.
  func seqRange(_ option: String) throws(UsageError) -> ClosedRange<Int64>? {
    guard let text = text(option) else { return nil }
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
    let isRange = ends.count == 2 && ends != ["", ""]
    let first = ends[0].isEmpty && isRange ? 1 : Int64(ends[0])
    let last = ends.last!.isEmpty && isRange ? Int64.max : Int64(ends.last!)
    guard ends.count == 1 || isRange, let first, let last, first >= 1, first <= last else {
      throw invalid(
        text, option, "Please provide numbers such as '12', '12..20', '12..' or '..20'.")
    }
    return first...last
  }

  private func invalid(_ text: String, _ option: String, _ advice: String) -> UsageError {
    let called = verb.allOptions.first { $0.long == option }?.called ?? "--\(option)"
    return UsageError("The value '\(text)' is invalid for '\(called)'. \(advice)", verb: verb)
  }

  /// An error in the combination of given words.
  func misuse(_ message: String) -> UsageError { UsageError(message, verb: verb) }
}
