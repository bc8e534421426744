import StatyReplay

/// The parsed words after a verb, with typed access to numbers, times and choices.
struct ParsedArguments {
  private let verb: VerbSpec
  /// The arguments, in order.
  var words: [String] = []
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
    words + verb.options.filter(\.isInput).flatMap { texts($0.long) }
  }

  /// The given options as words for a shell, without these.
  func words(but left: Set<String>) -> [String] {
    verb.allOptions.filter { has($0.long) && !left.contains($0.long) }.flatMap { option in
      option.value == nil
        ? ["--\(option.long)"]
        : texts(option.long).flatMap { ShellWords.option("--\(option.long)", $0) }
    }
  }

  /// The first argument.
  var path: String { words[0] }

  /// The value of an option as one of the cases of a type.
  func choice<Choice: RawRepresentable<String>>(_ option: String) -> Choice? {
    text(option).flatMap(Choice.init)
  }

  /// The value of an option as a whole number.
  func number(_ option: String) -> Int64? { text(option).flatMap { Int64($0) } }

  /// The number that '--limit' gives, where 0 stands for all.
  func limit(orElse usual: Int = .max) -> Int {
    number("limit").map { $0 == 0 ? .max : Int(clamping: $0) } ?? usual
  }

  /// The value of an option as a length of time in microseconds: `50ms`, `1.5s`, `10m`, `2h`.
  func duration(_ option: String) -> Int64? { text(option).flatMap(Self.microseconds) }

  /// The value of an option as a number of bytes: `20M`, `1G`, `512MB`.
  func bytes(_ option: String) -> Int? { text(option).flatMap(Self.bytes) }

  /// The value of an option as a moment.
  func timeBound(_ option: String) -> TimeBound? { text(option).flatMap { TimeBound($0) } }

  /// The value of an option as numbers of events.
  func seqs(_ option: String) -> ClosedRange<Int64>? { text(option).flatMap(Self.seqs) }

  /// An error in the combination of given words.
  func misuse(_ message: String) -> UsageError { UsageError(message, verb: verb) }
}

// The values as they are written.
extension ParsedArguments {
  /// The microseconds of a length of time; none if the text is none, or too long.
  static func microseconds(_ text: String) -> Int64? {
    WrittenDuration.microseconds(text).flatMap { Int64(exactly: $0) }
  }

  /// The bytes of a size, a million or more; none if the text is none.
  static func bytes(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    var unit = text[digits.endIndex...]
    if unit.count == 2, unit.hasSuffix("B") { unit.removeLast() }
    let units: [Substring: Int] = ["": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000]
    guard let number = Int(digits), number <= 1 << 32, let unit = units[unit],
      number * unit >= 1_000_000
    else { return nil }
    return number * unit
  }

  /// The numbers of events: `12`, `12..20`, `12..`, `..20`; none if the text is none.
  static func seqs(_ text: String) -> ClosedRange<Int64>? {
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
    let isRange = ends.count == 2 && ends != ["", ""]
    let first = ends[0].isEmpty && isRange ? 1 : Int64(ends[0])
    let last = ends.last!.isEmpty && isRange ? Int64.max : Int64(ends.last!)
    guard ends.count == 1 || isRange, let first, let last, first >= 1, first <= last else {
      return nil
    }
    return first...last
  }
}

extension OptionSpec {
  /// What is wrong with a value, as advice; none if it is as the name of the value says.
  func objection(to text: String) -> String? {
    if !choices.isEmpty {
      if choices.contains(text) { return nil }
      return Spelling.nearest(to: text, among: choices).map { "Did you mean '\($0)'?" }
        ?? "Please provide one of \(choices.map { "'\($0)'" }.joined(separator: ", "))."
    }
    switch value {
    case "n", "seq":
      let range = value == "seq" ? 1 ... .max : range
      if let number = Int64(text), range.contains(number) { return nil }
      let end = range.upperBound == .max ? " or more" : " to \(range.upperBound)"
      return "Please provide a whole number, \(range.lowerBound)\(end)."
    case "time":
      guard let microseconds = ParsedArguments.microseconds(text) else {
        return "Please provide a time such as '50ms', '1.5s', '10m' or '2h'."
      }
      if microseconds <= range.upperBound { return nil }
      return "It can be \(range.upperBound / 86_400_000_000) days at most."
    case "moment": return TimeBound(text) == nil ? "Please provide \(TimeBound.forms)." : nil
    case "size":
      if ParsedArguments.bytes(text) != nil { return nil }
      return "Please provide a size as '20M', 1M or more."
    case "range":
      if ParsedArguments.seqs(text) != nil { return nil }
      return "Please provide numbers such as '12', '12..20', '12..' or '..20'."
    default: return nil
    }
  }
}
