import Staty

/// A change to a recording that a what-if replay makes.
public enum Edit: Hashable, Sendable {
  /// The input with this number does not happen.
  case skip(Int64)
  /// The input with this number comes so many microseconds later.
  case delay(Int64, Int64)
  /// A state of this name is asked for when the event with this number has happened.
  case insert(after: Int64, state: String)

  /// The number of the recorded event that it is about.
  public var seq: Int64 {
    switch self {
    case .skip(let seq), .delay(let seq, _), .insert(let seq, _): seq
    }
  }

  /// The state that it asks for, if it does.
  var inserted: StateName? {
    if case .insert(_, let state) = self { StateName(state) } else { nil }
  }
}

extension Edit {
  /// Fails if two edits want something else of one event.
  static func check(_ edits: [Edit]) throws(EditError) {
    var changes: [Int64: Edit] = [:]
    for edit in edits {
      if case .insert = edit { continue }
      guard let other = changes.updateValue(edit, forKey: edit.seq) else { continue }
      // What is skipped twice is skipped; two delays could be meant one after the other.
      if case (.skip, .skip) = (edit, other) { continue }
      throw EditError(
        message: "'\(other)' and '\(edit)' are both about event \(edit.seq). "
          + "Leave one of them out.")
    }
  }
}

/// What is wrong with an edit.
public struct EditError: Error, Hashable, CustomStringConvertible {
  /// The line of the edit script that it stands in, if it does in one.
  public var line: Int?
  /// What is wrong, and how it should be.
  public var message: String

  /// An error with this message.
  public init(line: Int? = nil, message: String) {
    self.line = line
    self.message = message
  }

  /// The line, if there is one, and what is wrong.
  public var description: String { line.map { "Line \($0): \(message)" } ?? message }
}

extension Edit: CustomStringConvertible {
  /// The edit as a line of an edit script.
  public var description: String {
    switch self {
    case .skip(let seq): "skip \(seq)"
    case .delay(let seq, let time) where time % 1_000 == 0: "delay \(seq)=\(time / 1_000)ms"
    case .delay(let seq, let time): "delay \(seq)=\(time)us"
    case .insert(let seq, let state): "insert after \(seq): \(state)"
    }
  }

  /// The edits of a script: one a line, in the form of ``description``.
  ///
  /// Empty lines and those that begin with `#` are left out.
  public static func script(_ text: String) throws(EditError) -> [Edit] {
    var edits: [Edit] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (place, line) in lines.enumerated() {
      let line = line.trimmingBlanks
      if line.isEmpty || line.hasPrefix("#") { continue }
      do {
        edits.append(try parse(line))
      } catch {
        throw EditError(line: place + 1, message: error.message)
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
      throw EditError(
        message: "'\(verb)' is no edit. There are 'skip', 'delay' and 'insert'.")
    }
  }

  /// The edit that `12` says.
  public static func skip(_ text: some StringProtocol) throws(EditError) -> Edit {
    guard let seq = number(text.trimmingBlanks) else {
      throw EditError(
        message: "'\(text.trimmingBlanks)' is not the number of an event. Write 'skip 12'.")
    }
    return .skip(seq)
  }

  /// The edit that `12=50ms` says.
  public static func delay(_ text: some StringProtocol) throws(EditError) -> Edit {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let seq = number(parts[0].trimmingBlanks),
      let time = microseconds(parts[1].trimmingBlanks)
    else {
      throw EditError(
        message: "'\(text.trimmingBlanks)' is not an event and a time. Write 'delay 12=50ms'.")
    }
    return .delay(seq, time)
  }

  /// The edit that `after 12: alert` says.
  public static func insert(_ text: some StringProtocol) throws(EditError) -> Edit {
    let text = text.trimmingBlanks
    let place = text.prefix { $0 != ":" }
    let state = text.dropFirst(place.count + 1).trimmingBlanks
    guard place.count < text.count, place.hasPrefix("after "), !state.isEmpty,
      let seq = number(place.dropFirst(6).trimmingBlanks)
    else {
      throw EditError(
        message: "'\(text)' is not a place and a state. Write 'insert after 12: alert'.")
    }
    return .insert(after: seq, state: String(state))
  }

  private static func number(_ text: some StringProtocol) -> Int64? {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(text), number > 0
    else { return nil }
    return number
  }

  /// At most so long, that sums of times stay numbers.
  private static let longest = 365.0 * 86_400_000_000

  private static func microseconds(_ text: some StringProtocol) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let units: [String: Double] = ["us": 1, "ms": 1e3, "s": 1e6, "m": 6e7, "h": 3.6e9]
    guard let count = Double(String(digits)), let unit = units[String(text.dropFirst(digits.count))]
    else { return nil }
    let time = (count * unit).rounded()
    return time > longest ? nil : Int64(time)
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
