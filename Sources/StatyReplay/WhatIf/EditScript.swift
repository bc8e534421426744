// Edits as text: on a command line, or one on each line of an edit script.
extension Edit {
  /// The edits of a script: one on each line, in the form of ``description``.
  ///
  /// Empty lines and lines that begin with `#` are ignored.
  package static func script(_ text: String) throws(EditError) -> [Edit] {
    var edits: [Edit] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (place, line) in lines.enumerated() {
      let line = line.trimmingBlanks
      if line.isEmpty || line.hasPrefix("#") { continue }
      do {
        edits.append(try parse(line))
      } catch {
        throw .inLine(place + 1, error)
      }
    }
    return edits
  }

  private static func parse(_ line: Substring) throws(EditError) -> Edit {
    let verb = line.prefix { $0 != " " && $0 != "\t" }
    let rest = line.dropFirst(verb.count)
    switch verb {
    case "skip": return try skip(rest)
    case "delay": return try delay(rest)
    case "insert": return try insert(rest)
    default:
      throw .unknownEdit(String(verb))
    }
  }

  /// The edit for a text like `12`.
  package static func skip(_ text: some StringProtocol) throws(EditError) -> Edit {
    guard let seq = number(text.trimmingBlanks) else {
      throw .noSkip(String(text.trimmingBlanks))
    }
    return .skip(seq)
  }

  /// The edit for a text like `12=50ms`.
  package static func delay(_ text: some StringProtocol) throws(EditError) -> Edit {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let seq = number(parts[0].trimmingBlanks),
      let time = microseconds(parts[1].trimmingBlanks)
    else { throw .noDelay(String(text.trimmingBlanks)) }
    guard time <= Double(longest) else { throw .tooLong(String(text.trimmingBlanks)) }
    return .delay(seq, Int64(time))
  }

  /// The edit for a text like `after 12: alert`.
  package static func insert(_ text: some StringProtocol) throws(EditError) -> Edit {
    let text = text.trimmingBlanks
    let place = text.prefix { $0 != ":" }
    let state = text.dropFirst(place.count + 1).trimmingBlanks
    guard place.count < text.count, place.hasPrefix("after "), !state.isEmpty,
      let seq = number(place.dropFirst(6).trimmingBlanks)
    else { throw .noInsertion(String(text)) }
    return .insert(after: seq, state: String(state))
  }

  private static func number(_ text: some StringProtocol) -> Int64? {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(text), number > 0
    else { return nil }
    return number
  }

  private static func microseconds(_ text: some StringProtocol) -> Double? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let units: [String: Double] = [
      "us": 1, "ms": 1e3, "s": 1e6, "m": 6e7, "h": 3.6e9, "d": 8.64e10,
    ]
    guard let count = Double(String(digits)), let unit = units[String(text.dropFirst(digits.count))]
    else { return nil }
    return (count * unit).rounded()
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  fileprivate var trimmingBlanks: SubSequence {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
