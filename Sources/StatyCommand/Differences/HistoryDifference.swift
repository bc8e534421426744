import StatyHistory

/// The first difference between two sessions, controller by controller.
struct HistoryDifference {
  enum Verdict: String {
    case equal
    case different
    /// Events are missing, and the sessions are the same up to there.
    case inconclusive
  }

  /// The comparison of one controller.
  struct Comparison {
    /// How many events are the same in both.
    var common = 0
    /// How many events were compared on each side.
    var counts = [0, 0]
    /// The first different events; none on the side that has no more.
    var parted: [HistorySide.Event?]?
    /// The events that the other side has not come to yet.
    fileprivate var ahead: [ArraySlice<HistorySide.Event>] = [[], []]
  }

  private(set) var comparisons: [ControllerKey: Comparison] = [:]
  /// The controllers that only one side has.
  let only: [[ControllerKey]]
  private let hasGap: [Bool]

  init(_ sides: [HistorySide]) throws {
    hasGap = sides.map { $0.gap != nil }
    let keys = sides.map { Set($0.keys.values) }
    only = [keys[0].subtracting(keys[1]).sorted(), keys[1].subtracting(keys[0]).sorted()]
    for key in keys[0].intersection(keys[1]) { comparisons[key] = Comparison() }
    var isAtEnd = [false, false]
    while isAtEnd != [true, true] {
      for place in 0...1 where !isAtEnd[place] {
        if let event = try sides[place].next() {
          comparisons[event.key]?.take(event, on: place, isLast: isAtEnd[1 - place])
        } else {
          isAtEnd[place] = true
        }
      }
    }
    for key in comparisons.keys { comparisons[key]?.close(hasGap: hasGap) }
  }

  var verdict: Verdict {
    // A controller may have been attached in what the other side is missing.
    let isMore = (0...1).contains { !only[$0].isEmpty && !hasGap[1 - $0] }
    if first != nil || isMore { return .different }
    return hasGap == [false, false] ? .equal : .inconclusive
  }

  /// The controller that differs first.
  var first: (key: ControllerKey, comparison: Comparison)? {
    func place(_ comparison: Comparison) -> Int64 {
      comparison.parted?.lazy.compactMap(\.self).first?.row.seq ?? .max
    }
    let parted = comparisons.filter { $0.value.parted != nil }
    return parted.min { (place($0.value), $0.key) < (place($1.value), $1.key) }.map {
      ($0.key, $0.value)
    }
  }
}

extension HistoryDifference.Comparison {
  /// - Parameter isLast: whether the other side has come to its end.
  fileprivate mutating func take(_ event: HistorySide.Event, on place: Int, isLast: Bool) {
    counts[place] += 1
    // One event that the other side does not have is enough.
    let isEnough = isLast && ahead[1 - place].isEmpty && !ahead[place].isEmpty
    if parted != nil || isEnough { return }
    ahead[place].append(event)
    while let one = ahead[0].first, let other = ahead[1].first {
      guard one.isSame(as: other) else {
        (parted, ahead) = ([one, other], [[], []])
        return
      }
      common += 1
      for place in 0...1 { ahead[place].removeFirst() }
    }
  }

  /// More events on one side are a difference, unless the other side may be missing them.
  fileprivate mutating func close(hasGap: [Bool]) {
    let isMore = (0...1).contains { !ahead[$0].isEmpty && !hasGap[1 - $0] }
    if isMore { parted = ahead.map(\.first) }
    ahead = [[], []]
  }
}
