import StatyHistory
/// A problem with a line: what is there, what was expected, and what to do.
struct LineProblem: Error, Equatable {
  let message: String
  var advice: String

  init(_ message: String, _ advice: String) {
    (self.message, self.advice) = (message, advice)
  }
}

extension TransferLine {
  /// The whole number under a key; none if there is none.
  func integer(
    _ key: TransferKey, in range: ClosedRange<Int64> = .min ... .max
  ) throws(LineProblem) -> Int64? {
    switch self[key] {
    case .absent, .null: return nil
    case .integer(let number) where range.contains(number): return number
    case .large(let number) where key == .answers: return Int64(bitPattern: number)
    case .decimal(let number) where Int64(exactly: number).map(range.contains) ?? false:
      return Int64(number)
    default: throw wrong(key, Self.words(range))
    }
  }

  /// The whole number under a key that must be there.
  func needed(
    _ key: TransferKey, in range: ClosedRange<Int64> = .min ... .max
  ) throws(LineProblem) -> Int64 {
    guard let number = try integer(key, in: range) else { throw missing(key, Self.words(range)) }
    return number
  }

  /// The text under a key; none if there is none.
  func text(_ key: TransferKey) throws(LineProblem) -> String? {
    switch self[key] {
    case .absent, .null: return nil
    case .text(let text):
      guard key.isFree || text.utf8.count <= HistoryFile.longestStoredName else {
        throw LineProblem(
          "'\(key.word)' is a text of \(text.utf8.count) bytes",
          "Expected are at most \(HistoryFile.longestStoredName).")
      }
      return text
    default: throw wrong(key, "a text")
    }
  }

  /// The text under a key that must be there.
  func neededText(_ key: TransferKey, _ what: String = "a text") throws(LineProblem) -> String {
    guard let text = try text(key) else { throw missing(key, what) }
    return text
  }

  /// The value of one of these words under a key; none if there is none.
  func choice<Choice>(
    _ key: TransferKey, _ choices: KeyValuePairs<String, Choice>
  ) throws(LineProblem) -> Choice? {
    guard let word = try text(key) else { return nil }
    if let found = choices.first(where: { $0.key == word }) { return found.value }
    throw wrong(key, "one of " + choices.map { "'\($0.key)'" }.joined(separator: ", "))
  }

  func wrong(_ key: TransferKey, _ expected: String) -> LineProblem {
    LineProblem("'\(key.word)' is \(self[key].called)", "Expected is \(expected).")
  }

  func missing(_ key: TransferKey, _ expected: String) -> LineProblem {
    LineProblem("'\(key.word)' is missing", "Expected is \(expected).")
  }

  private static func words(_ range: ClosedRange<Int64>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (.min, .max): "a whole number"
    case (let low, .max): "a whole number, \(low) or more"
    case (let low, let high): "a whole number, \(low) to \(high)"
    }
  }
}
