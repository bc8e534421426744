import Staty
import StatyHistory

/// How long states took to enter and to exit when they were told in their turn.
///
/// An exit of a state that had not entered says nothing about the usual time.
struct LawfulDurations {
  private struct Key: Hashable {
    let state: Int32
    let kind: UInt8
  }

  private struct Open {
    var entering: Int64?
    var exiting: Int64?
    var isIn = false
  }

  // The first durations of each state: enough for a median, and bounded.
  private static let most = 4_096
  private var times: [Key: [Int64]] = [:]
  private var open: [VisitKey: Open] = [:]

  /// Takes the next event of a session.
  mutating func take(_ row: EventRow) {
    guard row.visit != 0, let kind = EventKind(rawValue: row.kind) else { return }
    let visit = VisitKey(controller: row.controller, visit: row.visit)
    switch kind {
    case .entering: open[visit, default: Open()].entering = row.time
    case .entered:
      if let since = open[visit]?.entering { add(row.time &- since, .entering, row.state) }
      open[visit]?.isIn = true
    case .exiting: if open[visit]?.isIn == true { open[visit]?.exiting = row.time }
    case .exited:
      if let since = open[visit]?.exiting { add(row.time &- since, .exiting, row.state) }
      open[visit] = nil
    case .discarded: open[visit] = nil
    default: break
    }
  }

  private mutating func add(_ time: Int64, _ kind: EventKind, _ state: Int32) {
    let key = Key(state: state, kind: kind.rawValue)
    guard times[key]?.count ?? 0 < Self.most else { return }
    // Times of two threads may step back a little.
    times[key, default: []].append(max(time, 0))
  }

  /// The median duration for states of this name; `nil` if none was recorded.
  func median(_ kind: EventKind, of state: Int32) -> Int64? {
    guard let all = times[Key(state: state, kind: kind.rawValue)]?.sorted() else { return nil }
    return all[(all.count - 1) / 2]
  }
}
