import Staty

/// A change to a recording that a what-if replay makes.
package enum Edit: Hashable, Sendable {
  /// The input with this number does not happen.
  case skip(Int64)
  /// The input with this number comes so many microseconds later.
  case delay(Int64, Int64)
  /// The report with this number comes with `finished: true`.
  case finish(Int64)
  /// A state of this name is requested after the event with this number.
  case insert(after: Int64, state: String)

  /// The number of the recorded event to edit.
  package var seq: Int64 {
    switch self {
    case .skip(let seq), .delay(let seq, _), .finish(let seq), .insert(let seq, _): seq
    }
  }

  /// The state that it requests, if any.
  var inserted: StateName? {
    if case .insert(_, let state) = self { StateName(state) } else { nil }
  }
}

extension Edit {
  /// The longest time of an edit or an assumption, in microseconds: 365 days.
  ///
  /// It keeps sums of times from overflowing.
  package static let longest: Int64 = 365 * 86_400_000_000

  /// Fails if a time is too long or negative, or if two edits of one event contradict each other.
  static func check(_ edits: [Edit]) throws(EditError) {
    var changes: [Int64: Edit] = [:]
    for edit in edits {
      if case .insert = edit { continue }
      if case .delay(_, let time) = edit, !(0...longest).contains(time) {
        throw .tooLong("\(edit)")
      }
      guard let other = changes.updateValue(edit, forKey: edit.seq) else { continue }
      // Skipping twice is the same as skipping once; two delays could be meant to add up.
      switch (edit, other) {
      case (.skip, .skip), (.finish, .finish): continue
      default: throw .contradiction(other, edit)
      }
    }
  }
}

extension [Edit] {
  /// Whether the input that they edit does not happen.
  var areSkipping: Bool { contains { if case .skip = $0 { true } else { false } } }

  /// Whether the report that they edit comes with `finished: true`.
  var areFinishing: Bool { contains { if case .finish = $0 { true } else { false } } }

  /// By how many microseconds the input that they edit comes later; `nil` if they do not say it.
  var delay: Int64? {
    lazy.compactMap { if case .delay(_, let time) = $0 { time } else { nil } }.first
  }
}

extension Edit: CustomStringConvertible {
  /// The edit as a line of an edit script.
  package var description: String {
    switch self {
    case .skip(let seq): "skip \(seq)"
    case .finish(let seq): "finish \(seq)"
    case .delay(let seq, let time) where time % 1_000 == 0: "delay \(seq)=\(time / 1_000)ms"
    case .delay(let seq, let time): "delay \(seq)=\(time)us"
    case .insert(let seq, let state): "insert after \(seq): \(state)"
    }
  }
}

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
    case "finish": return try finish(rest)
    case "insert": return try insert(rest)
    default:
      throw .unknownEdit(String(verb))
    }
  }

  /// The edit for a text like `12`.
  package static func skip(_ text: some StringProtocol) throws(EditError) -> Edit {
    .skip(try seq(text, of: "skip"))
  }

  /// The edit for a text like `12=50ms`.
  package static func delay(_ text: some StringProtocol) throws(EditError) -> Edit {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let seq = number(parts[0].trimmingBlanks),
      let time = WrittenDuration.microseconds(parts[1].trimmingBlanks)
    else { throw .noDelay(String(text.trimmingBlanks)) }
    guard time <= Double(longest) else { throw .tooLong(String(text.trimmingBlanks)) }
    return .delay(seq, Int64(time))
  }

  /// The edit for a text like `12`.
  package static func finish(_ text: some StringProtocol) throws(EditError) -> Edit {
    .finish(try seq(text, of: "finish"))
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

  /// The text of an edit that is only a number.
  private static func seq(
    _ text: some StringProtocol, of verb: String
  ) throws(EditError) -> Int64 {
    guard let seq = number(text.trimmingBlanks) else {
      throw .noNumber(verb, String(text.trimmingBlanks))
    }
    return seq
  }

  private static func number(_ text: some StringProtocol) -> Int64? {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(text), number > 0
    else { return nil }
    return number
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  fileprivate var trimmingBlanks: SubSequence {
    // By scalars: a blank before a combining character is one character with it.
    let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return self[endIndex...] }
    return self[first..<scalars.index(after: last)]
  }
}
