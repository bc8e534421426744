import Staty
import StatyHistory

// When something is told that was recorded inside of something else.
//
// The replay delivers events as the app did, so observers hear of them when those of the app did: at
// once, or when those that are being told of another have heard of that. What observers asked for is
// told then. What a state asked for is told in its call. Which it was the recording says.
extension OpaqueReplay {
  /// Where in a handling it is looked whether something was recorded next.
  enum Place {
    /// It was just made, and observers will hear of it later.
    case unheard
    /// Observers hear of it, and nothing has been done about it yet.
    case beginning
    /// A state was told, and its call has not returned.
    case inState
    /// Something that happened inside is over.
    case between
    /// Everything has been done about it.
    case end
    /// Observers hear of it, and everything has been done about it.
    case late
  }

  /// Observers hear of what a controller reported.
  func heard(_ number: UInt64) {
    if isSpoilt { return }
    if var late = unheard.removeValue(forKey: number) {
      let place = frames.count
      late.isHeard = true
      frames.append(late)
      drain(.late)
      if place < frames.count { frames.removeSubrange(place...) }
    } else if let place = frames.indices.last, frames[place].number == number {
      frames[place].isHeard = true
      drain(.beginning)
      if place < frames.count { frames[place].isHeard = false }
    }
  }

  /// Whether an input whose turn it is is told here.
  func isTime(_ place: Place, _ entry: RecordingWindow.Entry, _ frame: Frame) -> Bool {
    if placement.isEarly(entry.seq) { return true }
    return switch place {
    case .beginning, .late: entry.isHeard
    case .inState, .end: !entry.isHeard
    case .unheard, .between: false
    }
  }

  /// Whether what it happened in is over, and it happened when observers heard of that.
  func isLeftBehind(
    _ entry: RecordingWindow.Entry, _ place: Place, _ frame: Frame
  ) -> Bool {
    guard place != .between, place != .unheard, let seq = frame.seq, entry.parent > seq,
      entry.isInput || isAlongside(entry), !isUnderWay(entry.parent), !isUnheard(entry.parent),
      !policies.isUnreachable(entry.parent)
    else { return false }
    // Whoever told observers of it so late was telling them of this, or lies further out.
    return entry.caller.seq != entry.event.row.cause || entry.caller.controller == frame.controller
      || !frames.contains { $0.controller == entry.caller.controller }
  }

  func isUnderWay(_ seq: Int64) -> Bool { frames.contains { $0.seq == seq } }

  func isUnheard(_ seq: Int64) -> Bool { unheard.values.contains { $0.seq == seq } }
}
