import Staty
import StatyHistory

/// Follows tracks that should show the same, and finds where they are at rest and differ.
package struct MirrorWatch {
  /// The sentence of a finding that was declared to be an error.
  static let isErrorSentence: UInt8 = 1

  /// How many pairs of a session are followed.
  private static let mostPairs = 256

  fileprivate struct Element: Equatable {
    let visit: UInt32
    let state: Int32
    /// Whether it is an optional that holds nothing.
    let isNothing: Bool

    static func == (one: Self, other: Self) -> Bool { one.state == other.state }
  }

  fileprivate struct Side {
    let controller: Int32
    let isPath: Bool
    /// What it shows, the top last; none if it is not known.
    var shown: [Element]?
    /// Whether it is a path whose first push begins at its bottom: what it held when its recording began is not known.
    var isUnheard = false
    /// Whether its recording has ended.
    var isOver = false
    /// Its last move.
    var move: Int64 = 0
    /// The names that it has shown so far.
    var names: Set<Int32> = []
  }

  private struct Pair {
    let number: UInt32
    let within: Int64
    let isError: Bool
    /// Whether a side is a path: of one, a single move does not say what it holds.
    var isPath: Bool
    var sides: [Side]
    /// How much time without a move of either counts.
    var rest: Int64 = 0
    /// Whether their present difference has been told.
    var isTold = false
    /// Whether they differed for long in a silence, which is not counted.
    var isSkipped = false
    /// Whether a side is not known any more, because events were lost.
    var isLost = false
    var isOver: Bool { sides.allSatisfy(\.isOver) }

    var differs: Bool {
      guard sides.count == 2, let one = sides[0].shown, let other = sides[1].shown else {
        return false
      }
      // An optional that holds nothing shows the same as an empty path.
      let isMixed = sides[0].isPath != sides[1].isPath
      let isSame =
        isMixed ? one.filter { !$0.isNothing } == other.filter { !$0.isNothing } : one == other
      return !isSame && !isUnlike
    }

    /// Whether both have shown something, and never the same name: then they are named differently.
    var isUnlike: Bool {
      sides.count == 2 && sides.allSatisfy { !$0.names.isEmpty }
        && sides[0].names.isDisjoint(with: sides[1].names)
    }
  }

  private var pairs: [Pair] = []
  /// The time of the last event.
  private var time: Int64 = 0

  /// Takes an event that belongs to no controller.
  mutating func pass(_ row: EventRow, _ found: inout Found) {
    if !pairs.isEmpty { _ = wait(until: row.time, &found) }
  }

  /// Takes an event of a controller.
  mutating func take(_ change: borrowing VisitChange, _ kind: EventKind, _ found: inout Found) {
    if !change.mirrors.isEmpty { introduce(change) }
    if pairs.isEmpty { return }
    if change.hasLost { forget() }
    let row = change.row
    let gap = wait(until: row.time, &found)
    for pair in pairs.indices {
      guard let side = pairs[pair].sides.firstIndex(where: { $0.controller == row.controller })
      else { continue }
      let differed = pairs[pair].differs
      if kind == .detached {
        (pairs[pair].sides[side].shown, pairs[pair].sides[side].isOver) = (nil, true)
        pairs[pair].isTold = false
      } else if pairs[pair].sides[side].follow(row, kind, change.isNothing) {
        let within = pairs[pair].within
        pairs[pair].sides[side].move = row.seq
        // Behind a long silence it may be one more of several moves that were all too late.
        pairs[pair].rest = differed && gap > within ? within / 2 : 0
        if !pairs[pair].differs { (pairs[pair].rest, pairs[pair].isTold) = (0, false) }
      }
    }
  }

  /// Why a track and its mirror could not be judged, or not to the end.
  package enum Obstacle: Hashable, Sendable {
    /// They have no name in common.
    case unlike
    /// A path had moves before its recording, and none since.
    case unheard
    /// Events were lost.
    case lost
    /// They differed when the session ended, and for less than the declared time.
    case early
    /// They differed for longer than that, but nothing was recorded meanwhile.
    case silence
  }

  /// The tracks whose mirror could not be judged if the session ends at a time.
  func obstacles(at time: Int64) -> [(track: Int32, obstacle: Obstacle)] {
    pairs.compactMap { pair in
      guard let track = pair.sides.first?.controller else { return nil }
      if pair.isUnlike { return (track, .unlike) }
      if pair.isLost { return (track, .lost) }
      if pair.sides.contains(where: { $0.isUnheard && $0.shown == nil }) {
        return (track, .unheard)
      }
      if pair.differs, !pair.isTold { return isRipe(pair, at: time) ? nil : (track, .early) }
      return pair.isSkipped ? (track, .silence) : nil
    }
  }

  /// How many names of a track are remembered.
  fileprivate static let mostNames = 256

  /// What holds if the session ends at a time.
  func end(at time: Int64, _ findings: inout [Finding]) {
    for pair in pairs where pair.differs && !pair.isTold && isRipe(pair, at: time) {
      let finding = finding(pair)
      // Two tracks may mirror each other in both directions.
      if !findings.contains(finding) { findings.append(finding) }
    }
  }

  /// Whether a pair that differs has not moved for the declared time, if the session ends at a time.
  private func isRipe(_ pair: Pair, at time: Int64) -> Bool {
    let (rest, isEndless) = pair.rest.addingReportingOverflow(max(0, time &- self.time))
    return isEndless || rest >= pair.within
  }

  /// What was lost may have been a move of any track.
  private mutating func forget() {
    for pair in pairs.indices {
      (pairs[pair].rest, pairs[pair].isTold) = (0, false)
      pairs[pair].isLost = pairs[pair].isLost || pairs[pair].isPath
      for side in pairs[pair].sides.indices {
        (pairs[pair].sides[side].shown, pairs[pair].sides[side].isUnheard) = (nil, false)
      }
    }
  }

  private mutating func introduce(_ change: borrowing VisitChange) {
    for mirror in change.mirrors {
      var side = Side(controller: change.row.controller, isPath: mirror.isPath)
      side.isUnheard = mirror.isPath && change.isUnheard
      if mirror.isPath, !side.isUnheard { side.shown = [] }
      if let pair = pairs.firstIndex(where: { $0.number == mirror.pair && $0.sides.count == 1 }) {
        pairs[pair].sides.append(side)
        pairs[pair].isPath = pairs[pair].isPath || mirror.isPath
      } else {
        if pairs.count == Self.mostPairs, let over = pairs.firstIndex(where: \.isOver) {
          pairs.remove(at: over)
        }
        guard pairs.count < Self.mostPairs else { continue }
        pairs.append(
          Pair(
            number: mirror.pair, within: max(0, mirror.within), isError: mirror.isError,
            isPath: mirror.isPath, sides: [side]))
      }
    }
  }

  /// Lets the time pass until the next event.
  ///
  /// - Returns: how long nothing was recorded.
  private mutating func wait(until next: Int64, _ found: inout Found) -> Int64 {
    let gap = max(0, next &- time)
    time = max(time, next)
    for place in pairs.indices where pairs[place].differs && !pairs[place].isTold {
      // The app may have been suspended, or stopped in a debugger.
      let (rest, isEndless) = pairs[place].rest.addingReportingOverflow(
        min(gap, pairs[place].within / 2))
      pairs[place].rest = isEndless ? .max : rest
      if gap >= pairs[place].within { pairs[place].isSkipped = true }
      if pairs[place].rest >= pairs[place].within, gap > 0 {
        (pairs[place].isTold, pairs[place].isSkipped) = (true, false)
        found.report(finding(pairs[place]))
      }
    }
    return gap
  }

  /// The finding at the last move of either.
  private func finding(_ pair: Pair) -> Finding {
    let isFirst = pair.sides[0].move >= pair.sides[1].move
    let (guilty, other) = (pair.sides[isFirst ? 0 : 1], pair.sides[isFirst ? 1 : 0])
    let (top, otherTop) = (guilty.shown?.last, other.shown?.last)
    return Finding(
      .mirror, seq: guilty.move, controller: guilty.controller, visit: top?.visit ?? 0,
      state: top?.state ?? 0,
      .init(
        other: otherTop?.visit ?? 0, otherState: otherTop?.state ?? 0, time: other.move,
        newer: Int64(guilty.shown?.count ?? 0) << 32 | Int64(other.shown?.count ?? 0),
        otherController: other.controller, sentence: pair.isError ? Self.isErrorSentence : 0))
  }

  /// The numbers of elements that the two sides of a finding showed.
  static func counts(_ newer: Int64) -> (Int, Int) {
    (Int(newer >> 32), Int(newer & 0xFFFF_FFFF))
  }
}

extension MirrorWatch.Side {
  /// Follows an event; returns whether it shows something else now.
  fileprivate mutating func follow(
    _ row: EventRow, _ kind: EventKind, _ isNothing: Bool
  ) -> Bool {
    let element = MirrorWatch.Element(visit: row.visit, state: row.state, isNothing: isNothing)
    if names.count < MirrorWatch.mostNames, kind == .stood || kind == .moved {
      names.insert(row.state)
    }
    // The push that is its first needs to know that.
    defer { if kind == .stood || shown != nil { isUnheard = false } }
    switch kind {
    case .stood:
      guard row.reason == EventReason.stoodEntered.code else { return false }
      shown = (shown ?? []) + [element]
    case .moved where row.reason == EventReason.movedPush.code:
      if isUnheard, shown == nil { shown = [] }
      shown?.append(element)
    case .moved where row.reason == EventReason.movedPop.code:
      shown?.removeAll { $0.visit == row.visit }
    case .moved:
      if let shown, shown.last?.visit == row.visit { return false }
      shown = [element]
    default: return false
    }
    return true
  }
}
