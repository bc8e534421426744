import Staty
import StatyHistory

// When something is told that was recorded inside of something else.
//
// The replay delivers events as the app did, so observers hear of them when those of the app did: at
// once, or when those that are being told of another have heard of that. What observers asked for is
// told then. What a state asked for is told in its call.
//
// Which it was the recording says. Of one from before schema 13 it is guessed.
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
    if cast.tellsHearing {
      return switch place {
      case .beginning, .late: entry.isHeard
      case .inState, .end: !entry.isHeard
      case .unheard, .between: false
      }
    }
    let isHeardLater = unheard[frame.number] != nil
    switch place {
    case .between: return false
    case .late: return true
    case .beginning:
      return frame.isOrder ? isAskedByHearing(entry, frame) : !isAwaited(entry)
    case .inState: return !(isHeardLater && isAskedByHearing(entry, frame))
    case .unheard:
      return frame.kind.side == .input && entry.event.kind == .enqueued && !isAwaited(entry)
        && isBeforeHearing(entry, frame)
    case .end:
      return !isHeardLater || entry.event.kind != .enqueued || isAwaited(entry)
        || isBeforeHearing(entry, frame)
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

  /// Whether the controller is waited for to make the input in its own.
  private func isAwaited(_ entry: RecordingWindow.Entry) -> Bool {
    entry.controller == entry.caller.controller
      && placement.makes(Placement.Making(entry.event.kind), entry.controller)
  }
}

// MARK: Who asked

extension OpaqueReplay {
  /// Whether observers asked for this when they heard that a state is told something, and not the
  /// state.
  ///
  /// A request says which visit's state was being told something at its controller.
  private func isAskedByHearing(_ entry: RecordingWindow.Entry, _ order: Frame) -> Bool {
    guard entry.event.kind == .enqueued,
      let request = firstRequest(entry, at: order.controller, in: order)
    else { return false }
    let origin = request.event.detail?.origin ?? 0
    return origin != order.visit && origin == performed(outside: order)?.visit ?? 0
  }

  /// This request, or the first of a controller inside of it, or else behind it inside of the order:
  /// they hear of that before it is given.
  private func firstRequest(
    _ entry: RecordingWindow.Entry, at controller: Int32, in order: Frame
  ) -> RecordingWindow.Entry? {
    if entry.controller == controller { return entry }
    let isWanted = { (later: RecordingWindow.Entry) in
      later.controller == controller && later.event.kind == .enqueued
    }
    return window.first(after: entry, within: entry.seq, where: isWanted)
      ?? window.first(after: entry, within: order.seq ?? entry.seq, where: isWanted)
  }

  /// The innermost order of a controller that a state is being told outside of another.
  private func performed(outside frame: Frame) -> Frame? {
    frames.last {
      $0.controller == frame.controller && $0.isOrder && !$0.isHeard && $0.number < frame.number
    }
  }

  /// Whether this was asked for before observers hear of what it was asked for in.
  private func isBeforeHearing(_ entry: RecordingWindow.Entry, _ frame: Frame) -> Bool {
    guard
      let place = frames.lastIndex(where: { $0.controller == frame.controller && $0.isHeard })
    else { return true }
    let inside = frames[(place + 1)...]
    if entry.event.kind == .enqueued, entry.controller == frame.controller,
      let performed = inside.last(where: {
        $0.controller == frame.controller && $0.isOrder && !$0.isHeard
      })
    {
      return entry.event.detail?.origin == performed.visit
    }
    // By then whatever they did is over.
    let seqs = Set(inside.compactMap(\.seq))
    let act = window.first(after: entry, within: seqs.min() ?? 0) { [self] in
      $0.event.kind?.side == .output && seqs.contains($0.parent) && !isAlongside($0)
    }
    return act != nil
  }
}
