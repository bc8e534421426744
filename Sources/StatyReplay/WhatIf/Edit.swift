import Staty

/// A change to a recording that a what-if replay makes.
package enum Edit: Hashable, Sendable {
  /// The input with this number does not happen.
  case skip(Int64)
  /// The input with this number comes so many microseconds later.
  case delay(Int64, Int64)
  /// A state of this name is asked for when the event with this number has happened.
  case insert(after: Int64, state: String)

  /// The number of the recorded event that it is about.
  var seq: Int64 {
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
  /// The longest time that an edit or an assumption may be about, in microseconds: 365 days.
  ///
  /// So sums of times stay numbers.
  package static let longest: Int64 = 365 * 86_400_000_000

  /// Fails if a time is none that an edit can be about, or two edits want something else of one event.
  static func check(_ edits: [Edit]) throws(EditError) {
    var changes: [Int64: Edit] = [:]
    for edit in edits {
      if case .insert = edit { continue }
      if case .delay(_, let time) = edit, !(0...longest).contains(time) {
        throw .tooLong("\(edit)")
      }
      guard let other = changes.updateValue(edit, forKey: edit.seq) else { continue }
      // What is skipped twice is skipped; two delays could be meant one after the other.
      if case (.skip, .skip) = (edit, other) { continue }
      throw .contradiction(other, edit)
    }
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
