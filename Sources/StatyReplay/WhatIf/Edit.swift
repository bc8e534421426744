import Staty

/// A change to a recording that a what-if replay makes.
package enum Edit: Hashable, Sendable {
  /// The input with this number does not happen.
  case skip(Int64)
  /// The input with this number comes so many microseconds later.
  case delay(Int64, Int64)
  /// A state of this name is requested after the event with this number.
  case insert(after: Int64, state: String)

  /// The number of the recorded event to edit.
  var seq: Int64 {
    switch self {
    case .skip(let seq), .delay(let seq, _), .insert(let seq, _): seq
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
      if case (.skip, .skip) = (edit, other) { continue }
      throw .contradiction(other, edit)
    }
  }
}

extension [Edit] {
  /// Whether the input that they edit does not happen.
  var areSkipping: Bool { contains { if case .skip = $0 { true } else { false } } }

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
    case .delay(let seq, let time) where time % 1_000 == 0: "delay \(seq)=\(time / 1_000)ms"
    case .delay(let seq, let time): "delay \(seq)=\(time)us"
    case .insert(let seq, let state): "insert after \(seq): \(state)"
    }
  }
}
